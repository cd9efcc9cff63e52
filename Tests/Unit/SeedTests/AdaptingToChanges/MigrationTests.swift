// From "Adapting your app when traits change": the same controller before and after its migration
// from `traitCollectionDidChange`.

import KitTestSupport
import Testing
import TraitKit

@MainActor
private class ControllerBefore: ViewController {
    var (calls, updates) = (0, 0)

    // Sample 004.5
    override func traitCollectionDidChange(_ previousTraitCollection: TraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        calls += 1  // added

        if traitCollection.horizontalSizeClass != previousTraitCollection?.horizontalSizeClass {
            updateLayout()
        }
    }
    // End of sample 004.5

    func updateLayout() { updates += 1 }
}

@MainActor
private class ViewAfter: View {
    var sizeClasses: [UserInterfaceSizeClass] = []

    // Sample 004.6
    override func layoutSubviews() {
        super.layoutSubviews()

        updateLayout(traitCollection.horizontalSizeClass)
    }
    // End of sample 004.6

    func updateLayout(_ sizeClass: UserInterfaceSizeClass) { sizeClasses.append(sizeClass) }
}

@MainActor
private class ControllerAfter: ViewController {
    var updates = 0

    // Sample 004.7
    override func viewDidLoad() {
        super.viewDidLoad()

        registerForTraitChanges([TraitHorizontalSizeClass.self]) {
            (self: Self, previousTraitCollection: TraitCollection) in
            self.updateLayout()
        }
    }
    // End of sample 004.7

    func updateLayout() { updates += 1 }
}

@MainActor
@Suite(.ownHierarchy) struct MigrationTests {
    private let scene = WindowScene()
    private let before = ControllerBefore()
    private let after = ControllerAfter()
    private let view = ViewAfter()

    init() {
        let window = Window(windowScene: scene)
        window.rootViewController = before
        before.addChild(after)
        before.view.addSubview(after.view)
        after.view.addSubview(view)
        scene.layoutIfNeeded()
    }

    @Test("all three react to the size class; only the old one is called for everything")
    func migration() {
        let calls = before.calls
        scene.suppliedTraits.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect((before.calls, before.updates, after.updates) == (calls + 1, 0, 0))
        #expect(view.sizeClasses == [.unspecified])
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect((before.calls, before.updates, after.updates) == (calls + 2, 1, 1))
        #expect(view.sizeClasses == [.unspecified, .compact])
    }
}
