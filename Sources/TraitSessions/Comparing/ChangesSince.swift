// What later commits did to the places of an earlier one.

import JSONCodec
import TraitEngine

/// The newest change of each place that is asked for. Places have the names of the earlier state.
struct ChangesSince {
    /// What is asked for.
    var places: Set<ChangedPlace> = []
    /// Nodes and definitions that are asked for with all that is in them or refers to them.
    var wholeNodes: Set<String> = []
    var wholeDefinitions: Set<ChangedPlace> = []

    /// Revisions of the newest changes.
    private(set) var revisions: [ChangedPlace: Int64] = [:]
    /// Changes in the nodes and definitions that are asked for as a whole.
    private(set) var withinWhole: [ChangedPlace: Int64] = [:]
    private var deletions: [String: Int64] = [:]
    /// The parents and controllers that nodes got later; nil for none.
    private var stands: [ChangedPlace: String?] = [:]

    /// Looks at all operations of the commits, oldest first. O(operations).
    mutating func look(at commits: [RetainedCommit]) {
        let tape = JSONTape(limits: .logEntry)
        var nodes = FormerNames()
        var traits = FormerNames()
        for commit in commits {
            NamesSince.forEachOperation(of: commit, tape) { json, _ in
                guard let operation = PrimitiveOperation(json) else { return }
                note(operation, commit.revision, &nodes, &traits)
            }
        }
    }

    private mutating func note(
        _ operation: PrimitiveOperation, _ revision: Int64, _ nodes: inout FormerNames,
        _ traits: inout FormerNames
    ) {
        for place in operation.places(node: { nodes[$0] }, trait: { traits[$0] }) {
            if places.contains(place) { revisions[place] = revision }
            let isWithin =
                place.node.map(wholeNodes.contains) ?? false
                || place.definition.map(wholeDefinitions.contains) ?? false
            if isWithin { withinWhole[place] = revision }
        }
        let name = operation.name("node").map { nodes[$0] }
        switch operation.kind {
        case .createNode, .updateNode:
            guard let name else { break }
            for (member, part) in Self.above where operation.json.member(member) != nil {
                let other = operation.name(member).map { nodes[$0] }
                let place = ChangedPlace.member(node: name, part)
                stands[place] = .some(other)
                guard let other, wholeNodes.contains(other) else { continue }
                withinWhole[operation.kind == .createNode ? .node(name) : place] = revision
            }
        case .deleteNode: if let name { deletions[name] = revision }
        case .renameNode: nodes.rename(operation.name("node"), to: operation.name("to"))
        case .renameTrait: traits.rename(operation.name("trait"), to: operation.name("to"))
        default: break
        }
    }

    private static let above: [(StaticString, ChangedPlace.Member)] = [
        ("parent", .parent), ("controller", .controller),
    ]

    /// Notes as changed the nodes among those asked for that were deleted together with one above them.
    ///
    /// - Parameters:
    ///   - missing: nodes that are no longer there.
    ///   - above: the parent and the controller of a node in the earlier state.
    mutating func noteDeletions(of missing: some Sequence<String>, above: (String) -> [String]) {
        for node in missing where revisions[.node(node)] == nil {
            var open = [node]
            var seen: Set<String> = [node]
            while let next = open.popLast() {
                if let revision = deletions[next] {
                    revisions[.node(node)] = max(revisions[.node(node)] ?? 0, revision)
                }
                let later = Self.above.compactMap { stands[.member(node: next, $1)] ?? nil }
                for other in later + above(next) where seen.insert(other).inserted {
                    open.append(other)
                }
            }
        }
    }
}

/// The names that nodes or traits had before later commits gave them others.
private struct FormerNames {
    private var former: [String: String] = [:]

    subscript(name: String) -> String { former[name] ?? name }

    mutating func rename(_ from: String?, to: String?) {
        guard let from, let to else { return }
        former[to] = self[from]
        // What gets the free name next is another thing. No name has a space.
        former[from] = "\(from) anew"
    }
}
