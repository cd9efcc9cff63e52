// Every member of UIHostingController that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: init(rootView:)
    let host = UIHostingController(rootView: "content")
    //: rootView
    host.rootView = "other content"
}
