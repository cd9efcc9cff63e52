// Every member of UIModalPresentationStyle that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

func use() {
    //: automatic
    let style: UIModalPresentationStyle = .automatic
    _ = style
    //: none
    _ = UIModalPresentationStyle.none
    //: fullScreen
    _ = UIModalPresentationStyle.fullScreen
    //: pageSheet
    _ = UIModalPresentationStyle.pageSheet
    //: formSheet
    _ = UIModalPresentationStyle.formSheet
    //: currentContext
    _ = UIModalPresentationStyle.currentContext
    //: custom
    _ = UIModalPresentationStyle.custom
    //: overFullScreen
    _ = UIModalPresentationStyle.overFullScreen
    //: overCurrentContext
    _ = UIModalPresentationStyle.overCurrentContext
    //: popover
    _ = UIModalPresentationStyle.popover
    //: blurOverFullScreen
    _ = UIModalPresentationStyle.blurOverFullScreen
    //: init(rawValue:)
    _ = UIModalPresentationStyle(rawValue: 7)
}
