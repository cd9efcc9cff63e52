// The manager of a place as log entries have it: by the names of its node and its trait.

import JSONCodec
import TraitEngine
import TraitJSON

/// A managed place by the names that a log entry has.
package struct NamedPlace: Hashable, Sendable {
    package let kind: ManagedPlace.Kind
    /// Nil for a definition.
    package var node: String?
    /// The key of a trait, or the name of another part; nil for a node.
    package var name: String?

    package init(_ place: ManagedPlace, in session: SessionState) {
        kind = place.kind
        node = place.nodeName(in: session.hierarchy)
        name = place.isNode ? nil : place.name(in: session.hierarchy)
    }

    /// A definition.
    package init(_ kind: ManagedPlace.Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }

    /// - Throws: `malformedBody`.
    fileprivate init(_ object: ObjectReader) throws(SessionError) {
        let text = try object.requiredString("kind")
        guard let kind = ManagedPlace.Kind.allCases.first(where: { $0.member.description == text })
        else { throw SessionError(.malformedBody, "'\(text)' has no manager.", pointer: "/kind") }
        self.kind = kind
        node = try object.string("node")
        name = try object.string("name")
    }

    /// - Throws: `unknownNode`, `unknownTrait`.
    package func place(in session: SessionState) throws(SessionError) -> ManagedPlace {
        guard let node else { return ManagedPlace(kind, name ?? "") }
        guard let index = session.hierarchy.node(node) else {
            throw SessionError(.unknownNode, "There is no node '\(node)'.", pointer: "/node")
        }
        switch kind {
        case .node: return ManagedPlace(index)
        case .overrides, .supplied:
            let trait = try session.trait(named: name ?? "", "/name")
            return ManagedPlace(index, kind == .overrides ? .overrides : .supplied, trait)
        default: return ManagedPlace(index, kind, name ?? "")
        }
    }
}

/// The manager that a commit gives a place; nil takes the place's manager away.
///
/// In a log entry, `{"kind","node"?,"name"?,"manager"?}`.
package struct NamedManager: Sendable {
    package let place: NamedPlace
    package let manager: String?

    package init(place: NamedPlace, manager: String?) {
        self.place = place
        self.manager = manager
    }

    /// - Throws: `malformedBody`.
    package init(_ json: JSONValue) throws(SessionError) {
        let object = try ObjectReader(
            json, "a manager", members: ["kind", "node", "name", "manager"])
        place = try NamedPlace(object)
        manager = try object.string("manager")
    }

    package func write(into json: inout JSONWriter) {
        json.beginObject()
        json.member("kind", place.kind.member)
        json.member("node", ifPresent: place.node)
        json.member("name", ifPresent: place.name)
        json.member("manager", ifPresent: manager)
        json.endObject()
    }
}

extension SessionState {
    package func manager(of place: NamedPlace) -> String? {
        (try? place.place(in: self)).flatMap { annotations.managers.manager(of: $0) }
    }

    /// Whether there is a value, a node or a definition at the place. O(1).
    package func has(_ named: NamedPlace) -> Bool {
        guard let place = try? named.place(in: self) else { return false }
        let definitions = hierarchy.definitions
        switch place.kind {
        case .overrides, .supplied:
            guard let node = place.node, let layer = place.valueLayer else { return false }
            return hierarchy.value(layer, node, place.trait) != nil
        case .environment:
            guard let node = place.node else { return false }
            return (try? hierarchy.ownEnvironment(place.name, of: node)) != nil
        case .node: return true
        case .trait: return definitions.index(of: place.name) != nil
        case .environmentKey: return definitions.environmentKey(named: place.name) != nil
        case .color: return definitions.dynamic(.color, named: place.name) != nil
        case .image: return definitions.dynamic(.image, named: place.name) != nil
        case .registration, .scope: return false
        }
    }
}

extension Transaction {
    /// Gives a place a manager, and writes this down for the log entry.
    ///
    /// - Throws: `unknownNode`, `unknownTrait`.
    package mutating func setManager(_ change: NamedManager) throws(SessionError) {
        session.annotations.setManager(
            try change.place.place(in: session), change.manager, in: hierarchy)
        givenBack.append(change)
    }
}
