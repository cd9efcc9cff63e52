// Every member of UIUserInterfaceIdiom that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UIUserInterfaceIdiom.unspecified
    _ = value0
    //: phone
    let value1 = UIUserInterfaceIdiom.phone
    _ = value1
    //: pad
    let value2 = UIUserInterfaceIdiom.pad
    _ = value2
    //: tv
    let value3 = UIUserInterfaceIdiom.tv
    _ = value3
    //: carPlay
    let value4 = UIUserInterfaceIdiom.carPlay
    _ = value4
    //: mac
    let value5 = UIUserInterfaceIdiom.mac
    _ = value5
    //: vision
    let value6 = UIUserInterfaceIdiom.vision
    _ = value6
    //: init(rawValue:)
    let made: UIUserInterfaceIdiom? = UIUserInterfaceIdiom(rawValue: 0)
    _ = made
}
