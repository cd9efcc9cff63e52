// What happens between two depths of an update: everything of one depth has its new traits and its
// handlers behind it, lays out, and only then comes what is deeper.

import KitTestSupport
import Testing
import TraitKit

@MainActor
private final class LoggingView: View {
    var log: @MainActor (String) -> Void = { _ in }
    var name = ""
    /// Runs within the layout.
    var onLayout: @MainActor (LoggingView) -> Void = { _ in }

    override func layoutSubviews() {
        log("\(name) lays out with \(traitCollection[ThemeTrait.self])")
        onLayout(self)
    }
}

@MainActor
@Suite(.ownHierarchy) struct LevelTests {
    private let scene = WindowScene()
    private let window: Window
    private let views: [String: LoggingView]
    private let events: Events

    @MainActor
    private final class Events {
        var all: [String] = []
    }

    /// Two branches of two views each.
    init() {
        let events = Events()
        let window = Window(windowScene: scene)
        var views: [String: LoggingView] = [:]
        for branch in ["left", "right"] {
            let (outer, inner) = (LoggingView(), LoggingView())
            window.addSubview(outer)
            outer.addSubview(inner)
            views[branch] = outer
            views["\(branch) inner"] = inner
        }
        scene.layoutIfNeeded()
        for name in ["left", "right", "left inner", "right inner"] {
            guard let view = views[name] else { continue }
            view.name = name
            view.log = { events.all.append($0) }
            view.registerForTraitChanges([ThemeTrait.self]) { (view: View, _) in
                events.all.append("\(name) hears \(view.traitCollection[ThemeTrait.self])")
            }
        }
        self.window = window
        self.views = views
        self.events = events
    }

    private func view(_ name: String) throws -> LoggingView { try #require(views[name]) }

    @Test("both branches hear, then both lay out, and then comes what is in them")
    func order() throws {
        for view in views.values { view.setNeedsLayout() }
        scene.traitOverrides[ThemeTrait.self] = 1
        try view("left").onLayout = { [events, views] _ in
            let shown = views["right inner"]?.traitCollection[ThemeTrait.self]
            events.all.append("below it is \(shown ?? -1)")
        }
        scene.layoutIfNeeded()
        let outer = ["left hears 1", "right hears 1"]
        let inner = ["left inner hears 1", "right inner hears 1"]
        #expect(Array(events.all.prefix(2)) == outer)
        #expect(
            Set(events.all[2..<5]) == [
                "left lays out with 1", "right lays out with 1", "below it is 0",
            ])
        #expect(Array(events.all[5..<7]) == inner)
        #expect(
            Set(events.all[7...]) == [
                "left inner lays out with 1", "right inner lays out with 1",
            ])
    }

    @Test("what a layout writes in the other branch, deeper down, is heard once in the same pass")
    func writing() throws {
        let inner = try view("right inner")
        try view("left").setNeedsLayout()
        try view("left").onLayout = { _ in inner.traitOverrides[ThemeTrait.self] = 5 }
        scene.traitOverrides[ThemeTrait.self] = 1
        scene.layoutIfNeeded()
        // It lays out again, as an earlier layout read the theme.
        #expect(
            events.all.filter { $0.hasPrefix("right inner") } == [
                "right inner hears 5", "right inner lays out with 5",
            ])
    }

    @Test("a layout without end ends the update: what is deeper keeps its traits until the next")
    func loop() throws {
        let (left, inner) = (try view("left"), try view("right inner"))
        left.onLayout = { $0.setNeedsLayout() }
        left.setNeedsLayout()
        scene.traitOverrides[ThemeTrait.self] = 1
        let loop = try #require(throws: UpdateLoop.self) { try scene.updateLayout() }
        #expect(loop.culprits == ["LoggingView (layout)"])
        #expect(left.traitCollection[ThemeTrait.self] == 1)
        #expect(inner.traitCollection[ThemeTrait.self] == 0)
        left.onLayout = { _ in }
        events.all = []
        try scene.updateLayout()
        #expect(inner.traitCollection[ThemeTrait.self] == 1)
        #expect(events.all.contains("right inner hears 1"))
        #expect(!events.all.contains("left hears 1"))
    }

    @Test("an update of traits alone lays out nothing, at whatever depth")
    func traitsOnly() throws {
        for view in views.values { view.setNeedsLayout() }
        scene.traitOverrides[ThemeTrait.self] = 1
        try scene.updateTraits()
        #expect(
            events.all == [
                "left hears 1", "right hears 1", "left inner hears 1", "right inner hears 1",
            ])
    }
}
