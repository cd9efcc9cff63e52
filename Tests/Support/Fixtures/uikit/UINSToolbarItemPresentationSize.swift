// Every member of UINSToolbarItemPresentationSize that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let value0 = UINSToolbarItemPresentationSize.unspecified
    _ = value0
    //: regular
    let value1 = UINSToolbarItemPresentationSize.regular
    _ = value1
    //: small
    let value2 = UINSToolbarItemPresentationSize.small
    _ = value2
    //: large
    let value3 = UINSToolbarItemPresentationSize.large
    _ = value3
    //: init(rawValue:)
    let made: UINSToolbarItemPresentationSize? = UINSToolbarItemPresentationSize(rawValue: 0)
    _ = made
}
