// Every member of UIHostingConfiguration that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: init(content:)
    _ = UIHostingConfiguration { "content" }
}
