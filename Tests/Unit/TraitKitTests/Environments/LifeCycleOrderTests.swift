// The life of view controllers: in windows, in each other, presented.

import Foundation
import KitTestSupport
import Testing
import TraitKit

@MainActor
private final class LoggingController: ViewController {
    let name: String
    let log: Log

    init(_ name: String, _ log: Log) {
        self.name = name
        self.log = log
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    private func note(_ event: String) { log.events.append("\(name) \(event)") }

    override func viewDidLoad() { note("didLoad") }
    override func viewWillAppear(_ animated: Bool) { note("willAppear") }
    override func viewIsAppearing(_ animated: Bool) {
        note("isAppearing \(view.traitCollection[ThemeTrait.self])")
    }
    override func updateProperties() { note("properties") }
    override func viewWillLayoutSubviews() { note("willLayout") }
    override func viewDidLayoutSubviews() { note("didLayout") }
    override func viewDidAppear(_ animated: Bool) { note("didAppear") }
    override func viewWillDisappear(_ animated: Bool) { note("willDisappear") }
    override func viewDidDisappear(_ animated: Bool) { note("didDisappear") }
    override func willMove(toParent parent: ViewController?) { note("willMove") }
    override func didMove(toParent parent: ViewController?) {
        note("didMove \(parent == nil ? "out" : "in")")
    }
}

@MainActor
private final class Log {
    var events: [String] = []

    func take() -> [String] {
        defer { events = [] }
        return events
    }
}

@MainActor
@Suite(.ownHierarchy) struct LifeCycleOrderTests {
    private let scene = WindowScene()
    private let window: Window
    private let log = Log()

    init() {
        window = Window(windowScene: scene)
        scene.traitOverrides[ThemeTrait.self] = 1
    }

    private let appearance = [
        "isAppearing 1", "properties", "willLayout", "didLayout", "didAppear",
    ]

    @Test("a root controller loads, appears with its window, and disappears when it is replaced")
    func root() {
        let controller = LoggingController("A", log)
        window.rootViewController = controller
        #expect(log.take() == ["A didLoad", "A willAppear"])
        scene.layoutIfNeeded()
        #expect(log.take() == appearance.map { "A \($0)" })
        scene.layoutIfNeeded()
        #expect(log.take() == [])
        window.rootViewController = nil
        #expect(log.take() == ["A willDisappear", "A didDisappear"])
        #expect(controller.view.superview == nil)
    }

    @Test("controllers appear with their window, whichever scene that comes into or leaves")
    func lateWindow() {
        let late = Window()
        late.rootViewController = LoggingController("A", log)
        #expect(log.take() == ["A didLoad", "A willAppear"])
        late.windowScene = scene
        #expect(log.take() == [])
        scene.layoutIfNeeded()
        #expect(log.take() == appearance.map { "A \($0)" })
        late.windowScene = nil
        #expect(log.take() == [])
        #expect(scene.windows.count == 1)
        late.rootViewController = nil
        #expect(log.take() == ["A willDisappear", "A didDisappear"])
    }

    @Test("a child appears with its view, wherever that stands")
    func child() {
        let (parent, child) = (LoggingController("A", log), LoggingController("B", log))
        window.rootViewController = parent
        scene.layoutIfNeeded()
        _ = log.take()
        parent.addChild(child)
        parent.view.addSubview(child.view)
        child.didMove(toParent: parent)
        #expect(log.take() == ["B willMove", "B didLoad", "B willAppear", "B didMove in"])
        scene.layoutIfNeeded()
        #expect(
            log.take() == [
                "A willLayout", "A didLayout", "B isAppearing 1", "B properties", "B willLayout",
                "B didLayout", "B didAppear",
            ])
        child.willMove(toParent: nil)
        child.view.removeFromSuperview()
        child.removeFromParent()
        #expect(
            log.take() == ["B willMove", "B willDisappear", "B didDisappear", "B didMove out"])
        #expect(parent.children.isEmpty)
    }

    @Test("a view that comes and goes before an update does not appear")
    func shortVisit() {
        let controller = LoggingController("A", log)
        window.rootViewController = controller
        window.rootViewController = nil
        _ = log.take()
        scene.layoutIfNeeded()
        #expect(log.take() == [])
    }

    @Test("presented content inherits from the window through its presentation, and appears")
    func presentation() throws {
        let (root, presented) = (LoggingController("A", log), LoggingController("C", log))
        window.rootViewController = root
        scene.layoutIfNeeded()
        _ = log.take()
        root.traitOverrides[ThemeTrait.self] = 9
        var completions = 0
        root.present(presented, animated: true) { completions += 1 }
        #expect(root.presentedViewController === presented)
        #expect(presented.presentingViewController === root)
        scene.layoutIfNeeded()
        #expect(
            log.take() == ["C didLoad", "C willAppear"] + appearance.map { "C \($0)" })
        #expect(presented.traitCollection[ThemeTrait.self] == 1)
        let presentation = try #require(presented.presentationController)
        presentation.traitOverrides[ThemeTrait.self] = 5
        scene.layoutIfNeeded()
        #expect(presented.view.traitCollection[ThemeTrait.self] == 5)
        #expect(root.traitCollection[ThemeTrait.self] == 9)
        presented.dismiss(animated: true) { completions += 1 }
        #expect(log.take() == ["C willDisappear", "C didDisappear"])
        #expect(root.presentedViewController == nil)
        #expect(presented.view.window == nil)
        #expect(completions == 2)
    }

    @Test("what is presented over presented content goes with it")
    func nestedPresentation() {
        let (root, first, second) = (ViewController(), ViewController(), ViewController())
        window.rootViewController = root
        root.present(first, animated: false)
        first.present(second, animated: false)
        #expect(second.view.window === window)
        root.dismiss(animated: false)
        #expect(first.presentedViewController == nil)
        #expect(second.view.window == nil)
        root.present(second, animated: false)
        scene.layoutIfNeeded()
        #expect(second.traitCollection[ThemeTrait.self] == 1)
    }

    @Test("a controller whose view is in no window presents nothing")
    func notInWindow() {
        let (outside, presented) = (ViewController(), ViewController())
        outside.present(presented, animated: false) { Issue.record("presented") }
        #expect(outside.presentedViewController == nil)
        #expect(presented.viewIfLoaded == nil)
    }

    @Test("a view can be given to another controller, and a controller another view")
    func ownership() {
        let (first, second, view) = (ViewController(), ViewController(), View())
        first.view = view
        second.view = view
        #expect(!first.isViewLoaded)
        second.view = View()
        window.addSubview(view)
        scene.layoutIfNeeded()
        #expect(view.traitCollection[ThemeTrait.self] == 1)
        #expect(second.traitCollection[ThemeTrait.self] == 0)
    }

    @Test("what a child presents is presented by the controller at the top, for all below it")
    func presentingFromChild() {
        let (root, child, grandchild, modal) = (
            ViewController(), ViewController(), ViewController(), ViewController()
        )
        window.rootViewController = root
        for (parent, child) in [(root, child), (child, grandchild)] {
            parent.addChild(child)
            parent.view.addSubview(child.view)
        }
        let inside = ViewController()
        modal.addChild(inside)
        grandchild.present(modal, animated: false)
        for controller in [root, child, grandchild] {
            #expect(controller.presentedViewController === modal)
            #expect(controller.presentingViewController == nil)
        }
        #expect(modal.presentingViewController === root)
        #expect(inside.presentingViewController === root)
        let second = ViewController()
        root.present(second, animated: false)
        #expect(second.presentingViewController == nil)
        child.dismiss(animated: false)
        #expect(root.presentedViewController == nil && modal.presentingViewController == nil)
        #expect(modal.view.window == nil)
        grandchild.present(modal, animated: false)
        inside.dismiss(animated: false)
        #expect(root.presentedViewController == nil && modal.view.window == nil)
    }

    @Test("a controller that is shown already is not presented, and the reason is named")
    func refusedPresentations() {
        let window = Window()
        let (first, second, other) = (ViewController(), ViewController(), ViewController())
        var reasons: [PresentationRefusal.Reason] = []
        let handler = PresentationRefusal.handler
        PresentationRefusal.handler = { reasons.append($0.reason) }
        defer { PresentationRefusal.handler = handler }
        first.present(second, animated: false)
        window.rootViewController = first
        first.present(first, animated: false)
        first.present(second, animated: false)
        first.present(other, animated: false)
        window.rootViewController = other
        // The first controller presents the second, so the second cannot present the first.
        second.present(first, animated: false)
        second.present(other, animated: false)
        #expect(reasons == [.notInWindow, .itself, .alreadyPresenting, .active, .active])
        #expect(second.presentedViewController == nil)
        first.dismiss(animated: false)
        #expect(first.presentedViewController == nil)
        #expect(second.presentingViewController == nil)
    }
}
