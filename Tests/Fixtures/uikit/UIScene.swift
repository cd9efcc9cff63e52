// Every member of UIScene that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ scene: UIScene) {
    //: session
    _ = scene.session.persistentIdentifier
    //: title
    scene.title = "main"
    //: traitCollection
    _ = scene.traitCollection
}
