// Siblings in the order of a list of nodes, with the fewest moves.

import TraitEngine
import TraitJSON

extension Transaction {
    /// Orders siblings by their position in a list. Siblings that the list does not have stay where they are.
    /// O(nodes), and O(n log n) for n siblings of which some have to move.
    ///
    /// - Parameter position: of a node in the list; nil for a node that the list does not have.
    package mutating func order(by position: (NodeIndex) -> Int32?) throws(SessionError) {
        var last: [Int32: Int32] = [:]
        var unordered: Set<Int32> = []
        let hierarchy = hierarchy
        hierarchy.forEachNode { node, _ in
            guard let place = position(node) else { return .descend }
            let parent = hierarchy.traitParent(of: node)?.rawValue ?? 0
            if let before = last[parent], before > place { unordered.insert(parent) }
            last[parent] = place
            return .descend
        }
        for parent in unordered.sorted(by: { (last[$0] ?? 0) < (last[$1] ?? 0) }) {
            try order(below: parent, by: position)
        }
    }

    private mutating func order(
        below parent: Int32, by position: (NodeIndex) -> Int32?
    ) throws(SessionError) {
        let hierarchy = hierarchy
        // The siblings as they stand, each with its position in the list.
        var siblings: [(node: NodeIndex, position: Int32, place: Int64)] = []
        hierarchy.forEachNode(under: parent == 0 ? nil : NodeIndex(rawValue: parent)) { node, _ in
            if node.rawValue == parent { return .descend }
            if let position = position(node) {
                siblings.append((node, position, Int64(siblings.count)))
            }
            return .skipChildren
        }
        siblings.sort { $0.position < $1.position }
        try SiblingOrder.forEachMove(siblings.map(\.place)) {
            (index, anchor) throws(SessionError) in
            let node = siblings[index].node
            try refusing { () throws(OperationError) in
                switch anchor {
                case .behindPrevious:
                    try hierarchy.orderNode(node, behind: siblings[index - 1].node)
                case .before(let first): try hierarchy.orderNode(node, before: siblings[first].node)
                }
            }
            recordPlace(of: node)
        }
    }
}
