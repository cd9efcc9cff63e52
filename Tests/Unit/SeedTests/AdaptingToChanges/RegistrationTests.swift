// From "Adapting your app when traits change": registering in `viewDidLoad`, for a set, and for a
// time.

import KitTestSupport
import Testing
import TraitKit

@MainActor
private class SizeClassController: ViewController {
    var updates: [Bool] = []

    // Sample 004.2
    override func viewDidLoad() {
        super.viewDidLoad()

        registerForTraitChanges([
            TraitHorizontalSizeClass.self,
            TraitVerticalSizeClass.self,
        ]) { (self: Self, previousTraitCollection: TraitCollection) in
            self.updateLayout()
        }
    }

    func updateLayout() {
        let isCompact = traitCollection.horizontalSizeClass == .compact
        // Update your layout based on the size class.
        updates.append(isCompact)  // added
    }
    // End of sample 004.2
}

@MainActor
private class ColorView: View {
    var updates = 0

    func register() {
        // Sample 004.3
        registerForTraitChanges(TraitCollection.systemTraitsAffectingColorAppearance) {
            (self: Self, previousTraitCollection: TraitCollection) in
            self.updateColors()
        }
        // End of sample 004.3
    }

    func updateColors() { updates += 1 }
}

@MainActor
private class ObservingController: ViewController {
    var updates = 0

    // Sample 004.4
    private var traitRegistration: TraitChangeRegistration?

    func startObservingTraits() {
        traitRegistration = registerForTraitChanges([TraitHorizontalSizeClass.self]) {
            (self: Self, previousTraitCollection: TraitCollection) in
            self.updateLayout()
        }
    }

    func stopObservingTraits() {
        unregisterForTraitChanges(traitRegistration)
        traitRegistration = nil
    }
    // End of sample 004.4

    func updateLayout() { updates += 1 }
}

@MainActor
@Suite(.ownHierarchy) struct RegistrationTests {
    private let scene = WindowScene()
    private let window: Window

    init() {
        window = Window(windowScene: scene)
    }

    @Test("the handler runs once an update in which any of the traits changed")
    func sizeClasses() {
        let controller = SizeClassController()
        window.rootViewController = controller
        scene.layoutIfNeeded()
        #expect(controller.updates == [])
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.suppliedTraits.verticalSizeClass = .regular
        scene.layoutIfNeeded()
        #expect(controller.updates == [true])
        scene.suppliedTraits.verticalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(controller.updates == [true, true])
        scene.suppliedTraits.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(controller.updates == [true, true])
    }

    @Test("a whole set can be registered for, its private members included")
    func colors() {
        let view = ColorView()
        window.addSubview(view)
        scene.layoutIfNeeded()
        view.register()
        scene.suppliedTraits.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        scene.suppliedTraits.accessibilityContrast = .high
        scene.layoutIfNeeded()
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(view.updates == 2)
    }

    @Test("between start and stop the controller hears of changes")
    func startAndStop() {
        let controller = ObservingController()
        window.rootViewController = controller
        scene.layoutIfNeeded()
        controller.startObservingTraits()
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(controller.updates == 1)
        controller.stopObservingTraits()
        scene.suppliedTraits.horizontalSizeClass = .regular
        scene.layoutIfNeeded()
        #expect(controller.updates == 1)
    }
}
