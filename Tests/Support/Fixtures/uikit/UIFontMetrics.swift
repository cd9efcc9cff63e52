// Every member of UIFontMetrics that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

func use(_ font: UIFont) {
    //: init(forTextStyle:)
    let metrics = UIFontMetrics(forTextStyle: .body)
    //: default
    _ = UIFontMetrics.default
    //: scaledFont(for:)
    let scaled: UIFont = metrics.scaledFont(for: font)
    _ = scaled
    //: scaledFont(for:compatibleWith:)
    _ = metrics.scaledFont(for: font, compatibleWith: UITraitCollection())
    //: scaledFont(for:maximumPointSize:)
    _ = metrics.scaledFont(for: font, maximumPointSize: 40)
    //: scaledFont(for:maximumPointSize:compatibleWith:)
    _ = metrics.scaledFont(for: font, maximumPointSize: 40, compatibleWith: nil)
    //: scaledValue(for:)
    let value: CGFloat = metrics.scaledValue(for: 8)
    _ = value
    //: scaledValue(for:compatibleWith:)
    _ = metrics.scaledValue(for: 8, compatibleWith: UITraitCollection())
}
