// Every member of UIViewControllerRepresentable that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

struct Page: UIViewControllerRepresentable {
    func makeUIViewController(context: Context) -> UIViewController { UIViewController() }

    func updateUIViewController(_ uiViewController: UIViewController, context: Context) {}
}

@MainActor func use() {
    //: makeUIViewController(context:)
    _ = Page.makeUIViewController(Page())
    //: updateUIViewController(_:context:)
    _ = Page.updateUIViewController(Page())
    //: makeCoordinator()
    Page().makeCoordinator()
    //: Context
    let context: Page.Context? = nil
    _ = context?.environment
    //: dismantleUIViewController(_:coordinator:)
    Page.dismantleUIViewController(UIViewController(), coordinator: ())
}
