// Every member of UIContentContainer that TraitKitUI has, each under its name; see members.tsv.

import TraitKitUI

@MainActor func use() {
    //: willTransition(to:with:)
    final class Adapting: UIViewController {
        override func willTransition(
            to newCollection: UITraitCollection,
            with coordinator: any UIViewControllerTransitionCoordinator
        ) {
            super.willTransition(to: newCollection, with: coordinator)
        }
    }
    _ = Adapting()
}
