// Transitions to another size class, updates of properties, and configuration handlers.

import Foundation
import KitTestSupport
import Testing
import TraitKit

@MainActor
private final class Log {
    var lines: [String] = []

    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

@MainActor
private final class AdaptingController: ViewController {
    let log: Log

    init(_ log: Log) {
        self.log = log
        super.init(nibName: nil, bundle: nil)
        registerForTraitChanges([TraitHorizontalSizeClass.self]) { (self: Self, _) in
            self.note("handler")
        }
    }

    required init?(coder: NSCoder) { nil }

    private func note(_ what: String) {
        log.lines.append("\(what) \(traitCollection.horizontalSizeClass)")
    }

    override func willTransition(
        to newCollection: TraitCollection, with coordinator: any ViewControllerTransitionCoordinator
    ) {
        super.willTransition(to: newCollection, with: coordinator)
        note("will, to \(newCollection.horizontalSizeClass), from")
        let current = TraitCollection.current.horizontalSizeClass
        log.lines.append("current \(current)")
        let runs = coordinator.animate { coordinator in
            self.note("alongside")
            #expect(!coordinator.animate(alongsideTransition: nil, completion: nil))
        } completion: { _ in
            self.note("completed")
        }
        #expect(runs)
    }

    override func traitCollectionDidChange(_ previousTraitCollection: TraitCollection?) {
        note("did")
    }

    override func viewDidLayoutSubviews() { note("laid out") }
}

@MainActor
@Suite("Transitions and properties", .ownHierarchy)
struct TransitionTests {
    private let scene = WindowScene()
    private let window: Window
    private let log = Log()

    init() {
        scene.suppliedTraits.horizontalSizeClass = .regular
        window = Window(windowScene: scene)
    }

    @Test("willTransition runs with the old traits, then the animation, handlers and layout")
    func order() {
        let controller = AdaptingController(log)
        window.rootViewController = controller
        scene.layoutIfNeeded()
        _ = log.take()
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(
            log.take() == [
                "will, to compact, from regular", "current regular", "alongside compact",
                "handler compact", "did compact", "laid out compact", "completed compact",
            ])
    }

    @Test("the completions of every transition run when a size class changes twice in one update")
    func twice() {
        let controller = AdaptingController(log)
        let scene = scene
        controller.registerForTraitChanges([TraitHorizontalSizeClass.self]) {
            (_: AdaptingController, _) in
            scene.traitOverrides.horizontalSizeClass = .regular
        }
        window.rootViewController = controller
        scene.layoutIfNeeded()
        scene.traitOverrides.remove(TraitHorizontalSizeClass.self)
        scene.layoutIfNeeded()
        _ = log.take()
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        let lines = log.take()
        #expect(
            lines.filter { $0.hasPrefix("will") } == [
                "will, to compact, from regular", "will, to regular, from compact",
            ])
        #expect(
            lines.filter { $0.hasPrefix("completed") } == [
                "completed regular", "completed regular",
            ])
    }

    @Test("a change of another trait is no transition")
    func otherTraits() {
        let controller = AdaptingController(log)
        window.rootViewController = controller
        scene.layoutIfNeeded()
        _ = log.take()
        scene.traitOverrides.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(log.take() == ["did regular"])
    }

    @Test("properties are updated at once, with current traits, and nothing is laid out")
    func properties() {
        final class Field: View {
            var log: Log?

            override func updateProperties() {
                super.updateProperties()
                log?.lines.append("\(traitCollection.userInterfaceStyle)")
            }

            override func layoutSubviews() {
                super.layoutSubviews()
                log?.lines.append("layout")
            }
        }
        let controller = ViewController()
        let field = Field()
        field.log = log
        controller.view.addSubview(field)
        window.rootViewController = controller
        scene.layoutIfNeeded()
        #expect(log.take() == ["unspecified", "layout"])

        scene.traitOverrides.userInterfaceStyle = .dark
        field.updatePropertiesIfNeeded()
        #expect(log.take() == ["dark"])
        field.updatePropertiesIfNeeded()
        #expect(log.take() == [])
        field.setNeedsUpdateProperties()
        field.setNeedsLayout()
        controller.updatePropertiesIfNeeded()
        #expect(log.take() == ["dark"])
        scene.layoutIfNeeded()
        #expect(log.take() == ["layout"])
    }

    @Test("cells, headers and buttons have handlers of their own type")
    func handlers() {
        let (cell, row, header, button) = (
            CollectionViewCell(), TableViewCell(), TableViewHeaderFooterView(), Button()
        )
        for view in [cell, row, header, button] { window.addSubview(view) }
        let log = log
        cell.configurationUpdateHandler = { (cell: CollectionViewCell, state) in
            log.lines.append("cell \(state.isSelected)")
        }
        row.configurationUpdateHandler = { (row: TableViewCell, state) in
            log.lines.append("row \(state.traitCollection.userInterfaceStyle)")
        }
        header.configurationUpdateHandler = { (view: TableViewHeaderFooterView, state) in
            log.lines.append("header \(state.isHighlighted)")
        }
        button.configurationUpdateHandler = { (button: Button) in log.lines.append("button") }
        scene.layoutIfNeeded()
        #expect(log.take() == ["cell false", "row unspecified", "header false", "button"])
        cell.isSelected = true
        scene.traitOverrides.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(log.take() == ["cell true", "row dark"])
    }
}
