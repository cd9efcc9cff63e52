// From notes on custom traits: registering with a closure and with an action, and ending it.

import KitTestSupport
import Testing
import TraitKit

private struct CustomTrait: TraitDefinition {
    static let defaultValue = false
}

@MainActor
private class ObservingView: View {
    var log: [String] = []
    private var registration: (any TraitChangeRegistration)?

    func register() {
        // Sample 003.4
        // add register for traitCollection changes
        let reg = registerForTraitChanges([TraitHorizontalSizeClass.self]) {
            (self: Self, previousTraitCollection: TraitCollection) in
            self.log.append("horizontal size class  updated")
        }
        registerForTraitChanges(
            [TraitUserInterfaceStyle.self, CustomTrait.self],
            target: self, action: Self.handleTraitChange)
        // End of sample 003.4
        registration = reg
    }

    func unregister() {
        guard let reg = registration else { return }
        // Sample 003.4
        // unregister
        unregisterForTraitChanges(reg)
        // End of sample 003.4
    }

    func handleTraitChange() {
        log.append("action")
    }
}

@MainActor
@Suite(.ownHierarchy) struct HandlingChangesTests {
    private let scene = WindowScene()
    private let view = ObservingView()

    init() {
        Window(windowScene: scene).addSubview(view)
        view.register()
        scene.layoutIfNeeded()
    }

    @Test("closure and action are called for their traits, once an update, and never at first")
    func calls() {
        #expect(view.log == [])
        scene.traitOverrides.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(view.log == ["horizontal size class  updated"])
        view.traitOverrides.userInterfaceStyle = .dark
        view.traitOverrides[CustomTrait.self] = true
        scene.layoutIfNeeded()
        #expect(view.log == ["horizontal size class  updated", "action"])
    }

    @Test("an ended registration is not called, the other goes on")
    func unregistering() {
        view.unregister()
        view.unregister()
        scene.traitOverrides.horizontalSizeClass = .compact
        scene.traitOverrides.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(view.log == ["action"])
    }
}
