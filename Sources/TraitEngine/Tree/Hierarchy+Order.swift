// Going through the tree in its order, without recursion: trees may be ten thousand levels deep.

/// How `forEachNode` continues after it visited a node.
public enum NodeVisit: Hashable, Sendable {
    case descend
    case skipChildren
    case stop
}

extension Hierarchy {
    /// Visits nodes in tree order: preorder of the trait tree, siblings and roots in the order in
    /// which they last got their trait parent. O(nodes visited), and O(depth) to resume.
    ///
    /// - Parameters:
    ///   - under: starts with this node and stays at or below it; nil for the whole hierarchy.
    ///   - after: resumes behind this node, which must be at or below `under`.
    ///   - skippingBelow: whether what is below `after` is left out.
    ///   - body: gets the node and its level relative to `under`, or to the roots: 0 for those.
    ///     It must not change the hierarchy.
    public func forEachNode(
        under: NodeIndex? = nil, after: NodeIndex? = nil, skippingBelow: Bool = false,
        _ body: (NodeIndex, _ level: Int) -> NodeVisit
    ) {
        let links = parts.nodes.links
        let top = under?.rawValue ?? 0
        var node = top
        var level = under == nil ? -1 : 0
        var descends = true
        if let after {
            node = after.rawValue
            descends = !skippingBelow
            level += self.level(of: node) - self.level(of: top)
        } else if under != nil {
            switch body(NodeIndex(rawValue: top), 0) {
            case .descend: break
            case .skipChildren: descends = false
            case .stop: return
            }
        }
        while true {
            var next: Int32 = descends ? firstChild(of: node) : -1
            if next >= 0 {
                level += 1
            } else {
                while node != top, links[node].next < 0 {
                    node = parts.nodes.parent(of: node)
                    level -= 1
                }
                if node == top { return }
                next = links[node].next
            }
            node = next
            switch body(NodeIndex(rawValue: node), level) {
            case .descend: descends = true
            case .skipChildren: descends = false
            case .stop: return
            }
        }
    }

    /// Whether the node is that one, or below it in the trait tree. O(depth).
    public func isAtOrBelow(_ node: NodeIndex, _ top: NodeIndex) -> Bool {
        let hot = parts.nodes.hot
        var index = node.rawValue
        while index > 0 {
            if index == top.rawValue { return true }
            index = hot[index].parent
        }
        return false
    }

    /// The nodes whose structural parent the node is, in no particular order. O(trait children).
    public func structuralChildren(of node: NodeIndex) -> [NodeIndex] {
        var children: [NodeIndex] = []
        forEachStructuralChild(node.rawValue) { children.append(NodeIndex(rawValue: $0)) }
        return children
    }

    /// Visits a node and all that is structurally below it, until `body` answers false. O(nodes
    /// visited).
    package func forEachStructuralDescendant(
        of node: NodeIndex, _ body: (NodeIndex) -> Bool
    ) {
        var open = [node.rawValue]
        while let next = open.popLast() {
            guard body(NodeIndex(rawValue: next)) else { return }
            forEachStructuralChild(next) { open.append($0) }
        }
    }

    /// A node and what is structurally below it, each behind its parent, siblings of one trait parent in their
    /// order; nil when there are more than `most`. O(nodes).
    ///
    /// - Parameter levels: how many levels below the node; 0 for the node alone.
    package func structuralSubtree(
        of node: NodeIndex, levels: Int = .max, most: Int = .max
    ) -> [NodeIndex]? {
        var nodes = [node]
        var (position, level, levelEnd) = (0, 0, 1)
        while position < nodes.count, level < levels {
            forEachStructuralChild(nodes[position].rawValue) {
                nodes.append(NodeIndex(rawValue: $0))
            }
            if nodes.count > most { return nil }
            position += 1
            if position == levelEnd { (level, levelEnd) = (level + 1, nodes.count) }
        }
        return nodes
    }

    /// Calls `body` for every structural child, in no particular order. O(trait children).
    @inline(__always)
    func forEachStructuralChild(_ node: Int32, _ body: (Int32) -> Void) {
        var child = firstChild(of: node)
        while child >= 0 {
            let link = parts.nodes[child]
            if !link.flags.contains(.bridged) { body(child) }
            child = link.next
        }
        let extra = parts.nodes[node].extra
        if extra < 0 { return }
        child = parts.nodes.extra(at: extra).structuralFirst
        while child >= 0 {
            body(child)
            child = parts.nodes.extra(of: child).structuralNext
        }
    }
}
