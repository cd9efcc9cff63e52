// The operations of a client on a session, as values. An endpoint makes one operation, a transaction
// makes many, and a log entry holds those that were applied; all are decoded, applied and written
// down by the same code (`Operation+Decoding`, `Transaction`).
//
// An operation is a view: its names and values lie in the request or the log entry that it was
// decoded from, so that one override costs no allocation (`Operation+Owning`).

import JSONCodec
import TraitEngine
import TraitJSON

/// A name as the client gave it, and its place.
package struct Reference {
    package let bytes: UnsafeRawBufferPointer
    /// Where it stands in the document; nil for a name that the request's target gives.
    package let pointer: StaticString?

    package init(_ bytes: UnsafeRawBufferPointer, at pointer: StaticString? = nil) {
        self.bytes = bytes
        self.pointer = pointer
    }

    var string: String { String(decoding: bytes, as: UTF8.self) }
}

/// One change of a session.
///
/// The operations in the second group follow from the state that they meet. What they come to is
/// written down as operations of the first group, so a log holds only those.
package enum Operation {
    case createNode(Reference, NodeBody)
    case updateNode(Reference, NodePatch)
    case deleteNode(Reference)
    /// An override may end at a time.
    case setValue(
        ValueLayer, Reference, Reference, JSONValue, until: ValueEnd? = nil, Stacking = .usual)
    /// `under`: the value that a temporary override covers.
    case removeValue(ValueLayer, Reference, Reference, under: Bool = false)
    case defineTrait(TraitDefinition)
    case deleteTrait(Reference)
    case register(String, RegistrationBody)
    case unregister(String)
    case layout
    case updateTraitsIfNeeded(Reference)
    case setScope(Reference, String, reads: JSONValue)
    case removeScope(Reference, String)
    case defineEnvironmentKey(String, DefinitionBody)
    case deleteEnvironmentKey(Reference)
    case setEnvironment(Reference, Reference, JSONValue)
    case removeEnvironment(Reference, Reference)
    case defineDynamic(DynamicKind, String, DefinitionBody)
    case deleteDynamic(DynamicKind, Reference)
    case moveNode(Reference, NodeMove)
    case updateTrait(Reference, DefinitionBody)
    case renameNode(Reference, to: Reference)
    case renameTrait(Reference, to: Reference)

    /// Creates the node, or replaces the properties that the body gives.
    case putNode(Reference, NodeBody)
    /// A merge patch, one level deep: null removes, the rest sets.
    case patchValues(ValueLayer, Reference, JSONValue)
    /// Registers, or does nothing when the registration exists.
    case putRegistration(String, RegistrationBody)
    /// Removes every override of the node.
    case clearOverrides(Reference)
    /// Copies a node with what is structurally below it.
    case copyNode(Reference, NodeCopy)
    /// Supplies a node with what the system supplies on a device.
    case setDevice(Reference, DeviceChoice)
}

/// The place to which a node moves: below a parent, and before or behind a sibling. An absent
/// member keeps its part of the place.
package struct NodeMove {
    let object: ObjectReader

    var parent: JSONValue? { object["parent"] }
    var before: JSONValue? { object["before"] }
    var after: JSONValue? { object["after"] }

    /// - Throws: `malformedBody`.
    func checked() throws(SessionError) -> NodeMove {
        if before == nil || after == nil { return self }
        throw SessionError(
            .malformedBody,
            "A node stands `before` a sibling or `after` one; give one of them.",
            pointer: "/after")
    }
}

/// A node's merge patch: an absent member keeps a property, JSON null clears it.
package struct NodePatch {
    let object: ObjectReader

    /// The node's other name. No member of an operation: `renameNode` is one of its own.
    var id: JSONValue? { object["id"] }
    var parent: JSONValue? { object["parent"] }
    var controller: JSONValue? { object["controller"] }
    var label: JSONValue? { object["label"] }

    /// - Throws: `malformedBody`, `unknownMember`.
    package init(_ json: JSONValue) throws(SessionError) {
        object = try ObjectReader(
            json, "a node's patch", members: ["id", "parent", "controller", "label"])
    }

    /// The members of an operation, which were checked.
    init(_ object: ObjectReader) { self.object = object }
}

/// A definition that can only be read with the session's traits at hand.
package struct DefinitionBody {
    let json: JSONValue
    /// Where it stands in the document: `/definition` in an operation, nothing in a body.
    let prefix: StaticString

    package init(_ json: JSONValue, prefix: StaticString = "") {
        self.json = json
        self.prefix = prefix
    }
}
