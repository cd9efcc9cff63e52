// The order of siblings in a comparison. Nothing is applied, so the places that siblings will have are computed:
// siblings that no operation has moved stand as they did, and behind them those that were created or attached,
// in the order of their creation, which is the wanted one.

import JSONCodec
import TraitEngine
import TraitSessions

extension SessionComparison {
    /// Above all places of nodes that stay.
    private static let attached = Int64(Int32.max) + 1

    /// Where a node of `a` stands among its siblings when all nodes are there; below 0 when that is not known.
    ///
    /// - Parameter position: rises along the siblings.
    private func place(of node: NodeIndex, at position: Int64) -> Int64 {
        let found = counterpart(node)
        if let found, keepsTraitParent(node, found) {
            return Int64(ordinals[found])
        }
        // A node that becomes a root does so when it is detached.
        if found != nil, a.hierarchy.traitParent(of: node) == nil { return -1 }
        let isLate = wereLeft.contains(node) && a.configuration.propagation == .legacy
        return isLate ? -1 : Self.attached + position
    }

    /// Whether no operation gives the node another trait parent. A controller with a view that stays inherits from
    /// the view's parent, whatever its own is.
    private func keepsTraitParent(_ node: NodeIndex, _ found: NodeIndex) -> Bool {
        if fates[found] == .stays { return true }
        guard a.configuration.propagation == .unified,
            let view = b.hierarchy.rootView(of: found)
        else { return false }
        return b.hierarchy.parent(of: view) != nil && fates[view] == .stays
    }

    func findUnordered(_ node: NodeIndex, _ level: Int) {
        while lastPlaces.count <= level + 1 { lastPlaces.append(-1) }
        // The next level begins anew with the children of this node.
        lastPlaces[level + 1] = -1
        if let part {
            // The order of siblings outside of the part stays.
            guard let parent = a.hierarchy.traitParent(of: node), part.hasEarlier(parent) else {
                return
            }
        }
        // Attached siblings stand in the order in which they are visited.
        let place = place(of: node, at: max(0, lastPlaces[level] - Self.attached + 1))
        if place < 0 || place <= lastPlaces[level] {
            let parent = a.hierarchy.traitParent(of: node)
            if isUnordered.insert(parent).inserted { unordered.append(parent) }
        } else {
            lastPlaces[level] = place
        }
    }

    func order(below parent: NodeIndex?, _ writer: inout JSONWriter) {
        var siblings: [NodeIndex] = []
        a.hierarchy.forEachNode(under: parent) { node, _ in
            if node == parent { return .descend }
            siblings.append(node)
            return .skipChildren
        }
        let places = siblings.enumerated().map { place(of: $1, at: Int64($0)) }
        SiblingOrder.forEachMove(places) { position, anchor in
            operation(.moveNode, &writer) { writer in
                writer.member("node", orNull: siblings[position], of: a.hierarchy)
                switch anchor {
                case .behindPrevious:
                    writer.member("after", orNull: siblings[position - 1], of: a.hierarchy)
                case .before(let first):
                    writer.member("before", orNull: siblings[first], of: a.hierarchy)
                }
            }
        }
    }
}
