// One update: traits, then properties and layout, from the top down, then drawing. UIKit runs one
// before each frame; here it runs when it is asked for.

internal import TraitEngine

/// An update of an environment and what inherits from it.
///
/// Each object takes its new traits, has its change handlers called, after them the old callback,
/// then updates properties and lays out. Only then do deeper objects take their traits. A change
/// that a handler or a layout makes above itself leads to another pass, until no work is left.
@MainActor
final class EnvironmentUpdate {
    /// The most turns of one object in one update, and the most passes over the traits. An update
    /// that needs more is a loop.
    static let turnsMax = TraitUpdate.passesMax

    private let root: Responder
    private let hierarchy: TraitHierarchy
    private let includesLayout: Bool
    private let climbs: Bool
    /// Objects with work to do, by depth.
    @exclusivity(unchecked) private var levels: ContiguousArray<[Responder]> = []
    /// The views among these objects whose constraints may have to be updated.
    @exclusivity(unchecked) private var constrained: [View] = []
    /// Views whose constraints wait until a superview that is about to appear has appeared.
    private var delayed: [View] = []
    /// The smallest depth in `levels` at which objects are; `Int.max` without objects.
    @exclusivity(unchecked) private var lowest = Int.max
    /// Nil for an update that runs inside another. The nodes count the turns of an update with a number.
    private var number: UInt64?
    /// How many turns each object has had in an update without a number.
    private var turns: [ObjectIdentifier: Int] = [:]
    /// The change of the last step, which the next steps often share.
    private var lastChange: (change: CollectionChange, shown: ShownChange)?
    /// The transitions of controllers whose size class has changed, in the order in which they
    /// began.
    private var transitions: [TransitionCoordinator] = []
    /// The last update of traits.
    private var traitUpdate: TraitUpdate?
    /// The loop that ended the update of traits early.
    private var loop: UpdateLoop?

    /// An update of an environment and the environments that inherit from it.
    ///
    /// - Parameters:
    ///   - includesLayout: whether to run waiting methods too, and not only to update traits.
    ///   - climbs: whether what the environment inherits from is updated first.
    init(_ root: Responder, includesLayout: Bool, climbs: Bool) {
        self.root = root
        hierarchy = root.node.hierarchy
        self.includesLayout = includesLayout
        self.climbs = climbs
    }

    /// Updates until no work is left.
    ///
    /// - Throws: `UpdateLoop` when work is left after as many passes as are allowed.
    func run() throws(UpdateLoop) {
        defer {
            let ending = hierarchy.endingTransitions
            hierarchy.endingTransitions = []
            for transition in transitions + ending { transition.complete() }
        }
        guard includesLayout else { return try updateTraits() }
        number = hierarchy.waiting.begin(self)
        defer { hierarchy.waiting.end(self) }
        for object in objects { enqueue(object) }
        repeat {
            // A view takes its traits only while it is in a hierarchy.
            if root.node.isAttached { try updateTraits() }
            // Objects below take the changes made at one depth before methods run at the next
            // depth.
        } while try runWaiting(through: lowest)
        finish()
    }

    // MARK: - Traits

    private func updateTraits() throws(UpdateLoop) {
        let update = hierarchy.engine.startUpdate(of: root.node.index, climbs: climbs)
        if let traitUpdate { update.continues(traitUpdate) }
        traitUpdate = update
        if includesLayout {
            update.levelEnded = { [unowned self] depth in levelEnded(depth, of: update) }
        }
        defer { update.levelEnded = nil }
        while let step = try next(of: update) { deliver(step) }
        if let loop { throw loop }
    }

    /// Runs the waiting methods at a depth. All objects down to this depth have their new traits,
    /// and no deeper object has.
    private func levelEnded(_ depth: Int, of update: TraitUpdate) {
        do throws(UpdateLoop) {
            _ = try runWaiting(through: depth)
        } catch {
            loop = error
            update.cancel()
        }
    }

    private func next(of update: TraitUpdate) throws(UpdateLoop) -> TraitUpdateStep? {
        do throws(TraitUpdateLoop) {
            return try hierarchy.work { () throws(TraitUpdateLoop) in try update.next() }
        } catch {
            throw UpdateLoop(error, hierarchy)
        }
    }

    private func deliver(_ step: TraitUpdateStep) {
        guard let object = hierarchy[objectOf: step.node] else { return }
        let change = shown(step.change)
        switch step.reason {
        case .environment:
            if let transition = change.begin(at: object) { transitions.append(transition) }
            if !step.hasRegistrations { change.finish(at: object) }
        case .registration(let registration):
            if let handler = object.node.handlers[registration] { change.call(handler, of: object) }
        case .notified: change.finish(at: object)
        }
    }

    private func shown(_ change: CollectionChange) -> ShownChange {
        if let lastChange, lastChange.change === change { return lastChange.shown }
        let shown = ShownChange(change.previous, change.current, change.changed)
        lastChange = (change, shown)
        return shown
    }

    // MARK: - Waiting methods

    /// The objects whose methods may wait.
    private var objects: [Responder] {
        root.node.isAttached ? hierarchy.waiting.objects(under: root) : root.subtree
    }

    /// Adds an object whose methods wait.
    func enqueue(_ object: Responder) {
        guard object.node.inherits(from: root.node) else { return }
        let depth = hierarchy.engine.depth(of: object.nodeOfTurn.index)
        while levels.count <= depth { levels.append([]) }
        levels[depth].append(object)
        if object.waiting.contains(.constraints), let view = object as? View {
            constrained.append(view)
        }
        lowest = min(lowest, depth)
    }

    /// Runs the waiting methods down to a depth, from the top. Returns whether any has run, or
    /// waits further down.
    private func runWaiting(through depth: Int) throws(UpdateLoop) -> Bool {
        var didWork = false
        while lowest <= depth, lowest < levels.count {
            let position = lowest
            let objects = levels[position]
            levels[position] = []
            // Methods that run now may add objects at any depth.
            lowest = .max
            var hasAppeared = false
            for object in objects where object.hasWaitingWork {
                if countTurn(of: object) > Self.turnsMax {
                    throw UpdateLoop(passes: Self.turnsMax, waiting: object)
                }
                if object.isAppearing { hasAppeared = true }
                object.prepareForLayout()
                didWork = true
            }
            updateConstraints(hasAppeared: hasAppeared)
            for object in objects { object.layoutIfWaiting() }
            let next = levels[position...].firstIndex { !$0.isEmpty } ?? .max
            lowest = min(lowest, next)
        }
        return didWork || lowest < .max
    }

    /// How many turns the object has had in this update, with the one that begins.
    private func countTurn(of object: Responder) -> Int {
        guard let number else {
            turns[ObjectIdentifier(object), default: 0] += 1
            return turns[ObjectIdentifier(object)] ?? 1
        }
        let node = object.node
        if node.turns.update != number { node.turns = (number, 0) }
        node.turns.count += 1
        return node.turns.count
    }

    /// Updates the constraints of all views that wait for it, subviews before superviews, and all
    /// of them before any layout. Views that are about to appear wait until `viewIsAppearing` has
    /// run.
    ///
    /// - Parameter hasAppeared: whether a view appeared since the last call.
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
        // Views of one depth keep the order in which they began to wait.
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

    /// Draws, then calls `viewDidAppear` for views that have appeared.
    private func finish() {
        let objects =
            objects
            .map { (object: $0, depth: hierarchy.engine.depth(of: $0.node.index)) }
            .sorted { $0.depth < $1.depth }
        for (object, _) in objects { (object as? View)?.drawIfNeeded() }
        for (object, _) in objects { (object as? View)?.finishAppearance() }
    }
}
