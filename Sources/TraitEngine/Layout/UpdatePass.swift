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
    var node: LayoutNodeKey
    /// The position in `UpdateLevel.nodes`.
    var position: Int32
    /// -1 for a node without registrations.
    var registration: Int32

    init(_ node: LayoutNodeKey, at position: Int32) {
        (key, self.node, self.position, registration) = (node.serial, node, position, -1)
    }

    init(_ node: LayoutNodeKey, at position: Int32, registration: Int32, order: UInt64) {
        (key, self.node) = (order << 1 | 1 << 63, node)
        (self.position, self.registration) = (position, registration)
    }

    /// The end of a node whose last registration has that order.
    init(_ node: LayoutNodeKey, at position: Int32, after order: UInt64) {
        (key, self.node) = (order << 1 | 1 << 63 | 1, node)
        (self.position, registration) = (position, -1)
    }

    var isEnd: Bool { key & (1 << 63 | 1) == 1 << 63 | 1 }

    /// Of the registration.
    var order: UInt64 { (key & ~(1 << 63)) >> 1 }
}

/// A due node of a level.
struct DueNode: BitwiseCopyable {
    var hadTurn = false
    /// The frames before and after, in `UpdateLevel.differences`; -1 before the node's turn and when
    /// none of its values changed.
    var difference: Int32 = -1
}

/// Two frames of which nodes took one for the other, with a reference to each.
struct FrameDifference {
    let before: Int32
    let after: Int32
    let traits: TraitSet
    /// Made by the first step of such a node.
    var change: CollectionChange?
    /// `LayoutCaches.definitionTick` when the change was made.
    var definitionTick: UInt64 = 0
}

/// The nodes that a pass reached on a level. Only writes during the pass ask for them, so the set is
/// made then.
struct ReachedNodes {
    private var list: ContiguousArray<Int32> = []
    private var set: Set<Int32>?

    mutating func insert(_ node: Int32) {
        if set == nil { list.append(node) } else { set?.insert(node) }
    }

    mutating func contains(_ node: Int32) -> Bool { known.contains(node) }

    mutating func remove(_ node: Int32) {
        var nodes = known
        set = nil
        nodes.remove(node)
        set = nodes
    }

    private var known: Set<Int32> {
        mutating get {
            if let set { return set }
            let made = Set(list)
            set = made
            list = []
            return made
        }
    }
}

/// The nodes of one level of an update, and their turns.
struct UpdateLevel {
    var turns: ContiguousArray<UpdateTurn> = []
    /// The turn that comes next.
    var next = 0
    /// Every node that the pass reached on this level.
    var reached = ReachedNodes()
    /// The nodes with turns.
    var nodes: ContiguousArray<DueNode> = []
    var differences: ContiguousArray<FrameDifference> = []
    /// The positions of differences by pairs of frames.
    private var positions: [UInt64: Int32] = [:]
    /// Siblings show the same, so most nodes have the difference of the node before.
    private var last = -1

    mutating func sortTurns() {
        if turns.count > 1 { turns.sort { $0.key < $1.key } }
    }

    /// The position of the difference of two frames in `differences`. `compare` answers the traits that
    /// differ for a pair that is new, and retains its frames.
    mutating func difference(
        _ before: Int32, _ after: Int32, _ compare: () -> TraitSet
    ) -> Int {
        if last >= 0, differences[last].before == before, differences[last].after == after {
            return last
        }
        let key = UInt64(UInt32(bitPattern: before)) << 32 | UInt64(UInt32(bitPattern: after))
        if let known = positions[key] {
            last = Int(known)
        } else {
            last = differences.count
            positions[key] = Int32(truncatingIfNeeded: last)
            differences.append(FrameDifference(before: before, after: after, traits: compare()))
        }
        return last
    }
}
