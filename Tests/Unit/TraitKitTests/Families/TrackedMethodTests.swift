// The table of tracked methods, row by row: each runs again when what it read has changed.

import KitTestSupport
import Testing
import TraitKit

/// Counts runs of tracked methods, all of which read the same trait.
@MainActor
private final class Runs {
    var counts: [String: Int] = [:]

    func note(_ method: String, _ traits: TraitCollection) {
        counts[method, default: 0] += 1
        _ = traits.horizontalSizeClass
    }
}

@MainActor
private final class AllView: View {
    let runs = Runs()

    override func layoutSubviews() { runs.note("layoutSubviews", traitCollection) }
    override func updateConstraints() { runs.note("updateConstraints", traitCollection) }
    override func updateProperties() { runs.note("updateProperties", traitCollection) }
    override func draw(_ rect: Rect) { runs.note("draw", traitCollection) }
}

@MainActor
private final class AllController: ViewController {
    let runs = Runs()

    override func viewWillLayoutSubviews() { runs.note("viewWillLayout", traitCollection) }
    override func viewDidLayoutSubviews() { runs.note("viewDidLayout", view.traitCollection) }
    override func updateViewConstraints() { runs.note("updateViewConstraints", traitCollection) }
    override func updateProperties() { runs.note("updateProperties", view.traitCollection) }
    override func updateContentUnavailableConfiguration(
        using state: ContentUnavailableConfigurationState
    ) {
        runs.note("updateContentUnavailable", state.traitCollection)
    }
}

@MainActor
private final class AllPresentationController: PresentationController {
    let runs = Runs()

    override func containerViewWillLayoutSubviews() { runs.note("willLayout", traitCollection) }
    override func containerViewDidLayoutSubviews() {
        runs.note("didLayout", containerView?.traitCollection ?? TraitCollection())
    }
}

@MainActor
private final class PresentedController: ViewController {
    override func makePresentationController() -> PresentationController {
        AllPresentationController(presentedViewController: self)
    }
}

@MainActor
private final class AllCell: TableViewCell {
    let runs = Runs()

    override func updateConfiguration(using state: CellConfigurationState) {
        runs.note("updateConfiguration", state.traitCollection)
    }
}

@MainActor
@Suite(.ownHierarchy) struct TrackedMethodTests {
    private let scene = WindowScene()
    private let window: Window

    init() {
        window = Window(windowScene: scene)
    }

    /// Every method ran once, again once when the trait changed, and not when another did.
    private func expectRuns(_ runs: Runs, _ methods: [String]) {
        scene.layoutIfNeeded()
        #expect(runs.counts == Dictionary(uniqueKeysWithValues: methods.map { ($0, 1) }))
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(runs.counts == Dictionary(uniqueKeysWithValues: methods.map { ($0, 2) }))
        scene.suppliedTraits.verticalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(runs.counts == Dictionary(uniqueKeysWithValues: methods.map { ($0, 2) }))
    }

    @Test("a view's layout, constraints, properties and drawing")
    func view() {
        let view = AllView()
        window.addSubview(view)
        expectRuns(
            view.runs, ["layoutSubviews", "updateConstraints", "updateProperties", "draw"])
    }

    @Test("a controller's layout methods, constraints, properties and content")
    func controller() {
        let controller = AllController()
        window.rootViewController = controller
        expectRuns(
            controller.runs,
            [
                "viewWillLayout", "viewDidLayout", "updateViewConstraints", "updateProperties",
                "updateContentUnavailable",
            ])
    }

    @Test("a presentation controller's layout methods")
    func presentation() throws {
        let (root, presented) = (ViewController(), PresentedController())
        window.rootViewController = root
        root.present(presented, animated: false)
        let controller = try #require(
            presented.presentationController as? AllPresentationController)
        expectRuns(controller.runs, ["willLayout", "didLayout"])
    }

    @Test("a button's update handler")
    func button() {
        let (button, runs) = (Button(), Runs())
        button.configurationUpdateHandler = { runs.note("handler", $0.traitCollection) }
        window.addSubview(button)
        expectRuns(runs, ["handler"])
    }

    @Test("a cell's configuration, and a header's update handler")
    func cells() {
        let (cell, header, runs) = (AllCell(), TableViewHeaderFooterView(), Runs())
        header.configurationUpdateHandler = { runs.note("handler", $1.traitCollection) }
        window.addSubview(cell)
        cell.addSubview(header)
        expectRuns(cell.runs, ["updateConfiguration"])
        #expect(runs.counts == ["handler": 2])
    }

    @Test("a compositional layout's section provider")
    func sections() {
        let runs = Runs()
        let layout = CollectionViewCompositionalLayout { _, environment in
            runs.note("section", environment.traitCollection)
            let isCompact = environment.traitCollection.horizontalSizeClass == .compact
            return CollectionLayoutSection(columnCount: isCompact ? 1 : 3)
        }
        let collection = CollectionView(frame: .zero, collectionViewLayout: layout)
        collection.numberOfSections = 1
        window.addSubview(collection)
        expectRuns(runs, ["section"])
        #expect(collection.sections == [CollectionLayoutSection(columnCount: 1)])
    }

    @Test("constraints come before all layouts, properties before the object's own")
    func order() {
        final class Ordered: View {
            var note: @MainActor (String) -> Void = { _ in }
            override func updateProperties() { note("properties") }
            override func updateConstraints() { note("constraints") }
            override func layoutSubviews() { note("layout") }
            override func draw(_ rect: Rect) { note("draw") }
        }
        var log: [String] = []
        let (outer, inner) = (Ordered(), Ordered())
        outer.note = { log.append("outer \($0)") }
        inner.note = { log.append("inner \($0)") }
        outer.addSubview(inner)
        window.addSubview(outer)
        scene.layoutIfNeeded()
        #expect(
            log == [
                "inner constraints", "outer constraints", "outer properties", "outer layout",
                "inner properties", "inner layout", "outer draw", "inner draw",
            ])
    }

    @Test("a view released in the update that tracked it is forgotten; others are still tracked")
    func gone() {
        final class Reader: View {
            var layouts = 0
            var onLayout: (() -> Void)?

            override func layoutSubviews() {
                super.layoutSubviews()
                _ = traitCollection[ThemeTrait.self]
                layouts += 1
                onLayout?()
            }
        }
        let hierarchy = TraitHierarchy()
        hierarchy.perform {
            let scene = WindowScene()
            let window = Window(windowScene: scene)
            let stays = Reader()
            var goes: Reader? = Reader()
            weak let seen = goes
            if let goes { window.addSubview(goes) }
            window.addSubview(stays)
            stays.onLayout = {
                goes?.removeFromSuperview()
                goes = nil
            }
            scene.layoutIfNeeded()
            #expect(seen == nil)
            #expect(stays.layouts == 1)
            #expect(hierarchy.environmentCount == 3)
            scene.traitOverrides[ThemeTrait.self] = 1
            scene.layoutIfNeeded()
            #expect(stays.layouts == 2)
        }
    }
}
