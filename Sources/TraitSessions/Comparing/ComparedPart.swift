// The part of two states that a revert of subtrees compares: the subtrees in both, and the subtrees of whatever has
// moved into or out of them since. So no node of the part has a node outside of it below itself.

import TraitEngine

struct ComparedPart {
    /// By node of the earlier and of the present state: whether the node is in the part.
    private var earlier: [Bool]
    private var present: [Bool]
    /// The names of its nodes.
    private(set) var names: Set<String> = []

    /// O(nodes of both states), and once more for each time that nodes moved into or out of the part.
    ///
    /// - Throws: `unknownNode` for a node that neither state has, with a pointer into the list.
    init(_ roots: [String], _ a: SessionState, _ b: SessionState) throws(SessionError) {
        earlier = []
        present = []
        for (position, name) in roots.enumerated() {
            let (one, other) = (a.hierarchy.node(name), b.hierarchy.node(name))
            if one == nil, other == nil {
                throw SessionError(
                    .unknownNode,
                    "The session has no node '\(name)' now, and had none at revision \(a.head).",
                    pointer: "/nodes/\(position)"
                ).inside(at: "/nodes/\(position)")
            }
            names.insert(name)
            if let one { SessionComparison.set(&earlier, one, true, filler: false) }
            if let other { SessionComparison.set(&present, other, true, filler: false) }
        }
        var count = 0
        while count != names.count {
            count = names.count
            Self.spread(in: b.hierarchy, &present, into: a.hierarchy, &earlier, &names)
            Self.spread(in: a.hierarchy, &earlier, into: b.hierarchy, &present, &names)
        }
    }

    func hasEarlier(_ node: NodeIndex) -> Bool { Self.has(earlier, node) }
    func hasPresent(_ node: NodeIndex) -> Bool { Self.has(present, node) }

    private static func has(_ marks: [Bool], _ node: NodeIndex) -> Bool {
        let index = Int(node.rawValue)
        return index < marks.count && marks[index]
    }

    /// Adds what is below the part in one of its trees, and the same nodes of the other state.
    private static func spread(
        in hierarchy: Hierarchy, _ marks: inout [Bool], into other: Hierarchy,
        _ otherMarks: inout [Bool], _ names: inout Set<String>
    ) {
        var grows = true
        while grows {
            grows = false
            hierarchy.forEachNode { node, _ in
                if has(marks, node) { return .descend }
                func isBelow(_ other: NodeIndex?) -> Bool {
                    other.map { has(marks, $0) } ?? false
                }
                guard
                    isBelow(hierarchy.traitParent(of: node)) || isBelow(hierarchy.parent(of: node))
                        || isBelow(hierarchy.controller(of: node))
                else { return .descend }
                grows = true
                SessionComparison.set(&marks, node, true, filler: false)
                let name = hierarchy.identifier(of: node)
                names.insert(name)
                if let same = other.node(name) {
                    SessionComparison.set(&otherMarks, same, true, filler: false)
                }
                return .descend
            }
        }
    }
}
