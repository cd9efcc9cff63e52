// Every member of UIHostingController that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: init(rootView:)
    _ = UIHostingController(rootView: "content")
}
