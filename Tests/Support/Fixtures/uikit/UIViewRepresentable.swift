// Every member of UIViewRepresentable that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

struct Swatch: UIViewRepresentable {
    func makeUIView(context: Context) -> UIView { UIView() }

    func updateUIView(_ uiView: UIView, context: Context) {
        uiView.backgroundColor = context.environment.colorScheme == .dark ? .black : .white
    }
}

@MainActor func use() {
    //: makeUIView(context:)
    _ = Swatch.makeUIView(Swatch())
    //: updateUIView(_:context:)
    _ = Swatch.updateUIView(Swatch())
    //: makeCoordinator()
    Swatch().makeCoordinator()
    //: Context
    let context: Swatch.Context? = nil
    _ = context?.environment
    //: dismantleUIView(_:coordinator:)
    Swatch.dismantleUIView(UIView(), coordinator: ())
}
