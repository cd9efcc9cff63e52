// Updates: the order in which things run, and what happens when they do not come to rest.

import Foundation
import KitTestSupport
import Testing
import TraitKit

@MainActor
private final class ScriptedView: View {
    var onLayout: @MainActor (ScriptedView) -> Void = { _ in }

    override func layoutSubviews() { onLayout(self) }
}

@MainActor
@Suite(.ownHierarchy) struct UpdateTests {
    private let scene = WindowScene()
    private let window: Window
    private let outer = ScriptedView()
    private let inner = ScriptedView()

    init() {
        window = Window(windowScene: scene)
        window.addSubview(outer)
        outer.addSubview(inner)
        scene.layoutIfNeeded()
    }

    @Test(
        "a view takes its traits just before it lays out: its superview's layout sees the old ones")
    func interleaving() {
        var log: [String] = []
        inner.registerForTraitChanges([ThemeTrait.self]) { (_: View, _) in log.append("handler") }
        outer.onLayout = { [inner] view in
            let (own, below) = (
                view.traitCollection[ThemeTrait.self], inner.traitCollection[ThemeTrait.self]
            )
            log.append("outer \(own) inner \(below)")
        }
        inner.onLayout = { log.append("inner \($0.traitCollection[ThemeTrait.self])") }
        outer.setNeedsLayout()
        inner.setNeedsLayout()
        scene.traitOverrides[ThemeTrait.self] = 1
        scene.layoutIfNeeded()
        #expect(log == ["outer 1 inner 0", "handler", "inner 1"])
    }

    @Test("objects lay out in the order in which they began to wait, whatever came and went")
    func orderOfWaiting() {
        let views = (0..<4).map { _ in ScriptedView() }
        for view in views { window.addSubview(view) }
        scene.layoutIfNeeded()
        var log: [Int] = []
        for (number, view) in views.enumerated() { view.onLayout = { _ in log.append(number) } }
        views[2].setNeedsLayout()
        views[0].setNeedsLayout()
        for _ in 0..<200 {
            views[1].setNeedsLayout()
            views[1].layoutIfNeeded()
        }
        #expect(log == Array(repeating: 1, count: 200))
        log = []
        views[3].setNeedsLayout()
        // An object that leaves the scene while it waits is passed over.
        for _ in 0..<100 {
            let view = View()
            window.addSubview(view)
            view.removeFromSuperview()
        }
        scene.layoutIfNeeded()
        #expect(log == [2, 0, 3])
    }

    @Test("a layout may lay another view out as often as it likes, in updates inside its own")
    func innerUpdates() {
        var layouts = 0
        inner.onLayout = { _ in layouts += 1 }
        outer.onLayout = { [inner] _ in
            for _ in 0..<40 {
                inner.setNeedsLayout()
                inner.layoutIfNeeded()
            }
        }
        outer.setNeedsLayout()
        #expect(throws: Never.self) { try scene.updateLayout() }
        #expect(layouts == 40)
    }

    @Test("a layout that asks for itself again ends, though updates inside it lay other views out")
    func innerUpdatesInLoop() {
        var layouts = 0
        outer.onLayout = { [inner] view in
            layouts += 1
            view.setNeedsLayout()
            inner.setNeedsLayout()
            inner.layoutIfNeeded()
        }
        outer.setNeedsLayout()
        #expect(throws: UpdateLoop.self) { try scene.updateLayout() }
        #expect(layouts == 16)
        outer.onLayout = { _ in }
        scene.layoutIfNeeded()
    }

    @Test("an override that a layout sets below is shown in the same update, with one layout")
    func overrideInLayout() {
        var layouts = 0
        outer.onLayout = { [inner] _ in inner.traitOverrides[ThemeTrait.self] = 3 }
        inner.onLayout = { view in
            layouts += 1
            #expect(view.traitCollection[ThemeTrait.self] == 3)
        }
        outer.setNeedsLayout()
        inner.setNeedsLayout()
        scene.layoutIfNeeded()
        #expect(layouts == 1)
    }

    @Test("an override that a layout sets above is shown in the same update, after another pass")
    func overrideAbove() {
        inner.onLayout = { [outer] _ in outer.traitOverrides[ThemeTrait.self] = 3 }
        inner.setNeedsLayout()
        scene.layoutIfNeeded()
        #expect(inner.traitCollection[ThemeTrait.self] == 3)
    }

    @Test("a registration that a handler makes waits for the next update, also after a layout")
    func registeringHandler() {
        var calls: [String] = []
        outer.registerForTraitChanges([ThemeTrait.self]) { [unowned outer] (_: View, _) in
            calls.append("first \(outer.traitCollection[ThemeTrait.self])")
            if calls.count > 1 { return }
            outer.registerForTraitChanges([ThemeTrait.self]) { (_: View, _) in
                calls.append("second \(outer.traitCollection[ThemeTrait.self])")
            }
            outer.traitOverrides[ThemeTrait.self] = 2
        }
        // Deeper than all that takes new traits, so that the update of traits is over.
        let deepest = ScriptedView()
        let chain = [View(), View(), View(), deepest]
        for (above, below) in zip([window] + chain, chain) { above.addSubview(below) }
        scene.layoutIfNeeded()
        deepest.onLayout = { [outer] _ in outer.traitOverrides[ThemeTrait.self] = 3 }
        outer.traitOverrides[ThemeTrait.self] = 1
        deepest.setNeedsLayout()
        scene.layoutIfNeeded()
        #expect(calls == ["first 1", "first 2", "first 3"])
        deepest.onLayout = { _ in }
        calls = [""]
        outer.traitOverrides[ThemeTrait.self] = 4
        scene.layoutIfNeeded()
        #expect(calls == ["", "first 4", "second 4"])
    }

    @Test("a handler that always changes what it reacts to is a loop, told with who and what")
    func traitLoop() throws {
        inner.registerForTraitChanges([ThemeTrait.self]) { (view: View, _) in
            view.traitOverrides[ThemeTrait.self] = view.traitCollection[ThemeTrait.self] + 1
        }
        inner.traitOverrides[ThemeTrait.self] = 1
        let loop = try #require(throws: UpdateLoop.self) { try scene.updateLayout() }
        #expect(loop.passes == 16)
        #expect(loop.culprits == ["ScriptedView (theme)"])
        #expect("\(loop)".hasPrefix("trait-update-loop: after 16 passes"))
        // It goes on from where it was, and can come to rest.
        #expect(throws: UpdateLoop.self) { try scene.updateLayout() }
    }

    @Test("a layout that always asks for another is a loop, reported to the handler")
    func layoutLoop() {
        var runs = 0
        inner.onLayout = { view in
            runs += 1
            view.setNeedsLayout()
        }
        inner.setNeedsLayout()
        let handler = UpdateLoop.handler
        defer { UpdateLoop.handler = handler }
        var reported: [UpdateLoop] = []
        UpdateLoop.handler = { reported.append($0) }
        scene.layoutIfNeeded()
        #expect(reported.map(\.culprits) == [["ScriptedView (layout)"]])
        #expect(runs == 16)
        inner.onLayout = { _ in }
        scene.layoutIfNeeded()
        #expect(reported.count == 1)
        #expect(!inner.needsLayout)
    }

    @Test("a layout of one view updates what it inherits from, and leaves others alone")
    func partialLayout() {
        let sibling = View()
        window.addSubview(sibling)
        scene.layoutIfNeeded()
        scene.traitOverrides[ThemeTrait.self] = 1
        inner.layoutIfNeeded()
        #expect(inner.traitCollection[ThemeTrait.self] == 1)
        #expect(outer.traitCollection[ThemeTrait.self] == 1)
        #expect(sibling.traitCollection[ThemeTrait.self] == 0)
    }

    @Test("a layout inside of a layout lays out what is below, once")
    func nestedLayout() {
        var log: [String] = []
        outer.onLayout = { [inner] _ in
            inner.layoutIfNeeded()
            log.append("outer")
        }
        inner.onLayout = { _ in log.append("inner") }
        outer.setNeedsLayout()
        inner.setNeedsLayout()
        scene.layoutIfNeeded()
        #expect(log == ["inner", "outer"])
    }

    @Test("outside of a scene views lay out but keep their traits, unless asked for")
    func detached() {
        let (top, below) = (ScriptedView(), ScriptedView())
        top.addSubview(below)
        var layouts = 0
        below.onLayout = { _ in layouts += 1 }
        top.traitOverrides[ThemeTrait.self] = 1
        top.layoutIfNeeded()
        #expect(layouts == 1)
        #expect(below.traitCollection[ThemeTrait.self] == 0)
        top.updateTraitsIfNeeded()
        #expect(below.traitCollection[ThemeTrait.self] == 1)
    }

    @Test("an update of nothing runs nothing")
    func idle() {
        var layouts = 0
        inner.onLayout = { _ in layouts += 1 }
        scene.layoutIfNeeded()
        scene.layoutIfNeeded()
        #expect(layouts == 0)
    }

    @Test("a view that goes away during its update does no harm")
    func removal() {
        let short = View()
        inner.addSubview(short)
        scene.layoutIfNeeded()
        outer.onLayout = { _ in short.removeFromSuperview() }
        short.registerForTraitChanges([ThemeTrait.self]) { (_: View, _) in
            Issue.record("called out of the hierarchy")
        }
        outer.setNeedsLayout()
        scene.traitOverrides[ThemeTrait.self] = 1
        scene.layoutIfNeeded()
        #expect(short.traitCollection[ThemeTrait.self] == 0)
    }

    @Test("constraints are updated from the bottom up before anything lays out")
    func constraints() {
        final class Box: View {
            let name: String
            let log: Log

            init(_ name: String, _ log: Log) {
                (self.name, self.log) = (name, log)
                super.init(frame: .zero)
            }

            required init?(coder: NSCoder) { nil }

            override func updateProperties() { log.events.append("\(name) properties") }
            override func updateConstraints() { log.events.append("\(name) constraints") }
            override func layoutSubviews() { log.events.append("\(name) layout") }
        }
        final class Log { var events: [String] = [] }
        let log = Log()
        let (parent, child, leaf) = (Box("parent", log), Box("child", log), Box("leaf", log))
        parent.addSubview(child)
        child.addSubview(leaf)
        inner.addSubview(parent)
        scene.layoutIfNeeded()
        let constraints = log.events.filter { $0.hasSuffix("constraints") }
        #expect(constraints == ["leaf constraints", "child constraints", "parent constraints"])
        let layouts = log.events.filter { $0.hasSuffix("layout") }
        #expect(layouts == ["parent layout", "child layout", "leaf layout"])
        #expect(Array(log.events.prefix(3)) == constraints)
        log.events = []
        leaf.setNeedsUpdateConstraints()
        parent.setNeedsLayout()
        scene.layoutIfNeeded()
        #expect(log.events == ["leaf constraints", "parent layout"])
    }

    @Test("a controller appears before its view's constraints are updated, and all in the view")
    func constraintsAfterAppearing() {
        final class Logging: ViewController {
            var log: [String] = []
            override func loadView() {
                view = View()
                view.addSubview(Inside(self))
            }
            override func viewIsAppearing(_ animated: Bool) { log.append("appearing") }
            override func updateViewConstraints() { log.append("constraints") }
            override func viewWillLayoutSubviews() { log.append("layout") }

            final class Inside: View {
                weak var owner: Logging?

                init(_ owner: Logging) {
                    self.owner = owner
                    super.init(frame: .zero)
                }

                required init?(coder: NSCoder) { nil }

                override func updateConstraints() { owner?.log.append("inside") }
            }
        }
        let controller = Logging()
        window.rootViewController = controller
        scene.layoutIfNeeded()
        #expect(controller.log == ["appearing", "inside", "constraints", "layout"])
    }
}
