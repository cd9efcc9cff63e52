// Every member of UIDevice that TraitKitUI has, each under its name; see members.tsv.

import TraitKitUI

@MainActor func use() {
    //: current
    let device = UIDevice.current
    //: userInterfaceIdiom
    _ = device.userInterfaceIdiom == .pad
}
