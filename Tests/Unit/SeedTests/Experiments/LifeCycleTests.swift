// From notes on custom traits: where in a controller's life its traits are right. The notes saw
// true, false, true; only the last is promised, as the ones before depend on what was known then.

import KitTestSupport
import Testing
import TraitKit

private struct CustomTrait: TraitDefinition {
    static let defaultValue = false
}

extension TraitCollection {
    fileprivate var customTrait: Bool { self[CustomTrait.self] }
}

// Sample 003.6
private class EmbedController: ViewController {
    var printed: [String] = []  // added
    private func print(_ item: Any) { printed.append("\(item)") }  // added

    override func viewDidLoad() {
        super.viewDidLoad()
        print("didLoad:")
        print(traitCollection.customTrait)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        print("willAppear:")
        print(traitCollection.customTrait)
    }

    override func viewIsAppearing(_ animated: Bool) {
        super.viewIsAppearing(animated)
        print("isAppearing:")
        print(traitCollection.customTrait)
    }
}
// End of sample 003.6

@MainActor
@Suite(.ownHierarchy) struct LifeCycleTests {
    @Test("in viewIsAppearing the traits are right")
    func order() throws {
        let scene = WindowScene()
        let window = Window(windowScene: scene)
        let (parent, child) = (ViewController(), EmbedController())
        window.rootViewController = parent
        scene.layoutIfNeeded()
        parent.view.traitOverrides[CustomTrait.self] = true
        parent.addChild(child)
        parent.view.addSubview(child.view)
        child.didMove(toParent: parent)
        scene.layoutIfNeeded()
        try #require(child.printed.count == 6)
        #expect(
            [0, 2, 4].map { child.printed[$0] } == ["didLoad:", "willAppear:", "isAppearing:"])
        #expect(child.printed[5] == "true")
    }
}
