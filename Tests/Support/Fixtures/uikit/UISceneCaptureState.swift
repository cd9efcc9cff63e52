// Every member of UISceneCaptureState that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UISceneCaptureState.unspecified
    _ = value0
    //: inactive
    let value1 = UISceneCaptureState.inactive
    _ = value1
    //: active
    let value2 = UISceneCaptureState.active
    _ = value2
    //: init(rawValue:)
    let made: UISceneCaptureState? = UISceneCaptureState(rawValue: 0)
    _ = made
}
