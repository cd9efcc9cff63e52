// Writes: scenes, windows and view controllers show them before the setter returns, and views with
// the next update.

import KitTestSupport
import Testing
import TraitKit

@MainActor
private final class Recorder: ViewController {
    var events: [String] = []
    var onChange: @MainActor (Recorder) -> Void = { _ in }
    var theme: Int { traitCollection[ThemeTrait.self] }

    func record() {
        registerForTraitChanges([ThemeTrait.self]) { (self: Self, previous) in
            self.events.append("\(previous[ThemeTrait.self])>\(self.theme)")
            self.onChange(self)
        }
    }

    override func traitCollectionDidChange(_ previousTraitCollection: TraitCollection?) {
        events.append("old")
    }
}

@MainActor
@Suite(.ownHierarchy) struct WriteTests {
    private let window = Window(frame: .zero)
    private let root = Recorder()
    private let child = Recorder()

    init() {
        window.rootViewController = root
        root.addChild(child)
        root.view.addSubview(child.view)
        window.layoutIfNeeded()
        root.record()
        child.record()
        (root.events, child.events) = ([], [])
    }

    private func theme(_ environment: Responder) -> Int {
        environment.traitCollection[ThemeTrait.self]
    }

    @Test("a controller shows a write, and its handlers run, before the setter returns, once")
    func controller() {
        root.traitOverrides[ThemeTrait.self] = 1
        #expect(theme(root) == 1)
        #expect(root.events == ["0>1", "old"])
        root.updateTraitsIfNeeded()
        root.traitOverrides[ThemeTrait.self] = 1
        #expect(root.events == ["0>1", "old"])
        root.traitOverrides.userInterfaceStyle = .dark
        #expect(root.events == ["0>1", "old", "old"])
        #expect(root.traitCollection.userInterfaceStyle == .dark)
    }

    @Test("each write of a controller is an update of its own, and its store is new in the handler")
    func ownUpdates() {
        let detached = Recorder()
        detached.record()
        var stored: [Int?] = []
        detached.onChange = { stored.append($0.traitOverrides.value(of: ThemeTrait.self)) }
        for value in [1, 2, 3, 0] { detached.traitOverrides[ThemeTrait.self] = value }
        #expect(detached.events.filter { $0 != "old" } == ["0>1", "1>2", "2>3", "3>0"])
        #expect(stored == [1, 2, 3, 0])
        #expect(!detached.isViewLoaded)
        root.traitOverrides[ThemeTrait.self] = 1
        root.traitOverrides.remove(ThemeTrait.self)
        #expect(root.events == ["0>1", "old", "1>0", "old"])
        window.layoutIfNeeded()
        #expect(child.events.isEmpty)
    }

    @Test("a style is shown on the next line: attached, detached, with the view loaded or not")
    func style() {
        let loaded = ViewController()
        loaded.loadViewIfNeeded()
        for controller in [root, loaded, ViewController()] {
            controller.overrideUserInterfaceStyle = .dark
            #expect(controller.traitCollection.userInterfaceStyle == .dark)
        }
        root.overrideUserInterfaceStyle = .unspecified
        #expect(root.traitCollection.userInterfaceStyle == .light)
    }

    @Test(
        "a parent's override is shown by the child on the next line, wherever the child's view is")
    func childOverride() {
        let compact = TraitCollection(horizontalSizeClass: .compact)
        let later = ViewController()
        root.addChild(later)
        func expectShown(_ comment: Comment) {
            for collection in [compact, TraitCollection(horizontalSizeClass: .regular)] {
                root.setOverrideTraitCollection(collection, forChild: later)
                #expect(
                    later.traitCollection.horizontalSizeClass == collection.horizontalSizeClass,
                    comment)
            }
        }
        expectShown("not loaded")
        #expect(!later.isViewLoaded)
        later.loadViewIfNeeded()
        expectShown("loaded")
        root.view.addSubview(later.view)
        expectShown("in its parent's view, before the update")
        window.layoutIfNeeded()
        expectShown("after it")
        #expect(root.traitCollection.horizontalSizeClass == .unspecified)
    }

    @Test("a window shows a write at once; a subview that updates itself starts from that")
    func windowWrite() {
        let subview = View()
        window.addSubview(subview)
        window.layoutIfNeeded()
        var calls = 0
        window.registerForTraitChanges([ThemeTrait.self]) { (_: Window, _) in calls += 1 }
        window.traitOverrides[ThemeTrait.self] = 1
        #expect(theme(window) == 1 && calls == 1)
        #expect(theme(subview) == 0 && theme(root.view) == 0)
        subview.updateTraitsIfNeeded()
        #expect(theme(subview) == 1 && theme(root.view) == 0)
        window.updateTraitsIfNeeded()
        #expect(theme(root.view) == 1 && theme(child) == 1 && calls == 1)
        window.maximumContentSizeCategory = .small
        window.suppliedTraits.preferredContentSizeCategory = .large
        #expect(window.traitCollection.preferredContentSizeCategory == .small)
        #expect(root.traitCollection.preferredContentSizeCategory == .unspecified)
    }

    @Test("presentation controllers wait for the update, as views do")
    func presentations() throws {
        root.present(Recorder(), animated: false)
        let presentation = try #require(root.presentedViewController?.presentationController)
        window.layoutIfNeeded()
        presentation.traitOverrides[ThemeTrait.self] = 5
        #expect(theme(presentation) == 0)
        presentation.updateTraitsIfNeeded()
        #expect(theme(presentation) == 5)
    }

    @Test("a detached controller keeps the value of an override that is removed, without a call")
    func detachedKeeps() {
        let controller = Recorder()
        controller.record()
        controller.traitOverrides[ThemeTrait.self] = 4
        controller.overrideUserInterfaceStyle = .dark
        controller.events = []
        controller.traitOverrides.remove(ThemeTrait.self)
        controller.overrideUserInterfaceStyle = .unspecified
        #expect(controller.events.isEmpty)
        #expect(theme(controller) == 4)
        #expect(controller.traitCollection.userInterfaceStyle == .dark)
        #expect(!controller.traitOverrides.contains(ThemeTrait.self))
        root.addChild(controller)
        root.view.addSubview(controller.view)
        window.layoutIfNeeded()
        #expect(theme(controller) == 0)
        #expect(controller.traitCollection.userInterfaceStyle == .light)
    }

    @Test("a handler that writes to its controller runs again inside the write, until it is a loop")
    func nested() {
        let handler = UpdateLoop.handler
        defer { UpdateLoop.handler = handler }
        var loops: [UpdateLoop] = []
        UpdateLoop.handler = { loops.append($0) }
        root.onChange = { if $0.theme < 3 { $0.traitOverrides[ThemeTrait.self] = $0.theme + 1 } }
        root.traitOverrides[ThemeTrait.self] = 1
        #expect(root.events == ["0>1", "1>2", "2>3", "old", "old", "old"])
        #expect(loops.isEmpty)
        root.events = []
        root.onChange = { $0.traitOverrides[ThemeTrait.self] = $0.theme + 1 }
        root.traitOverrides[ThemeTrait.self] = 100
        #expect(root.events.count { $0 != "old" } == 16)
        #expect(loops.map(\.passes) == [16] && theme(root) == 116)
        #expect(loops.first?.culprits == ["Recorder (theme)"])
        root.onChange = { _ in }
        root.events = []
        root.traitOverrides[ThemeTrait.self] = 1
        #expect(root.events == ["116>1", "old"], "the next write is heard again")
        window.layoutIfNeeded()
        #expect(theme(child) == 1 && loops.count == 1)
    }

    @Test("a handler of a write may end a later registration, and what it makes waits for another")
    func registrations() {
        var calls: [String] = []
        let controller = ViewController()
        var second: (any TraitChangeRegistration)?
        controller.registerForTraitChanges([ThemeTrait.self]) { (controller: ViewController, _) in
            calls.append("first")
            if let ended = second { controller.unregisterForTraitChanges(ended) }
            second = nil
            if calls.count > 1 { return }
            controller.registerForTraitChanges([ThemeTrait.self]) { (_: ViewController, _) in
                calls.append("third")
            }
        }
        second = controller.registerForTraitChanges([ThemeTrait.self]) { (_: ViewController, _) in
            calls.append("second")
        }
        controller.traitOverrides[ThemeTrait.self] = 1
        #expect(calls == ["first"])
        controller.traitOverrides[ThemeTrait.self] = 2
        #expect(calls == ["first", "first", "third"])
    }

    @Test(
        "a size class that a write changes begins a transition, and a layout that read it runs again"
    )
    func transition() {
        final class Sized: ViewController {
            var log: [String] = []

            override func willTransition(
                to newCollection: TraitCollection,
                with coordinator: any ViewControllerTransitionCoordinator
            ) {
                log.append("\(traitCollection.horizontalSizeClass) will")
                coordinator.animate(
                    alongsideTransition: { _ in
                        self.log.append("along \(TraitCollection.current.horizontalSizeClass)")
                    }, completion: { _ in self.log.append("done") })
            }

            override func viewWillLayoutSubviews() {
                log.append("layout \(traitCollection.horizontalSizeClass)")
            }
        }
        let controller = Sized()
        window.rootViewController = controller
        window.layoutIfNeeded()
        controller.log = []
        controller.registerForTraitChanges([TraitHorizontalSizeClass.self]) { (self: Sized, _) in
            self.log.append("handler")
        }
        controller.traitOverrides.horizontalSizeClass = .compact
        let events = ["unspecified will", "along compact", "handler", "done"]
        #expect(controller.log == events)
        window.layoutIfNeeded()
        #expect(controller.log == events + ["layout compact"])
    }
}
