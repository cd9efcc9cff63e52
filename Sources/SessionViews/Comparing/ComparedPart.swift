// The part of two states that a revert of subtrees compares: what is in the subtrees now, or was then.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

struct ComparedPart {
    /// By node of the earlier and of the present state: whether the node is in the part.
    private var earlier = NodeMap(false)
    private var present = NodeMap(false)
    /// The names of its nodes.
    private(set) var names: Set<String> = []

    /// O(nodes of both states).
    ///
    /// - Parameter moves: whether a node may be in the subtrees of one state, and elsewhere in the other.
    /// - Throws: `unknownNode` for a node that neither state has, with a pointer into the list; `inUse` for nodes that
    ///   stand elsewhere.
    init(
        _ roots: [String], _ a: SessionState, _ b: SessionState, moves: Bool
    ) throws(SessionError) {
        for (position, name) in roots.enumerated()
        where a.hierarchy.node(name) == nil && b.hierarchy.node(name) == nil {
            throw SessionError(
                .unknownNode,
                "The session has no node '\(name)' now, and had none at revision \(a.head).",
                pointer: "/nodes/\(position)"
            ).inside(at: "/nodes/\(position)")
        }
        let then = Self.names(below: roots, in: a.hierarchy)
        let now = Self.names(below: roots, in: b.hierarchy)
        names = then.union(now)
        for name in names {
            let (one, other) = (a.hierarchy.node(name), b.hierarchy.node(name))
            if let one { earlier[one] = true }
            if let other { present[other] = true }
        }
        let elsewhere = then.subtracting(now).filter { b.hierarchy.node($0) != nil }
        let before = now.subtracting(then).filter { a.hierarchy.node($0) != nil }
        func isOfOtherKind(_ name: String) -> Bool {
            guard let one = a.hierarchy.node(name), let other = b.hierarchy.node(name) else {
                return false
            }
            return a.hierarchy.kind(of: one) != b.hierarchy.kind(of: other)
        }
        // A node of another kind is no node that could be moved.
        let refused = elsewhere.filter { !moves || isOfOtherKind($0) }
        if !refused.isEmpty {
            throw Self.elsewhere(refused, in: b, "stand elsewhere now")
        }
        if !moves, !before.isEmpty {
            throw Self.elsewhere(before, in: a, "stood elsewhere at revision \(a.head)")
        }
    }

    func hasEarlier(_ node: NodeIndex) -> Bool { earlier[node] }
    func hasPresent(_ node: NodeIndex) -> Bool { present[node] }

    /// These nodes, what inherits from them, and what stands below them or has one as its controller. O(nodes) for each
    /// time that a node comes before one that it belongs to.
    private static func names(below roots: [String], in hierarchy: Hierarchy) -> Set<String> {
        var names: Set<String> = []
        var marks = NodeMap(false)
        for name in roots {
            guard let node = hierarchy.node(name) else { continue }
            marks[node] = true
            names.insert(name)
        }
        var grows = !names.isEmpty
        while grows {
            grows = false
            hierarchy.forEachNode { node, _ in
                if marks[node] { return .descend }
                let above = [
                    hierarchy.traitParent(of: node), hierarchy.parent(of: node),
                    hierarchy.controller(of: node),
                ]
                guard above.contains(where: { $0.map { marks[$0] } ?? false }) else {
                    return .descend
                }
                grows = true
                marks[node] = true
                names.insert(hierarchy.identifier(of: node))
                return .descend
            }
        }
        return names
    }

    private static let placesMax = 100

    private static func elsewhere(
        _ names: Set<String>, in session: SessionState, _ where: String
    ) -> SessionError {
        let hierarchy = session.hierarchy
        let places = JSONWriter.text { writer in
            writer.beginArray()
            for name in names.sorted().prefix(placesMax) {
                writer.beginObject()
                writer.member("node", name)
                writer.member(
                    "parent", orNull: hierarchy.node(name).flatMap(hierarchy.parent), of: hierarchy)
                writer.endObject()
            }
            writer.endArray()
        }
        return SessionError(
            .inUse,
            "\(names.count) \(names.count == 1 ? "node" : "nodes") of these subtrees \(`where`). With `move: true` the revert moves nodes into the subtrees and out of them; a node of another kind has to be deleted first.",
            pointer: "/nodes"
        ).with("count", Int64(names.count)).with("places", .json(places))
    }
}
