// Registrations: which handlers are called, with which arguments, when, and until when.

import KitTestSupport
import Testing
import TraitKit

@MainActor
private class ObservedView: View {
    var log: [String] = []

    func noArguments() { log.append("0") }
    func oneArgument(_ view: ObservedView) { log.append("1 \(view === self)") }
    func twoArguments(_ environment: any TraitEnvironment, _ previous: TraitCollection) {
        log.append("2 \(environment === self) \(previous[ThemeTrait.self])")
    }

    func registerActions() {
        registerForTraitChanges([ThemeTrait.self], action: Self.noArguments)
        registerForTraitChanges([ThemeTrait.self], action: Self.oneArgument)
        registerForTraitChanges([ThemeTrait.self], action: Self.twoArguments)
        registerForTraitChanges([ThemeTrait.self], target: self, action: Self.noArguments)
    }
}

private final class LaterView: ObservedView {}

@MainActor
private final class Observer {
    var seen: [Int] = []

    func changed(_ view: View, _ previous: TraitCollection) {
        seen.append(previous[ThemeTrait.self])
        seen.append(view.traitCollection[ThemeTrait.self])
    }
}

@MainActor
@Suite(.ownHierarchy) struct RegistrationSemanticsTests {
    private let scene = WindowScene()
    private let view = LaterView()

    init() {
        Window(windowScene: scene).addSubview(view)
        scene.layoutIfNeeded()
    }

    private func setTheme(_ theme: Int) {
        scene.traitOverrides[ThemeTrait.self] = theme
        scene.layoutIfNeeded()
    }

    @Test("actions get none, one or two arguments, of a subclass, too")
    func actions() {
        view.registerActions()
        setTheme(1)
        #expect(view.log == ["0", "1 true", "2 true 0", "0"])
    }

    @Test("any object may observe; it is not kept alive, and gone it is not called")
    func weakTarget() {
        var observer: Observer? = Observer()
        weak let weakly = observer
        view.registerForTraitChanges(
            [ThemeTrait.self], target: observer!, action: Observer.changed)
        setTheme(1)
        #expect(observer?.seen == [0, 1])
        observer = nil
        #expect(weakly == nil)
        setTheme(2)
    }

    @Test("the previous collection is whole, and the current one is the environment's new one")
    func collections() {
        var previous: TraitCollection?
        view.registerForTraitChanges([ThemeTrait.self]) { (view: View, before: TraitCollection) in
            previous = before
            #expect(TraitCollection.current == view.traitCollection)
            #expect(TraitCollection.current[ThemeTrait.self] == 1)
        }
        scene.suppliedTraits.displayScale = 2
        scene.layoutIfNeeded()
        scene.suppliedTraits.displayScale = 3
        setTheme(1)
        #expect(previous?.displayScale == 2)
        #expect(previous?[ThemeTrait.self] == 0)
    }

    @Test("a copied token ends the same registration; another object's, or a used one, nothing")
    func tokens() {
        var calls: [String] = []
        let other = View()
        let first = view.registerForTraitChanges([ThemeTrait.self]) { (_: View, _) in
            calls.append("first")
        }
        let second = view.registerForTraitChanges([ThemeTrait.self]) { (_: View, _) in
            calls.append("second")
        }
        other.unregisterForTraitChanges(second)
        let copy = first
        view.unregisterForTraitChanges(copy)
        view.unregisterForTraitChanges(first)
        view.registerForTraitChanges([ThemeTrait.self]) { (_: View, _) in calls.append("third") }
        view.unregisterForTraitChanges(first)
        setTheme(1)
        #expect(calls == ["second", "third"])
    }

    @Test("the older callback runs after the handlers, for any trait")
    func legacyCallback() {
        final class Legacy: View {
            var log: [String] = []
            override func traitCollectionDidChange(_ previous: TraitCollection?) {
                super.traitCollectionDidChange(previous)
                log.append("legacy \(previous?.userInterfaceStyle.rawValue ?? -1)")
            }
        }
        let legacy = Legacy()
        view.addSubview(legacy)
        scene.layoutIfNeeded()
        legacy.registerForTraitChanges([TraitUserInterfaceStyle.self]) { (view: Legacy, _) in
            view.log.append("registered")
        }
        scene.suppliedTraits.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        scene.suppliedTraits.legibilityWeight = .bold
        scene.layoutIfNeeded()
        #expect(legacy.log == ["registered", "legacy 0", "legacy 2"])
        legacy.log = []
        scene.suppliedTraits.userInterfaceStyle = .light
        scene.updateTraitsIfNeeded()
        #expect(legacy.log == ["registered", "legacy 2"])
    }

    @Test("a registration ends with its environment, which its handler does not keep alive")
    func lifetime() {
        let hierarchy = TraitHierarchy()
        hierarchy.perform {
            let scene = WindowScene()
            let window = Window(windowScene: scene)
            var view: View? = View()
            weak let weakly = view
            window.addSubview(view!)
            view!.registerForTraitChanges([ThemeTrait.self]) { (_: View, _) in
                Issue.record("called after the end")
            }
            scene.layoutIfNeeded()
            #expect(hierarchy.environmentCount == 3)
            view!.removeFromSuperview()
            view = nil
            #expect(weakly == nil)
            #expect(hierarchy.environmentCount == 2)
            scene.traitOverrides[ThemeTrait.self] = 1
            scene.layoutIfNeeded()
        }
        #expect(hierarchy.environmentCount == 0)
    }

    @Test("a view that only an override's value holds goes with it, while the engine is at work")
    func heldByValue() {
        final class Holder: Equatable, Sendable {
            let view: View
            init(_ view: View) { self.view = view }
            static func == (left: Holder, right: Holder) -> Bool { left === right }
        }
        struct HolderTrait: TraitDefinition {
            static let defaultValue: Holder? = nil
        }
        let hierarchy = TraitHierarchy()
        hierarchy.perform {
            let window = Window()
            let top = View()
            window.addSubview(top)
            let scene = WindowScene()
            for environment in [scene, top] as [Responder] {
                for _ in 0..<2 { environment.traitOverrides[HolderTrait.self] = Holder(View()) }
                environment.traitOverrides.remove(HolderTrait.self)
                #expect(hierarchy.environmentCount == 3)
            }
            top.traitOverrides[HolderTrait.self] = Holder(View())
            window.layoutIfNeeded()
            top.traitOverrides.remove(HolderTrait.self)
            #expect(hierarchy.environmentCount == 4, "the view still shows it")
            window.layoutIfNeeded()
            #expect(hierarchy.environmentCount == 3)
        }
    }

    @Test("a view that outlives its superview is detached and keeps its traits")
    func survivor() {
        let child = View()
        do {
            let parent = View()
            view.addSubview(parent)
            parent.addSubview(child)
            setTheme(4)
            parent.removeFromSuperview()
        }
        #expect(child.superview == nil)
        #expect(child.traitCollection[ThemeTrait.self] == 4)
        view.addSubview(child)
        setTheme(5)
        #expect(child.traitCollection[ThemeTrait.self] == 5)
    }
}
