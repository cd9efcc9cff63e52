// One pass of an update: which nodes come next, level by level. `TraitUpdate` updates them.

struct UpdatePass {
    let hierarchy: Hierarchy
    let layout: LayoutState
    /// The node that the pass is confined to, last; before it, when the pass climbs, the nodes above it
    /// from the root on. Empty for a pass over everything attached.
    let path: ContiguousArray<LayoutNodeKey>
    /// The level of the first node of the path; 1 without a path.
    private let top: Int
    /// The level of the last node of the path; 0 without a path.
    private let pathEnd: Int
    /// The level of the candidates, 1 for roots; before the first `descend()` the level above.
    private(set) var level: Int
    /// Nodes of this level to visit.
    private(set) var candidates: ContiguousArray<Int32> = []
    /// Nodes of this level whose children come next.
    private var visited: ContiguousArray<LayoutNodeKey> = []
    /// `LayoutClock.moves` when the level was begun.
    private(set) var structureTick: UInt64 = 0
    /// `LayoutClock.moves` when the pass was begun.
    private let startStructureTick: UInt64
    /// The nodes of the level above, each with the `LayoutNode.changed` that it had then.
    private var parents: ContiguousArray<(node: Int32, changed: UInt64)> = []

    /// - Parameters:
    ///   - target: nil for everything attached.
    ///   - climbs: whether the pass updates the nodes that the target inherits from, too.
    init(_ hierarchy: Hierarchy, _ layout: LayoutState, target: LayoutNodeKey?, climbs: Bool) {
        self.hierarchy = hierarchy
        self.layout = layout
        startStructureTick = layout.clock.moves
        var path: ContiguousArray<LayoutNodeKey> = []
        var index = target?.node ?? 0
        pathEnd = index > 0 ? hierarchy.level(of: index) : 0
        while index > 0 {
            path.append(layout.nodes.key(of: index))
            index = climbs ? hierarchy.parts.nodes.parent(of: index) : 0
        }
        self.path = ContiguousArray(path.reversed())
        top = pathEnd - path.count + 1
        level = top - 1
    }

    /// Goes one level down. False when there is nothing more to visit.
    mutating func descend() -> Bool {
        finishParents()
        takeParents()
        structureTick = layout.clock.moves
        level += 1
        candidates.removeAll(keepingCapacity: true)
        if level <= pathEnd {
            appendPath()
        } else if level == 1 {
            appendRoots(to: &candidates)
        } else {
            for parent in parents {
                hierarchy.appendWaitingChildren(of: parent.node, to: &candidates, layout)
            }
        }
        if !candidates.isEmpty { return true }
        finishParents()
        return false
    }

    /// The visited nodes that still exist are the parents of the next level. After
    /// a move, visited nodes may be on any level now, and so may the waiting nodes below them.
    private mutating func takeParents() {
        defer { visited.removeAll(keepingCapacity: true) }
        let tick = level == pathEnd ? startStructureTick : structureTick
        if level > 0, level >= pathEnd, tick != layout.clock.moves {
            findParents()
            return
        }
        let isMoved = structureTick != layout.clock.moves
        for key in visited where hierarchy.isThere(key, layout) {
            if isMoved, hierarchy.level(of: key.node) != level || !isOnPath(key.node) { continue }
            parents.append((key.node, layout.nodes[key.node].changed))
        }
    }

    /// Takes for parents all nodes of this level that something may wait below, and that the pass
    /// comes to. When its target is on a deeper level now, the pass goes on there.
    /// O(nodes up to this level that something may wait below).
    private mutating func findParents() {
        var nodes: ContiguousArray<Int32> = []
        var depth = 1
        if let target = path.last {
            guard hierarchy.isThere(target, layout) else { return }
            nodes = [target.node]
            depth = hierarchy.level(of: target.node)
            level = max(level, depth)
        } else {
            appendRoots(to: &nodes)
        }
        var below: ContiguousArray<Int32> = []
        while depth < level {
            below.removeAll(keepingCapacity: true)
            for node in nodes { hierarchy.appendWaitingChildren(of: node, to: &below, layout) }
            swap(&nodes, &below)
            depth += 1
        }
        for node in nodes { parents.append((node, layout.nodes[node].changed)) }
    }

    mutating func visit(_ node: Int32) { visited.append(layout.nodes.key(of: node)) }

    /// The waiting children of the parents were visited: all children have seen the parents' frames.
    private mutating func finishParents() {
        for parent in parents where hierarchy.isInUse(parent.node) {
            // Other children of a node above the target are not visited.
            if level <= pathEnd, hierarchy.hasWaitingChild(parent.node, layout) { continue }
            hierarchy.settle(parent.node, seen: parent.changed, layout)
        }
        parents.removeAll(keepingCapacity: true)
    }

    /// Whether a node of this level is on the way to the target.
    private func isOnPath(_ node: Int32) -> Bool {
        level >= top && level < pathEnd && path[level - top].node == node
    }

    private func appendRoots(to list: inout ContiguousArray<Int32>) {
        var root = layout.nodes[0].first
        while root >= 0, hierarchy.isRootKind(root) {
            list.append(root)
            root = layout.nodes[root].next
        }
    }

    /// One more step on the way to the target, if it still leads there.
    private mutating func appendPath() {
        let next = path[level - top]
        if !hierarchy.isThere(next, layout) { return }
        let parent = hierarchy.parts.nodes.parent(of: next.node)
        if level > top, parent != path[level - top - 1].node { return }
        candidates.append(next.node)
        if level == top, parent > 0 { parents.append((parent, layout.nodes[parent].changed)) }
    }

    /// Whether the pass visits nodes below this node, which is on the pass's level.
    func covers(_ node: Int32) -> Bool {
        guard let target = path.last else {
            return hierarchy.isRootKind(
                hierarchy.traitRoot(of: NodeIndex(rawValue: node)).rawValue)
        }
        if level < pathEnd || !hierarchy.isThere(target, layout) { return false }
        var index = node
        while index > 0 {
            if index == target.node { return true }
            index = hierarchy.parts.nodes.parent(of: index)
        }
        return false
    }
}

extension Hierarchy {
    func isInUse(_ node: Int32) -> Bool {
        parts.nodes[node].flags.isDisjoint(with: [.dead, .free])
    }

    /// Whether the node of the key still exists.
    func isThere(_ key: LayoutNodeKey, _ layout: LayoutState) -> Bool {
        isInUse(key.node) && layout.nodes[key.node].serial == key.serial
    }
}

/// A node's or a registration's turn.
struct UpdateTurn: BitwiseCopyable {
    /// Nodes without registrations come first, in the order in which they were made; then
    /// registrations in theirs, and behind the last of a node its end.
    var key: UInt64
    var node: Int32
    var serial: UInt64
    /// -1 for a node without registrations.
    var registration: Int32

    init(_ node: Int32, _ serial: UInt64) {
        (key, self.node, self.serial, registration) = (serial, node, serial, -1)
    }

    init(_ node: Int32, _ serial: UInt64, registration: Int32, order: UInt64) {
        (key, self.node) = (order << 1 | 1 << 63, node)
        (self.serial, self.registration) = (serial, registration)
    }

    /// The end of a node whose last registration has that order.
    init(_ node: Int32, _ serial: UInt64, after order: UInt64) {
        (key, self.node, self.serial, registration) = (order << 1 | 1 << 63 | 1, node, serial, -1)
    }

    var isEnd: Bool { key & (1 << 63 | 1) == 1 << 63 | 1 }

    /// Of the registration.
    var order: UInt64 { (key & ~(1 << 63)) >> 1 }
}

/// A node's frames before and after, with a reference to each.
struct UpdatedNode {
    var before: Int32
    var after: Int32
    var traits: TraitSet
}

/// The nodes of one level of an update, and their turns.
struct UpdateLevel {
    var turns: ContiguousArray<UpdateTurn> = []
    /// The turn that comes next.
    var next = 0
    /// Every node that the pass reached on this level.
    var reached: Set<Int32> = []
    /// The nodes that had their turn; nil for those whose values stayed.
    var updated: [Int32: UpdatedNode?] = [:]
    /// Traits by pairs of frames.
    var differences: [UInt64: TraitSet] = [:]

    mutating func sortTurns() {
        if turns.count > 1 { turns.sort { $0.key < $1.key } }
    }
}
