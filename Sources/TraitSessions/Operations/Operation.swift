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

/// The operations of a transaction, by their name in `op`, with the members that each has. Decoding, the log, history
/// and the interface's document all read this table.
package enum OperationKind: String, CaseIterable, Sendable {
    case createNode, updateNode, deleteNode
    case setOverride, removeOverride, setSupplied, removeSupplied
    case defineTrait, deleteTrait
    case register, unregister
    case layout, updateTraitsIfNeeded
    case setScope, removeScope
    case defineEnvironmentKey, deleteEnvironmentKey, setEnvironment, removeEnvironment
    case defineColor, deleteColor, defineImage, deleteImage
    case moveNode
    case updateTrait
    case renameNode, renameTrait
    // Entries have operations of the other kinds in place of these.
    case putNode, putTrait, clearOverrides, copyNode, setDevice

    /// The members beside `op`, those that are required first.
    package var members: (required: [StaticString], optional: [StaticString]) {
        switch self {
        case .moveNode: (["node"], ["parent", "before", "after"])
        case .renameNode: (["node", "to"], [])
        case .renameTrait: (["trait", "to"], [])
        case .copyNode:
            (["node"], ["to", "prefix", "parent", "before", "after", "registrations", "depth"])
        case .setDevice: (["node", "device"], ["orientation", "split", "settings"])
        case .putNode:
            (["node"], ["kind", "parent", "controller", "label", "overrides", "supplied"])
        case .createNode:
            (["node", "kind"], ["parent", "controller", "label", "overrides", "supplied"])
        case .updateNode: (["node"], ["parent", "controller", "label"])
        case .deleteNode, .updateTraitsIfNeeded, .clearOverrides: (["node"], [])
        case .setOverride: (["node", "trait", "value"], ["expiresAt", "ttl", "over", "under"])
        case .setSupplied: (["node", "trait", "value"], [])
        case .removeOverride: (["node", "trait"], ["under"])
        case .removeSupplied: (["node", "trait"], [])
        case .defineTrait, .putTrait: (["trait", "definition"], [])
        case .deleteTrait: (["trait"], [])
        case .updateTrait: (["trait", "patch"], [])
        case .register:
            (["registration", "node"], ["traits", "set", "colors", "images", "label", "ttl"])
        case .unregister: (["registration"], [])
        case .layout: ([], [])
        case .setScope: (["node", "scope", "reads"], [])
        case .removeScope: (["node", "scope"], [])
        case .defineEnvironmentKey: (["key", "definition"], [])
        case .deleteEnvironmentKey: (["key"], [])
        case .setEnvironment: (["node", "key", "value"], [])
        case .removeEnvironment: (["node", "key"], [])
        case .defineColor: (["color", "definition"], [])
        case .deleteColor: (["color"], [])
        case .defineImage: (["image", "definition"], [])
        case .deleteImage: (["image"], [])
        }
    }

    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    /// The kind of that name. Compares bytes; no string is made.
    package init?(_ name: some Collection<UInt8>) {
        guard let kind = Self.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) }) else {
            return nil
        }
        self = kind
    }
}

/// How many operations of each kind a commit has.
package struct OperationCounts: Sendable {
    package private(set) var total = 0
    /// Whether traits were defined, changed or deleted. Kept, as each commit is asked for it.
    private(set) var changesDefinitions = false
    /// Whether nodes or traits got other names. Kept for the same reason.
    package private(set) var changesNames = false
    /// The first kind and those after it, so that the many commits with one operation need no
    /// array.
    private var first: (kind: OperationKind, count: Int)?
    private var others: [(kind: OperationKind, count: Int)] = []

    mutating func add(_ kind: OperationKind) {
        total += 1
        switch kind {
        case .defineTrait, .putTrait, .deleteTrait, .updateTrait: changesDefinitions = true
        case .renameNode: changesNames = true
        case .renameTrait:
            changesNames = true
            changesDefinitions = true
        default: break
        }
        guard let first, first.kind != kind else {
            first = (kind, (first?.count ?? 0) + 1)
            return
        }
        if let position = others.firstIndex(where: { $0.kind == kind }) {
            others[position].count += 1
        } else {
            others.append((kind, 1))
        }
    }

    /// The kind of the one operation, where there is one.
    var sole: OperationKind? { total == 1 ? first?.kind : nil }

    /// Whether there are operations of a kind that matches. Allocates nothing.
    @inline(__always)
    package func contains(where matches: (OperationKind) -> Bool) -> Bool {
        if let first, matches(first.kind) { return true }
        return others.contains { matches($0.kind) }
    }

    /// In the order in which the kinds first came.
    package var kinds: [(kind: OperationKind, count: Int)] { (first.map { [$0] } ?? []) + others }
}
