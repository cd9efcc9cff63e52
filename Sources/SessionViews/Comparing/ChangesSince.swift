// What later commits did to the places of an earlier one.

import JSONCodec
import TraitEngine
import TraitSessions

/// A part of a session that operations change, by the names of one state.
enum ChangedPlace: Hashable {
    enum Layer: Hashable {
        case override, supplied, environment
        /// Below a temporary override.
        case under
    }

    enum Member: String {
        case parent, controller, label, order, name
    }

    /// A value that a node has for a trait or an environment key.
    case value(node: String, Layer, key: String)
    /// That a node exists.
    case node(String)
    case member(node: String, Member)
    /// That a definition exists.
    case definition(DefinitionKind, String)
    /// What the definition of a trait says.
    case content(trait: String)
    case name(trait: String)

    /// The node of the place; nil for a definition.
    var node: String? {
        switch self {
        case .value(let node, _, _), .node(let node), .member(let node, _): node
        case .definition, .content, .name: nil
        }
    }

    /// The definition that the place refers to; nil where it refers to none.
    var definition: ChangedPlace? {
        switch self {
        case .value(_, .environment, let key): .definition(.environmentKey, key)
        case .value(_, _, let trait): .definition(.trait, trait)
        case .definition: self
        case .content(let trait), .name(let trait): .definition(.trait, trait)
        case .node, .member: nil
        }
    }
}

/// An operation of a log entry or of a comparison. Such operations are those that change one thing each.
struct PrimitiveOperation {
    let json: JSONValue
    let kind: OperationKind

    /// Nil for a text that is no operation.
    init?(_ json: JSONValue) {
        guard let name = json.member("op")?.string, let kind = OperationKind(name.bytes) else {
            return nil
        }
        self.json = json
        self.kind = kind
    }

    func name(_ member: StaticString) -> String? { json.member(member)?.string?.string }

    /// The definition that the operation makes, changes or deletes.
    var definition: (kind: DefinitionKind, name: String)? {
        let kind: DefinitionKind
        switch self.kind {
        case .defineTrait, .deleteTrait, .updateTrait, .renameTrait: kind = .trait
        case .defineEnvironmentKey, .deleteEnvironmentKey: kind = .environmentKey
        case .defineColor, .deleteColor: kind = .color
        case .defineImage, .deleteImage: kind = .image
        default: return nil
        }
        return name(kind.member).map { (kind, $0) }
    }

    /// What the operation changes. Registrations and scopes are no places: a revert leaves them as they are.
    ///
    /// - Parameters:
    ///   - node: the name of a node in the state whose names the places have.
    ///   - trait: that of a trait.
    func places(
        node: (String) -> String = { $0 }, trait: (String) -> String = { $0 }
    ) -> [ChangedPlace] {
        switch kind {
        case .setOverride, .removeOverride: return value(.override, "trait", node, trait)
        case .setSupplied, .removeSupplied: return value(.supplied, "trait", node, trait)
        case .setEnvironment, .removeEnvironment:
            return value(.environment, "key", node) { $0 }
        case .createNode, .deleteNode: return name("node").map { [.node(node($0))] } ?? []
        case .updateNode:
            guard let changed = name("node").map(node) else { return [] }
            let parts: [(StaticString, [ChangedPlace.Member])] = [
                ("parent", [.parent, .order]), ("controller", [.controller]), ("label", [.label]),
            ]
            return parts.filter { json.member($0.0) != nil }
                .flatMap { $0.1.map { .member(node: changed, $0) } }
        case .moveNode: return name("node").map { [.member(node: node($0), .order)] } ?? []
        case .renameNode:
            guard let from = name("node"), let to = name("to") else { return [] }
            return [.member(node: node(from), .name), .node(node(to))]
        case .renameTrait:
            guard let from = name("trait"), let to = name("to") else { return [] }
            return [.name(trait: trait(from)), .definition(.trait, trait(to))]
        case .updateTrait: return name("trait").map { [.content(trait: trait($0))] } ?? []
        default:
            guard let (kind, defined) = definition else { return [] }
            return [.definition(kind, kind == .trait ? trait(defined) : defined)]
        }
    }

    private func value(
        _ layer: ChangedPlace.Layer, _ member: StaticString, _ node: (String) -> String,
        _ trait: (String) -> String
    ) -> [ChangedPlace] {
        guard let changed = name("node"), let key = name(member) else { return [] }
        let layer = json.member("under")?.bool == true ? .under : layer
        return [.value(node: node(changed), layer, key: trait(key))]
    }

    /// The nodes that the operation names beside those that it changes.
    var neighbours: [String] {
        ["parent", "controller", "before", "after"].compactMap { (member: StaticString) in
            name(member)
        }
    }
}

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
