// Random programs over views, controllers and overrides, compared with a model that computes each
// value from scratch.

import KitTestSupport
import SeededRandom
import Testing
import TraitEngine
import TraitKit

private struct Depth: TraitKit.TraitDefinition {
    static let defaultValue = 0
}

@MainActor
private final class Program {
    /// A view that notes its layouts, and reads the trait in them.
    final class Leaf: View {
        var laidOut: Int?

        override func layoutSubviews() { laidOut = traitCollection[Depth.self] }
    }

    let scene = WindowScene()
    let window: Window
    let views = (0..<8).map { _ in Leaf() }
    let controllers = (0..<3).map { _ in ViewController() }
    /// The values that handlers heard of, by the position of the view.
    var heard: [Int: [Int]] = [:]
    /// The values that handlers of the scene, the window and of controllers heard of.
    var heardAtOnce: [Int] = []
    /// What the model expects each view to show.
    var shown: [Int: Int] = [:]
    var generator: SeededRandom

    init(seed: UInt64) {
        generator = SeededRandom(seed: seed)
        window = Window(windowScene: scene)
        for (position, view) in views.enumerated() {
            view.registerForTraitChanges([Depth.self]) { [weak self] (view: Leaf, _) in
                self?.heard[position, default: []].append(view.traitCollection[Depth.self])
            }
            shown[position] = 0
        }
        for environment in [scene, window] as [Responder] {
            environment.registerForTraitChanges([Depth.self]) {
                [weak self] (environment: Responder, _) in
                self?.heardAtOnce.append(environment.traitCollection[Depth.self])
            }
        }
        for (controller, view) in zip(controllers, views) {
            controller.view = view
            controller.registerForTraitChanges([Depth.self]) {
                [weak self] (controller: ViewController, _) in
                self?.heardAtOnce.append(controller.traitCollection[Depth.self])
            }
        }
    }

    /// The environments that may have overrides.
    private var environments: [Responder] { [scene, window] + views + controllers }

    func step(_ context: String) {
        switch generator.below(6) {
        case 0, 1:
            write(generator.below(4), environments[generator.below(environments.count)], context)
        case 2: write(nil, environments[generator.below(environments.count)], context)
        case 3, 4:
            let view = views[generator.below(views.count)]
            let targets = [window as View] + views.filter { !$0.isDescendant(of: view) }
            let target = targets[generator.below(targets.count)]
            target.insertSubview(view, at: generator.below(3))
        default:
            views[generator.below(views.count)].removeFromSuperview()
        }
    }

    /// Sets or removes an override. The scene, the window and controllers show that at once, computed
    /// from what is above them, and their handlers run; a controller without anything above keeps the
    /// value of a removed override. Nothing else changes.
    private func write(_ value: Int?, _ environment: Responder, _ context: String) {
        let before = environment.traitCollection[Depth.self]
        let isOverridden = environment.traitOverrides.contains(Depth.self)
        let others = environments.filter { $0 !== environment }
        let shownBefore = others.map { $0.traitCollection[Depth.self] }
        (heard, heardAtOnce) = ([:], [])
        if let value {
            environment.traitOverrides[Depth.self] = value
        } else {
            environment.traitOverrides.remove(Depth.self)
        }
        var after = before
        if environment === scene {
            after = value ?? Depth.defaultValue
        } else if environment === window || environment is ViewController {
            let above = (environment as? ViewController)?.view.superview
            let inherited: Responder? = environment === window ? scene : above
            let kept = isOverridden ? inherited?.traitCollection[Depth.self] : nil
            after = value ?? kept ?? before
        }
        #expect(environment.traitCollection[Depth.self] == after, "\(context), a write")
        #expect(heardAtOnce == (after == before ? [] : [after]), "\(context), handlers of a write")
        #expect(others.map { $0.traitCollection[Depth.self] } == shownBefore, "\(context), others")
        #expect(heard.isEmpty, "\(context), a view hears of a write")
    }

    /// The nearest override, from the view up: the view's, its controller's, then those of its
    /// superview; nil outside of the window.
    private func expected(_ view: View) -> Int? {
        var current: View? = view
        var value: Int?
        while let here = current {
            value = value ?? here.traitOverrides.value(of: Depth.self)
            if let position = views.firstIndex(where: { $0 === here }),
                controllers.indices.contains(position)
            {
                value = value ?? controllers[position].traitOverrides.value(of: Depth.self)
            }
            if here === window {
                return value ?? scene.traitOverrides.value(of: Depth.self) ?? Depth.defaultValue
            }
            current = here.superview
        }
        return nil
    }

    /// Updates the scene, and compares what views show, have laid out with and have heard of.
    func update(_ context: String) {
        heard = [:]
        scene.layoutIfNeeded()
        for (position, view) in views.enumerated() {
            guard let value = expected(view) else {
                // A detached view keeps what it inherited last.
                #expect(heard[position] == nil, "\(context), view \(position) hears outside")
                continue
            }
            let changed = value != shown[position]
            #expect(view.traitCollection[Depth.self] == value, "\(context), view \(position)")
            #expect(view.laidOut == value, "\(context), layout of view \(position)")
            #expect(
                heard[position] == (changed ? [value] : nil), "\(context), handler of \(position)")
            shown[position] = value
        }
    }
}

@MainActor
@Suite("Random programs over views", .ownHierarchy) struct RandomViewTests {
    @Test("views show, lay out with and hear of what a model computes from scratch")
    func programs() {
        for seed in 1...150 as ClosedRange<UInt64> {
            let program = Program(seed: seed)
            for round in 0..<12 {
                let context = "seed \(seed), round \(round)"
                for _ in 0...program.generator.below(5) { program.step(context) }
                program.update(context)
            }
        }
    }
}
