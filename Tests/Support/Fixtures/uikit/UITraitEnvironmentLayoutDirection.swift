// Every member of UITraitEnvironmentLayoutDirection that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UITraitEnvironmentLayoutDirection.unspecified
    _ = value0
    //: leftToRight
    let value1 = UITraitEnvironmentLayoutDirection.leftToRight
    _ = value1
    //: rightToLeft
    let value2 = UITraitEnvironmentLayoutDirection.rightToLeft
    _ = value2
    //: init(rawValue:)
    let made: UITraitEnvironmentLayoutDirection? = UITraitEnvironmentLayoutDirection(rawValue: 0)
    _ = made
    //: init(_:)
    _ = UITraitEnvironmentLayoutDirection(LayoutDirection?.none)
}
