// One update: traits, then properties and layout, from the top down, then drawing. UIKit runs one
// before each frame; here it runs when it is asked for.

internal import TraitEngine

/// An update of an environment and what inherits from it.
///
/// Each object takes its new traits, has its change handlers called, then updates properties and
/// lays out, before what stands deeper takes its own. What handlers and layouts change above them
/// makes another pass, until nothing is left to do.
@MainActor
final class UpdatePass {
    /// An object whose turn comes more often in one update makes it a loop, as do as many passes
    /// over the traits.
    static let turnsMax = TraitUpdate.passesMax

    private let root: Responder
    private let hierarchy: TraitHierarchy
    private let includesLayout: Bool
    /// Objects with work to do, by depth.
    private var levels: [Int: [Responder]] = [:]
    /// Those of them whose constraints may have to be updated.
    private var constrained: [View] = []
    /// The same, for those in something that is about to appear.
    private var delayed: [View] = []
    /// The smallest depth with such objects.
    private var lowest = Int.max
    /// How often each object's turn came.
    private var turns: [ObjectIdentifier: Int] = [:]
    /// The transitions of controllers whose size class has changed.
    private var transitions: [NodeIndex: TransitionCoordinator] = [:]
    /// What ended the update of traits early.
    private var loop: UpdateLoop?

    /// - Parameter includesLayout: whether to run what waits beside the traits.
    init(_ root: Responder, includesLayout: Bool) {
        self.root = root
        hierarchy = root.node.hierarchy
        self.includesLayout = includesLayout
    }

    /// Updates until nothing is left to do.
    ///
    /// - Throws: `UpdateLoop` when that does not come about.
    func run() throws(UpdateLoop) {
        defer { for transition in transitions.values { transition.complete() } }
        guard includesLayout else { return try updateTraits() }
        hierarchy.waiting.begin(self)
        defer { hierarchy.waiting.end(self) }
        for object in objects { enqueue(object) }
        repeat {
            // A view takes its traits only while it is in a hierarchy.
            if root.node.isAttached { try updateTraits() }
            // What the work at one depth changed below is taken up before what is deeper works.
        } while try settle(through: lowest)
        finish()
    }

    // MARK: - Traits

    private func updateTraits() throws(UpdateLoop) {
        hierarchy.tellScopes()
        let update = hierarchy.engine.startUpdate(of: root.node.index)
        if includesLayout {
            update.levelEnded = { [unowned self] depth in levelEnded(depth, of: update) }
        }
        defer { update.levelEnded = nil }
        while let step = try next(of: update) { deliver(step) }
        if let loop { throw loop }
    }

    /// Everything down to a depth has its new traits, nothing deeper has: the time to lay out what
    /// stands there.
    private func levelEnded(_ depth: Int, of update: TraitUpdate) {
        do throws(UpdateLoop) {
            _ = try settle(through: depth)
            hierarchy.tellScopes()
        } catch {
            loop = error
            update.cancel()
        }
    }

    private func next(of update: TraitUpdate) throws(UpdateLoop) -> TraitUpdateStep? {
        hierarchy.tellScopes()
        do throws(TraitUpdateLoop) {
            return try hierarchy.work { () throws(TraitUpdateLoop) in try update.next() }
        } catch {
            throw UpdateLoop(error, hierarchy)
        }
    }

    private func deliver(_ step: TraitUpdateStep) {
        guard let environment = hierarchy.environment(step.node), let object = environment.object
        else { return }
        let previous = TraitCollection(step.previous)
        switch step.reason {
        case .environment:
            announce(step, to: object)
            object.traitsChanged(step.changed)
            for invalidation in step.invalidations {
                guard let method = TrackedMethod(rawValue: invalidation.scope) else { continue }
                hierarchy.object(invalidation.node)?.invalidate(method)
            }
            TraitCollection(step.current).performAsCurrent {
                transitions[object.node.index]?.runAlongside()
                object.traitCollectionDidChange(previous)
            }
        case .registration(let registration):
            guard let handler = environment.handlers[registration] else { return }
            TraitCollection(step.current).performAsCurrent { handler.call(object, previous) }
        }
    }

    /// Tells a controller that its size class is about to change, with its old traits.
    private func announce(_ step: TraitUpdateStep, to object: Responder) {
        guard let controller = object as? ViewController, step.changed.intersects(Self.sizeClasses)
        else { return }
        let transition = TransitionCoordinator()
        controller.node.traitsBeforeTransition = step.previous
        TraitCollection(step.previous).performAsCurrent {
            controller.willTransition(to: TraitCollection(step.current), with: transition)
        }
        controller.node.traitsBeforeTransition = nil
        transitions[controller.node.index] = transition
    }

    private static let sizeClasses = TraitTable.traits([
        TraitHorizontalSizeClass.self, TraitVerticalSizeClass.self,
    ])

    // MARK: - Everything else

    /// What may have something to do.
    private var objects: [Responder] {
        root.node.isAttached ? hierarchy.waiting.objects(under: root) : root.subtree
    }

    /// An object has something to do.
    func enqueue(_ object: Responder) {
        guard object.node.inherits(from: root.node) else { return }
        let depth = hierarchy.engine.depth(of: object.nodeOfTurn.index)
        levels[depth, default: []].append(object)
        if let view = object as? View, view.waiting.contains(.constraints) {
            constrained.append(view)
        }
        lowest = min(lowest, depth)
    }

    /// Runs what waits down to a depth, from the top. Answers whether something was run or waits
    /// further down.
    private func settle(through depth: Int) throws(UpdateLoop) -> Bool {
        var didWork = false
        while lowest <= depth, let objects = levels.removeValue(forKey: lowest) {
            var hasAppeared = false
            for (position, object) in objects.enumerated() where object.hasWaitingWork {
                let turn = turns[ObjectIdentifier(object), default: 0] + 1
                turns[ObjectIdentifier(object)] = turn
                if turn > Self.turnsMax {
                    levels[lowest, default: []] += objects[position...]
                    throw UpdateLoop(passes: Self.turnsMax, waiting: object)
                }
                let view = (object as? ViewController)?.viewIfLoaded ?? object
                if view.waiting.contains(.appearing) { hasAppeared = true }
                object.prepareForLayout()
                didWork = true
            }
            updateConstraints(hasAppeared: hasAppeared)
            for case let view as View in objects { view.layoutIfWaiting() }
            lowest = levels.keys.min() ?? .max
        }
        return didWork || lowest < .max
    }

    /// Updates the constraints of all views that wait for that, the deepest first: a superview's
    /// come after those of what is in it, and all of them before anything lays out. Only what is
    /// about to appear hears of that first, when its turn comes.
    ///
    /// - Parameter hasAppeared: whether something appeared since the last call.
    private func updateConstraints(hasAppeared: Bool) {
        if hasAppeared {
            constrained += delayed
            delayed = []
        }
        if constrained.isEmpty { return }
        let views = constrained.map {
            (view: $0, depth: hierarchy.engine.depth(of: $0.node.index))
        }
        constrained = []
        // Those of one depth in the order in which they began to wait.
        let ordered = views.enumerated().sorted {
            ($1.element.depth, $0.offset) < ($0.element.depth, $1.offset)
        }
        for (_, (view, _)) in ordered where view.waiting.contains(.constraints) {
            if view.isAboutToAppear {
                delayed.append(view)
            } else {
                view.updateConstraintsIfWaiting()
            }
        }
    }

    /// Drawing comes last; what has appeared by now hears of it.
    private func finish() {
        let objects =
            objects
            .map { (object: $0, depth: hierarchy.engine.depth(of: $0.node.index)) }
            .sorted { $0.depth < $1.depth }
        for (object, _) in objects { (object as? View)?.drawIfNeeded() }
        for (object, _) in objects { (object as? View)?.finishAppearance() }
    }
}
