// The depth and state of nodes in the trait tree, as answers show them. A list of nodes in tree
// order computes them step by step, since one look-up costs O(depth).

import TraitEngine

/// Depth and state of one node.
package struct NodePosition: Sendable {
    /// The number of nodes above the node in the trait tree; 0 for a root.
    package let depth: Int
    package let state: NodeState

    package init(depth: Int, state: NodeState) {
        self.depth = depth
        self.state = state
    }

    /// O(depth).
    package init(of node: NodeIndex, in hierarchy: Hierarchy) {
        self.init(depth: hierarchy.depth(of: node), state: hierarchy.state(of: node))
    }
}

/// The positions of nodes that are visited in tree order.
package struct NodePositions: Sendable {
    private var isDetached = false
    /// The depth of the topmost ancestor of the last node, or of that node itself, that waits for
    /// an update.
    private var pendingDepth: Int?
    private var hasBegun = false

    package init() {}

    /// The position of the next node. Nodes come in tree order, and a node may be left out only
    /// with all of its descendants. O(1), and O(depth) for the first node.
    package mutating func next(
        _ node: NodeIndex, depth: Int, in hierarchy: Hierarchy
    ) -> NodePosition {
        if !hasBegun || depth == 0 {
            hasBegun = true
            begin(node, depth, hierarchy)
        } else {
            if let top = pendingDepth, depth <= top { pendingDepth = nil }
            if pendingDepth == nil, hierarchy.waitsForUpdate(node) { pendingDepth = depth }
        }
        let state: NodeState =
            isDetached ? .detached : pendingDepth == nil ? .current : .pending
        return NodePosition(depth: depth, state: state)
    }

    private mutating func begin(_ node: NodeIndex, _ depth: Int, _ hierarchy: Hierarchy) {
        isDetached = hierarchy.state(of: node) == .detached
        pendingDepth = nil
        guard hierarchy.updates == .layout else { return }
        var ancestor: NodeIndex? = node
        var level = depth
        while let current = ancestor {
            if hierarchy.waitsForUpdate(current) { pendingDepth = level }
            ancestor = hierarchy.traitParent(of: current)
            level -= 1
        }
    }
}

extension Hierarchy {
    /// Visits the next nodes in tree order, each with its level. Returns whether there are more.
    ///
    /// - Parameter last: the node that was visited last; nil at the beginning.
    package func visit(
        after last: inout NodeIndex?, atMost limit: Int, _ body: (NodeIndex, Int) -> Void
    ) -> Bool {
        var visits = 0
        var hasMore = false
        forEachNode(after: last) { node, level in
            hasMore = visits == limit
            if hasMore { return .stop }
            body(node, level)
            last = node
            visits += 1
            return .descend
        }
        return hasMore
    }
}
