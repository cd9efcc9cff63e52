// One pass of an update: which nodes come next, level by level. `TraitUpdate` updates them.

struct UpdatePass {
    let hierarchy: Hierarchy
    let layout: LayoutState
    /// The path from a root to the node that the pass is confined to, which is last; empty for a
    /// pass over everything attached. Of other nodes only those on the path are visited.
    let path: ContiguousArray<LayoutNodeKey>
    /// The level that the candidates are on, 1 for roots; 0 before the first.
    private(set) var level = 0
    /// Nodes of this level to visit.
    private(set) var candidates: ContiguousArray<Int32> = []
    /// Nodes of this level whose children come next.
    private var visited: ContiguousArray<LayoutNodeKey> = []
    /// `LayoutState.structureTick` when the level was begun.
    private(set) var structureTick: UInt64 = 0
    /// `LayoutState.structureTick` when the pass was begun.
    private let startStructureTick: UInt64
    /// Those of the level above, with the time when they had taken their frame.
    private var parents: ContiguousArray<(node: Int32, changed: UInt64)> = []

    /// - Parameter target: nil for everything attached.
    init(_ hierarchy: Hierarchy, _ layout: LayoutState, target: LayoutNodeKey?) {
        self.hierarchy = hierarchy
        self.layout = layout
        startStructureTick = layout.structureTick
        var path: ContiguousArray<LayoutNodeKey> = []
        var index = target?.node ?? 0
        while index > 0 {
            path.append(layout.nodes.key(of: index))
            index = hierarchy.parts.nodes.parent(of: index)
        }
        self.path = ContiguousArray(path.reversed())
    }

    /// Goes one level down. False when there is nothing more to visit.
    mutating func descend() -> Bool {
        finishParents()
        takeParents()
        structureTick = layout.structureTick
        level += 1
        candidates.removeAll(keepingCapacity: true)
        if level <= path.count {
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

    /// The visited nodes are the parents of the next level, unless they went meanwhile. When
    /// something was moved, nodes that were visited may be on any level now, and so may what
    /// waits below them.
    private mutating func takeParents() {
        defer { visited.removeAll(keepingCapacity: true) }
        let tick = level == path.count ? startStructureTick : structureTick
        if level > 0, level >= path.count, tick != layout.structureTick {
            findParents()
            return
        }
        let isMoved = structureTick != layout.structureTick
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

    /// What there was to visit below the parents was visited.
    private mutating func finishParents() {
        for parent in parents where hierarchy.isInUse(parent.node) {
            // Other children of a node on the way to the target are not visited.
            let leadsOn = level > 1 && level <= path.count && path[level - 2].node == parent.node
            if leadsOn, hierarchy.hasWaitingChild(parent.node, layout) { continue }
            hierarchy.settle(parent.node, seen: parent.changed, layout)
        }
        parents.removeAll(keepingCapacity: true)
    }

    /// Whether a node of this level is on the way to the target.
    private func isOnPath(_ node: Int32) -> Bool {
        level >= 1 && level < path.count && path[level - 1].node == node
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
        let next = path[level - 1]
        let above = level == 1 ? 0 : path[level - 2].node
        if hierarchy.isThere(next, layout), hierarchy.parts.nodes.parent(of: next.node) == above {
            candidates.append(next.node)
        }
    }

    /// Whether the pass comes to what is below this node, which is on its level.
    func covers(_ node: Int32) -> Bool {
        guard let target = path.last else {
            return hierarchy.isRootKind(
                hierarchy.traitRoot(of: NodeIndex(rawValue: node)).rawValue)
        }
        if level < path.count || !hierarchy.isThere(target, layout) { return false }
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

    /// Whether it is still the node that the key was made of.
    func isThere(_ key: LayoutNodeKey, _ layout: LayoutState) -> Bool {
        isInUse(key.node) && layout.nodes[key.node].serial == key.serial
    }
}

/// A node's or a registration's turn.
struct UpdateTurn: BitwiseCopyable {
    /// Nodes without registrations come first, in the order in which they were made; then
    /// registrations in theirs.
    var key: UInt64
    var node: Int32
    var serial: UInt64
    /// -1 for a node without registrations.
    var registration: Int32

    init(_ node: Int32, _ serial: UInt64) {
        (key, self.node, self.serial, registration) = (serial, node, serial, -1)
    }

    init(_ node: Int32, _ serial: UInt64, registration: Int32, order: UInt64) {
        (key, self.node) = (order | 1 << 63, node)
        (self.serial, self.registration) = (serial, registration)
    }

    var order: UInt64 { key & ~(1 << 63) }
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
