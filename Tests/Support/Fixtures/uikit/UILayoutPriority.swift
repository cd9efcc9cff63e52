// Every member of UILayoutPriority that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ priority: UILayoutPriority) {
    //: init(_:)
    _ = UILayoutPriority(500)
    //: init(rawValue:)
    _ = UILayoutPriority(rawValue: 500)
    //: rawValue
    _ = priority.rawValue
    //: required
    _ = priority == .required
    //: defaultHigh
    _ = priority < .defaultHigh
    //: defaultLow
    _ = priority > .defaultLow
    //: fittingSizeLevel
    _ = priority == .fittingSizeLevel
}
