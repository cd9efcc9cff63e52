// One update of a layout hierarchy: passes from the top down until no node waits. The same code
// runs as a whole within a transaction, or step by step with handlers in between that may change
// anything.

/// An update under way, see `Hierarchy.startUpdate(of:)`.
///
/// Nodes are updated by depth. At one depth nodes without registrations come first, in the order in
/// which they were made, then registrations in theirs: a node takes its new collection in the turn
/// of its first registration, so during a handler everything below still shows the old values. A
/// registration that is removed before its turn is not called; one that a handler makes is not
/// called in this update, and one that is made as a level ends not in that pass. A write during the
/// pass on a node that the pass has not reached, as all deeper ones, belongs to the same pass. Any
/// other write needs another pass, and everything below that node waits for it, unless this pass
/// has updated it already. After a move the pass continues with all nodes that are then deeper than
/// its level.
public final class TraitUpdate {
    /// Most passes of an update; one that needs more counts as endless.
    public static let passesMax = 16

    /// Called when a level of a pass is done, with its depth (0 for roots), before anything deeper
    /// takes its new collection: UIKit lays an object out after its handlers and before its
    /// children are updated. It may do whatever may be done between two steps.
    public var levelEnded: ((_ depth: Int) -> Void)?

    let hierarchy: Hierarchy
    let layout: LayoutState
    /// The node that the update is confined to; nil for everything attached.
    private let node: LayoutNodeKey?
    /// Whether the nodes above `node` are updated, too.
    private let climbs: Bool
    private var isOver: Bool
    private var passes = 0
    /// The remaining targets of the present pass, nil for everything attached, and its current
    /// part.
    private var targets: ArraySlice<LayoutNodeKey?> = []
    @exclusivity(unchecked) private var pass: UpdatePass?
    @exclusivity(unchecked) var level = UpdateLevel()
    /// Registrations from here on were made during the present pass.
    private var firstOrder: UInt64 = 0
    /// Registrations that handlers made, by their orders, ascending: they wait for the next update.
    private var madeByHandlers: [Range<UInt64>] = []
    /// The order of the next registration when the last step was handed out; nil before the first.
    private var orderAtStep: UInt64?
    /// `LayoutClock.updates` when the pass began.
    private var startTick: UInt64 = 0
    /// Whether anything was marked since, written, or brought up to date by another update.
    private var isDisturbed = false
    /// The nodes that took another frame in the present pass, with the traits that changed.
    @exclusivity(unchecked) var changes: [(node: NodeIndex, traits: TraitSet)] = []

    init(_ hierarchy: Hierarchy, of node: NodeIndex?, climbs: Bool) {
        self.hierarchy = hierarchy
        self.climbs = climbs
        layout = hierarchy.layout ?? LayoutState()
        isOver = hierarchy.layout == nil
        let layout = layout
        self.node = isOver ? nil : node.map { layout.nodes.key(of: $0.rawValue) }
    }

    // MARK: - Step by step

    /// The next step; nil when everything is up to date. O(nodes brought up to date). After
    /// something was moved, O(depth) for each node of the level, and the next level costs
    /// O(nodes above it that something may wait below).
    ///
    /// - Throws: `TraitUpdateLoop` when after `passesMax` passes something waits again; it stays
    ///   marked.
    public func next() throws(TraitUpdateLoop) -> TraitUpdateStep? {
        precondition(
            !hierarchy.isInTransaction && hierarchy.unacknowledgedCount == 0,
            "an update's step cannot be taken back")
        noteMadeByHandlers()
        defer { orderAtStep = hierarchy.parts.registrations.nextOrder }
        while !isOver {
            if let step = takeTurn() { return step }
            if nextLevel() { continue }
            let changes = self.changes
            if !isOver, !nextPass(), !isOver {
                cancel()
                throw TraitUpdateLoop(passes: passes, changes: changes)
            }
        }
        return nil
    }

    /// Notes the registrations made since the last step was handed out: its handlers made them.
    private func noteMadeByHandlers() {
        let end = hierarchy.parts.registrations.nextOrder
        guard let start = orderAtStep, start < end else { return }
        if let last = madeByHandlers.last, last.upperBound == start {
            madeByHandlers[madeByHandlers.count - 1] = last.lowerBound..<end
        } else {
            madeByHandlers.append(start..<end)
        }
    }

    /// Whether a registration of that order may be called. O(log n) of the handlers that made
    /// registrations.
    func mayCall(_ order: UInt64) -> Bool {
        if order >= firstOrder { return false }
        var low = 0
        var high = madeByHandlers.count
        while low < high {
            let middle = low + (high - low) / 2
            if madeByHandlers[middle].upperBound <= order {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low == madeByHandlers.count || order < madeByHandlers[low].lowerBound
    }

    /// Continues another update that has ended: registrations that its handlers made are not called in
    /// this update either. To be called before the first step.
    package func continues(_ update: TraitUpdate) {
        madeByHandlers = update.madeByHandlers
        orderAtStep = nil
    }

    /// Ends the update. Nodes that it did not reach stay marked. Needed only when `next()` is not
    /// called until it answers nil or throws. O(updates under way).
    public func cancel() {
        if isOver { return }
        isOver = true
        endLevel()
        pass = nil
        layout.updates.removeAll { $0 === self }
    }

    private func nextLevel() -> Bool {
        if let pass, pass.level > 0, !pass.candidates.isEmpty { levelEnded?(pass.level - 1) }
        if isOver { return false }
        endLevel()
        while true {
            if pass?.descend() == true {
                beginLevel()
                return true
            }
            guard let target = targets.popFirst() else { return false }
            // A node that was deleted since it was queued needs no update.
            if let target, !hierarchy.isThere(target, layout) { continue }
            pass = UpdatePass(hierarchy, layout, target: target, climbs: climbs)
        }
    }

    /// Starts the next pass. False when no node waits, or after `passesMax` passes.
    private func nextPass() -> Bool {
        pass = nil
        targets = waitingTargets()
        if targets.isEmpty {
            cancel()
            return false
        }
        if passes == Self.passesMax { return false }
        passes += 1
        changes = []
        firstOrder = hierarchy.parts.registrations.nextOrder
        startTick = layout.clock.updates
        isDisturbed = false
        return true
    }

    /// The targets of the next pass.
    private func waitingTargets() -> ArraySlice<LayoutNodeKey?> {
        guard let node else { return hierarchy.firstMarkedRoot(layout) >= 0 ? [nil] : [] }
        if !hierarchy.isThere(node, layout) { return [] }
        return hierarchy.updateTargets(of: node.node, layout).filter { target in
            climbs && hierarchy.isPending(target, layout) || hierarchy.hasWaiting(target, layout)
        }.map { layout.nodes.key(of: $0) }[...]
    }

    // MARK: - Whole

    /// Runs the update within a transaction. Answers whether a node was updated.
    func run() -> Bool {
        let start = layout.clock.updates
        while nextPass() {
            while let target = targets.popFirst() {
                var pass = UpdatePass(hierarchy, layout, target: target, climbs: climbs)
                while pass.descend() {
                    for node in pass.candidates {
                        _ = refresh(node)
                        pass.visit(node)
                    }
                }
            }
        }
        return layout.clock.updates != start
    }

    // MARK: - Levels

    private func beginLevel() {
        guard let candidates = pass?.candidates else { return }
        for node in candidates {
            let isDue = hierarchy.isDue(node, layout)
            if isDue, mustWait(node) {
                // Another update may bring the node up to date; nodes below it come next in any case.
                hierarchy.mark(node)
                continue
            }
            level.reached.insert(node)
            if isDue { appendTurns(of: node) } else { pass?.visit(node) }
        }
        level.sortTurns()
    }

    private func endLevel() {
        for difference in level.differences {
            hierarchy.releaseFrame(difference.before, layout)
            hierarchy.releaseFrame(difference.after, layout)
        }
        level = UpdateLevel()
    }

    /// The node was visited: its children come next.
    func visited(_ node: Int32) { pass?.visit(node) }

    var levelNumber: Int { pass?.level ?? 0 }

    /// Whether something was moved since the level was begun.
    var isMoved: Bool { pass?.structureTick != layout.clock.moves }

    /// A node was written to or moved while the update is under way. If it is deeper than the level
    /// that is being visited, the pass visits it.
    func marked(_ node: Int32) {
        isDisturbed = true
        reach(node, deeperBy: 1)
    }

    /// A node took another frame by a write or in another update: its children wait.
    func showed(_ node: Int32) {
        isDisturbed = true
        reach(node, deeperBy: 0)
    }

    /// Whether a node above this one waits and was not updated by the pass. Nodes above those of the
    /// pass do not count.
    func mustWait(_ node: Int32) -> Bool {
        if !isDisturbed { return false }
        let top = pass?.path.first?.node ?? 0
        var index = node == top ? 0 : hierarchy.parts.nodes.parent(of: node)
        while index > 0 {
            if layout.nodes[index].seen <= startTick, hierarchy.isDue(index, layout) { return true }
            index = index == top ? 0 : hierarchy.parts.nodes.parent(of: index)
        }
        return false
    }

    /// Brings a node up to date. Answers its former frame if it took another one: its children then
    /// wait, in other updates under way too.
    func refresh(_ node: Int32) -> Int32? {
        guard let before = hierarchy.refresh(node, layout) else { return nil }
        for other in layout.updates where other !== self { other.showed(node) }
        return before
    }

    private func reach(_ node: Int32, deeperBy levels: Int) {
        guard let pass, pass.level > 0 else { return }
        var distance = hierarchy.level(of: node) - pass.level
        if distance < levels { return }
        var ancestor = node
        while distance > 0 {
            ancestor = hierarchy.parts.nodes.parent(of: ancestor)
            distance -= 1
        }
        if level.reached.contains(ancestor) || !pass.covers(ancestor) { return }
        level.reached.insert(ancestor)
        visited(ancestor)
    }
}

extension Hierarchy {
    /// Where an update of one node goes to: the node and, before iOS 17, those controllers in its
    /// subtree that inherit from elsewhere, in the order in which they were made. A controller and
    /// its root view have the same subtree. O(1), before iOS 17 O(nodes inside and above).
    func updateTargets(of node: Int32, _ layout: LayoutState) -> [Int32] {
        let owner = parts.nodes[node].kind == .view ? peer(node) : -1
        let top = owner >= 0 ? owner : node
        if propagation == .unified || parts.nodes.bridgedCount == 0 { return [top] }
        // A controller is reached from its parent and from its view, the view likewise.
        var known: Set<Int32> = [top]
        var controllers: [Int32] = []
        var inside = [top]
        var next = 0
        while next < inside.count {
            let index = inside[next]
            next += 1
            let other = peer(index)
            if other >= 0, known.insert(other).inserted { inside.append(other) }
            if parts.nodes[index].kind == .viewController { controllers.append(index) }
            forEachStructuralChild(index) { child in
                if peer(child) < 0 || known.insert(child).inserted { inside.append(child) }
            }
        }
        // Whether a node inherits from `top`; the node above all roots does not.
        var inherits: [Int32: Bool] = [top: true, 0: false]
        var path: [Int32] = []
        let others = controllers.filter { controller in
            var index = controller
            while inherits[index] == nil {
                path.append(index)
                index = parts.nodes.parent(of: index)
            }
            let isInside = inherits[index] ?? false
            for node in path { inherits[node] = isInside }
            path.removeAll(keepingCapacity: true)
            return !isInside
        }
        return [top] + others.sorted { layout.nodes[$0].serial < layout.nodes[$1].serial }
    }
}

/// One step of an update. Handlers are called before the next step is taken.
public struct TraitUpdateStep: Sendable {
    public enum Reason: Hashable, Sendable {
        /// The node took a new collection: one step for each such node, before all others of it.
        case environment
        /// A trait of a registration on the node changed.
        case registration(RegistrationIndex)
        /// The node's registrations have had their steps: one step for each node that took a new
        /// collection and has registrations, after all others of it.
        case notified
    }

    public let reason: Reason
    public let node: NodeIndex
    /// What the node showed and what it shows now.
    public let change: CollectionChange
    /// The node's whole collection before the update.
    public var previous: TraitCollection { change.previous }
    /// The node's whole collection now.
    public var current: TraitCollection { change.current }
    /// All traits that differ between the two, not only those of the registration.
    public var changed: TraitSet { change.changed }
    /// The colours and images of the registration that have another value now.
    public let dynamicChanges: [DynamicChange]
    /// With reason `environment`: whether a step with reason `notified` follows.
    public let hasRegistrations: Bool
    /// With reason `environment`: the scopes that went stale, in the order in which they were
    /// first set. A controller's can come with the step of its view.
    public let invalidations: [Invalidation]
}

/// What nodes showed before an update and what they show now. Nodes of one depth that show the same,
/// before and now, share one object, so that a caller prepares what follows from it once.
public final class CollectionChange: Sendable {
    /// The whole collection before the update.
    public let previous: TraitCollection
    /// The whole collection now.
    public let current: TraitCollection
    /// All traits that differ between the two.
    public let changed: TraitSet

    init(previous: TraitCollection, current: TraitCollection, changed: TraitSet) {
        self.previous = previous
        self.current = current
        self.changed = changed
    }
}

/// An update that does not end, as its handlers keep changing nodes.
public struct TraitUpdateLoop: Error, Sendable {
    /// How many passes were run: `TraitUpdate.passesMax`.
    public let passes: Int
    /// The nodes and traits that changed in the last pass, from the top down.
    public let changes: [(node: NodeIndex, traits: TraitSet)]
}
