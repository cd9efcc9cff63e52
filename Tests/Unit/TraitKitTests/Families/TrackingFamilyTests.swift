// Automatic tracking: what a method reads of its own traits makes it run again, and nothing else.

import KitTestSupport
import Testing
import TraitKit

@MainActor
private final class TrackingView: View {
    var layouts = 0
    var drawings = 0
    var onLayout: @MainActor (TrackingView) -> Void = { _ in }
    var onDraw: @MainActor (TrackingView) -> Void = { _ in }

    override func layoutSubviews() {
        super.layoutSubviews()
        layouts += 1
        onLayout(self)
    }

    override func draw(_ rect: Rect) {
        drawings += 1
        onDraw(self)
    }
}

@MainActor
private final class TrackingController: ViewController {
    var layouts = 0

    override func viewWillLayoutSubviews() {
        layouts += 1
        _ = view.traitCollection.horizontalSizeClass
    }
}

@MainActor
@Suite(.ownHierarchy) struct TrackingFamilyTests {
    private let scene = WindowScene()
    private let window: Window
    private let view = TrackingView()

    init() {
        window = Window(windowScene: scene)
        window.addSubview(view)
    }

    @Test("A01: a size class that layoutSubviews read asks for one layout, which runs")
    func layout() {
        view.onLayout = { _ = $0.traitCollection.horizontalSizeClass }
        scene.layoutIfNeeded()
        #expect((view.layouts, view.needsLayout) == (1, false))
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.updateTraitsIfNeeded()
        #expect((view.layouts, view.needsLayout) == (1, true))
        scene.layoutIfNeeded()
        #expect((view.layouts, view.needsLayout) == (2, false))
    }

    @Test("A03: a style that draw read asks for drawing")
    func display() {
        view.onDraw = { _ = $0.traitCollection.legibilityWeight }
        scene.layoutIfNeeded()
        #expect((view.drawings, view.needsDisplay) == (1, false))
        scene.suppliedTraits.legibilityWeight = .bold
        scene.updateTraitsIfNeeded()
        #expect(view.needsDisplay)
        scene.layoutIfNeeded()
        #expect((view.drawings, view.layouts) == (2, 1))
    }

    @Test("A05: what a method reads of another view makes nothing run")
    func otherView() {
        let other = View()
        window.addSubview(other)
        view.onLayout = { _ in _ = other.traitCollection.horizontalSizeClass }
        scene.layoutIfNeeded()
        other.traitOverrides.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(view.layouts == 1)
    }

    @Test("A07: a controller's layout methods are tracked for its view's traits, too")
    func controller() {
        let controller = TrackingController()
        window.rootViewController = controller
        scene.layoutIfNeeded()
        #expect(controller.layouts == 1)
        controller.view.traitOverrides.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(controller.layouts == 2)
    }

    @Test("dependencies are those of the last run: a branch not taken is not tracked")
    func branches() {
        view.onLayout = { view in
            if view.traitCollection.horizontalSizeClass == .compact {
                _ = view.traitCollection.verticalSizeClass
            }
        }
        scene.layoutIfNeeded()
        scene.suppliedTraits.verticalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(view.layouts == 1)
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(view.layouts == 2)
        scene.suppliedTraits.verticalSizeClass = .regular
        scene.layoutIfNeeded()
        #expect(view.layouts == 3)
        scene.suppliedTraits.horizontalSizeClass = .regular
        scene.layoutIfNeeded()
        scene.suppliedTraits.verticalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(view.layouts == 4)
    }

    @Test("a collection kept from a tracked method notes nothing once the method is over")
    func keptCollection() {
        var kept: TraitCollection?
        view.onLayout = { kept = $0.traitCollection }
        scene.layoutIfNeeded()
        _ = kept?.horizontalSizeClass
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(view.layouts == 1)
    }

    @Test("the current collection of a tracked method is the object's own, and is tracked")
    func current() {
        view.onLayout = { view in
            #expect(TraitCollection.current == view.traitCollection)
        }
        view.traitOverrides.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        // Comparing reads everything.
        scene.suppliedTraits.typesettingLanguage = "ja"
        scene.layoutIfNeeded()
        #expect(view.layouts == 2)
    }

    @Test("comparing, resolving a colour and modifying note what they look at")
    func indirectReads() {
        let color = Color { $0.accessibilityContrast == .high ? .black : .white }
        view.onLayout = { view in
            _ = color.resolvedColor(with: view.traitCollection)
        }
        scene.layoutIfNeeded()
        scene.suppliedTraits.legibilityWeight = .bold
        scene.layoutIfNeeded()
        #expect(view.layouts == 1)
        scene.suppliedTraits.accessibilityContrast = .high
        scene.layoutIfNeeded()
        #expect(view.layouts == 2)
    }
}
