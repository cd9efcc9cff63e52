// Random programs that make windows, controllers and views before, between and after updates, compared
// with a model of what each shows from the start.

import KitTestSupport
import SeededRandom
import Testing
import TraitKit

@MainActor
private final class Program {
    /// What the model knows of a view: where it stands, its own style, and what it shows.
    private final class Model {
        weak var parent: Model?
        var own: UserInterfaceStyle?
        var shown: UserInterfaceStyle
        var expectedCalls: [UserInterfaceStyle] = []

        init(_ shown: UserInterfaceStyle) { self.shown = shown }
    }

    private var views: [View] = []
    private var models: [ObjectIdentifier: Model] = [:]
    private var calls: [ObjectIdentifier: [UserInterfaceStyle]] = [:]
    private var screen = UserInterfaceStyle.light
    private var generator: SeededRandom
    private let context: String

    init(seed: UInt64) {
        generator = SeededRandom(seed: seed)
        context = "seed \(seed)"
    }

    private func model(_ view: View) -> Model? { models[ObjectIdentifier(view)] }

    private func pick(where isWanted: (View) -> Bool = { _ in true }) -> View? {
        let wanted = views.filter(isWanted)
        return wanted.isEmpty ? nil : wanted[generator.below(wanted.count)]
    }

    func step() {
        switch generator.below(8) {
        case 0: make(Window())
        case 1, 2: make(View())
        case 3:
            screen = generator.below(2) == 0 ? .light : .dark
            Screen.main.suppliedTraits.userInterfaceStyle = screen
            #expect(TraitCollection.current.userInterfaceStyle == screen, "\(context)")
        case 4, 5: add()
        case 6: override()
        default: update()
        }
        for view in views {
            let model = model(view)
            #expect(view.traitCollection.userInterfaceStyle == model?.shown, "\(context)")
            #expect(calls[ObjectIdentifier(view)] == model?.expectedCalls, "\(context), calls")
        }
    }

    /// Whatever is made shows the main screen's style at once.
    private func make(_ view: View) {
        let key = ObjectIdentifier(view)
        calls[key] = []
        view.registerForTraitChanges([TraitUserInterfaceStyle.self]) {
            [weak self] (view: View, _) in
            self?.calls[key]?.append(view.traitCollection.userInterfaceStyle)
        }
        views.append(view)
        models[key] = Model(screen)
        #expect(ViewController().traitCollection.userInterfaceStyle == screen, "\(context)")
    }

    private func add() {
        guard let target = pick(),
            let view = pick(where: { !($0 is Window) && !target.isDescendant(of: $0) })
        else { return }
        target.addSubview(view)
        model(view)?.parent = model(target)
    }

    /// A window shows another override at once, and its handler runs; a view waits. What is set again,
    /// or removed without being there, is no write.
    private func override() {
        guard let view = pick(), let model = model(view) else { return }
        let style = [nil, .light, .dark][generator.below(3)] as UserInterfaceStyle?
        if view is Window, model.own != style { show(model, style ?? screen) }
        model.own = style
        if let style {
            view.traitOverrides.userInterfaceStyle = style
        } else {
            view.traitOverrides.remove(TraitUserInterfaceStyle.self)
        }
    }

    private func show(_ model: Model, _ style: UserInterfaceStyle) {
        if model.shown != style { model.expectedCalls.append(style) }
        model.shown = style
    }

    /// Updates a window with everything in it.
    private func update() {
        guard let window = pick(where: { $0 is Window }) else { return }
        var level = [window]
        while !level.isEmpty {
            for view in level {
                guard let model = model(view) else { continue }
                show(model, model.own ?? model.parent?.shown ?? screen)
            }
            level = level.flatMap(\.subviews)
        }
        window.layoutIfNeeded()
    }
}

@MainActor
@Suite("Random programs before the first update", .ownHierarchy)
struct RandomFirstStyleTests {
    @Test("all that is made shows the screen's style at once, and calls are made for changes alone")
    func programs() {
        for seed in 1...200 as ClosedRange<UInt64> {
            TraitHierarchy().perform {
                let program = Program(seed: seed)
                for _ in 0..<40 { program.step() }
            }
        }
    }
}
