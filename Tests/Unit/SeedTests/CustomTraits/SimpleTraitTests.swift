// From "Providing data to the view hierarchy with custom traits": a trait with nothing but a
// default, set by type, then by property.

import KitTestSupport
import Testing
import TraitKit

// Sample 001.1
private struct ContainedInSettingsTrait: TraitDefinition {
    static let defaultValue = false
}
// End of sample 001.1

// Sample 001.4
extension TraitCollection {
    fileprivate var isContainedInSettings: Bool { self[ContainedInSettingsTrait.self] }
}
// End of sample 001.4

// Sample 001.5
extension MutableTraits {
    fileprivate var isContainedInSettings: Bool {
        get { self[ContainedInSettingsTrait.self] }
        set { self[ContainedInSettingsTrait.self] = newValue }
    }
}
// End of sample 001.5

@MainActor
private final class SettingsController: ViewController {
    func override() {
        // Sample 001.2
        self.traitOverrides[ContainedInSettingsTrait.self] = true
        // End of sample 001.2
    }

    func read() -> Bool {
        // Sample 001.3
        let value = traitCollection[ContainedInSettingsTrait.self]
        // End of sample 001.3
        return value
    }
}

@MainActor
@Suite(.ownHierarchy) struct SimpleTraitTests {
    @Test("a controller's override reaches its view, subviews and children")
    func propagation() {
        let scene = WindowScene()
        let window = Window(windowScene: scene)
        let controller = SettingsController()
        let (subview, child) = (View(), ViewController())
        window.rootViewController = controller
        controller.view.addSubview(subview)
        controller.addChild(child)
        subview.addSubview(child.view)
        controller.override()
        #expect(controller.read() && !subview.traitCollection.isContainedInSettings)
        scene.layoutIfNeeded()
        #expect(controller.read())
        for environment in [controller.view, subview, child, child.view] as [any TraitEnvironment] {
            #expect(environment.traitCollection.isContainedInSettings)
        }
        #expect(!window.traitCollection.isContainedInSettings)
    }

    @Test("a property makes the trait as easy to use as the system's")
    func properties() {
        // Sample 001.6
        let traitCollection = TraitCollection { mutableTraits in
            mutableTraits.isContainedInSettings = true
        }

        let value = traitCollection.isContainedInSettings
        // End of sample 001.6

        #expect(value)
        #expect(!TraitCollection().isContainedInSettings)
    }
}
