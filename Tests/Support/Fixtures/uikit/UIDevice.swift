// Every member of UIDevice that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: current
    let device = UIDevice.current
    //: userInterfaceIdiom
    _ = device.userInterfaceIdiom == .pad
}
