// From "Adapting your app when traits change": a trait that `layoutSubviews` reads makes it run
// again.

import KitTestSupport
import Testing
import TraitKit

// Sample 004.1
private class MyView: View {
    var layouts: [String] = []  // added

    override func layoutSubviews() {
        super.layoutSubviews()

        if traitCollection.horizontalSizeClass == .compact {
            // Apply compact layout.
            layouts.append("compact")  // added
        } else {
            // Apply regular layout.
            layouts.append("regular")  // added
        }
    }
}
// End of sample 004.1

@MainActor
@Suite(.ownHierarchy) struct AutomaticTrackingTests {
    @Test("a change of the trait lays out again, a change of another does not")
    func layout() {
        let scene = WindowScene()
        let view = MyView()
        Window(windowScene: scene).addSubview(view)
        scene.suppliedTraits.horizontalSizeClass = .regular
        scene.layoutIfNeeded()
        #expect(view.layouts == ["regular"])
        scene.suppliedTraits.horizontalSizeClass = .compact
        #expect(view.layouts == ["regular"])
        scene.layoutIfNeeded()
        #expect(view.layouts == ["regular", "compact"])
        scene.suppliedTraits.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(view.layouts == ["regular", "compact"])
    }
}
