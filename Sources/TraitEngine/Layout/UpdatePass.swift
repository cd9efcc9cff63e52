// One pass of an update, level by level: which nodes come next. What happens to them is for those
// who run the pass.

struct UpdatePass {
    let hierarchy: Hierarchy
    let layout: LayoutState
    /// Where the pass is confined to; -1 for everything attached.
    let target: Int32
    /// The nodes that the target inherits from, the root first: visited, but not their other
    /// children.
    let path: ContiguousArray<Int32>
    /// The level that the candidates are on, 1 for roots; 0 before the first.
    private(set) var level = 0
    /// Nodes of this level to visit.
    private(set) var candidates: ContiguousArray<Int32> = []
    /// Nodes of this level whose children come next.
    private var visited: ContiguousArray<(node: Int32, serial: UInt64)> = []
    /// `LayoutState.structureTick` when the level was begun.
    private(set) var structureTick: UInt64 = 0
    /// Those of the level above, with the time when they had taken their frame.
    private var parents: ContiguousArray<(node: Int32, changed: UInt64)> = []

    init(_ hierarchy: Hierarchy, _ layout: LayoutState, target: Int32) {
        self.hierarchy = hierarchy
        self.layout = layout
        self.target = target
        var path: ContiguousArray<Int32> = []
        var index = target < 0 ? 0 : hierarchy.hot[target].parent
        while index > 0 {
            path.append(index)
            index = hierarchy.hot[index].parent
        }
        self.path = ContiguousArray(path.reversed())
    }

    /// Goes one level down. False when there is nothing more to visit.
    mutating func descend() -> Bool {
        settleParents()
        takeParents()
        structureTick = layout.structureTick
        level += 1
        candidates.removeAll(keepingCapacity: true)
        if target < 0, level == 1 {
            appendRoots()
        } else if target >= 0, level <= path.count + 1 {
            appendPath()
        } else {
            for parent in parents {
                hierarchy.appendWaitingChildren(of: parent.node, to: &candidates, layout)
            }
        }
        if !candidates.isEmpty { return true }
        settleParents()
        return false
    }

    /// The visited nodes are the parents of the next level, unless they went meanwhile or were
    /// moved to another one.
    private mutating func takeParents() {
        let isMoved = structureTick != layout.structureTick
        for (node, serial) in visited where layout.nodes[node].serial == serial {
            if !hierarchy.isInUse(node) || isMoved && hierarchy.level(of: node) != level {
                continue
            }
            parents.append((node, layout.nodes[node].changed))
        }
        visited.removeAll(keepingCapacity: true)
    }

    mutating func visit(_ node: Int32) { visited.append((node, layout.nodes[node].serial)) }

    /// What there was to visit below the parents was visited.
    private mutating func settleParents() {
        for parent in parents where hierarchy.isInUse(parent.node) {
            if isOnPath(parent.node), hierarchy.hasWaitingChild(parent.node, layout) { continue }
            hierarchy.settle(parent.node, seen: parent.changed, layout)
        }
        parents.removeAll(keepingCapacity: true)
    }

    /// Other children of a node on the way to the target are not visited.
    private func isOnPath(_ parent: Int32) -> Bool {
        let number = level - 1
        return number >= 1 && number <= path.count && path[number - 1] == parent
    }

    private mutating func appendRoots() {
        var root = layout.nodes[0].first
        while root >= 0, hierarchy.isRootKind(root) {
            candidates.append(root)
            root = layout.nodes[root].next
        }
    }

    /// One more step on the way to the target, if it still leads there.
    private mutating func appendPath() {
        let next = level <= path.count ? path[level - 1] : target
        let above = level == 1 ? 0 : path[level - 2]
        if hierarchy.isInUse(next), hierarchy.hot[next].parent == above {
            candidates.append(next)
        }
    }

    /// Whether the pass comes to what is below this node, which is on its level.
    func covers(_ node: Int32) -> Bool {
        if target < 0 {
            return hierarchy.isRootKind(
                hierarchy.traitRoot(of: NodeIndex(rawValue: node)).rawValue)
        }
        if level <= path.count { return false }
        var index = node
        while index > 0 {
            if index == target { return true }
            index = hierarchy.hot[index].parent
        }
        return false
    }
}

extension Hierarchy {
    func isInUse(_ node: Int32) -> Bool { links[node].flags.isDisjoint(with: [.dead, .free]) }
}
