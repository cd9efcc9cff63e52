// What an operation changes, so that two commits can be asked whether they change the same thing.

import JSONCodec
import TraitEngine

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
