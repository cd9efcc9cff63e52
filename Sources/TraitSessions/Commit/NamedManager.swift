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
