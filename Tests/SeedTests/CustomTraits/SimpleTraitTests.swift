// From "Providing data to the view hierarchy with custom traits": a trait with nothing but a
// default, set by type, then by property.

import Testing
import TraitKit

private struct ContainedInSettingsTrait: TraitDefinition {
    static let defaultValue = false
}

extension TraitCollection {
    fileprivate var isContainedInSettings: Bool { self[ContainedInSettingsTrait.self] }
}

extension MutableTraits {
    fileprivate var isContainedInSettings: Bool {
        get { self[ContainedInSettingsTrait.self] }
        set { self[ContainedInSettingsTrait.self] = newValue }
    }
}

@MainActor
private final class SettingsController: ViewController {
    func override() {
        self.traitOverrides[ContainedInSettingsTrait.self] = true
    }

    func read() -> Bool {
        let value = traitCollection[ContainedInSettingsTrait.self]
        return value
    }
}

@MainActor
@Suite struct SimpleTraitTests {
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
        #expect(!controller.read())
        scene.layoutIfNeeded()
        #expect(controller.read())
        for environment in [controller.view, subview, child, child.view] as [any TraitEnvironment] {
            #expect(environment.traitCollection.isContainedInSettings)
        }
        #expect(!window.traitCollection.isContainedInSettings)
    }

    @Test("a property makes the trait as easy to use as the system's")
    func properties() {
        let traitCollection = TraitCollection { mutableTraits in
            mutableTraits.isContainedInSettings = true
        }

        let value = traitCollection.isContainedInSettings

        #expect(value)
        #expect(!TraitCollection().isContainedInSettings)
    }
}
