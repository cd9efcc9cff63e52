// Every member of UIContentContainer that TraitKitUI has, each under its name; see docs/uikit.md.

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
    //: viewWillTransition(to:with:)
    final class Sized: UIViewController {
        override func viewWillTransition(
            to size: CGSize, with coordinator: UIViewControllerTransitionCoordinator
        ) {
            super.viewWillTransition(to: size, with: coordinator)
        }
    }
    _ = Sized()
}
