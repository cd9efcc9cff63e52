// The operations of a client on a session, as values. An endpoint makes one operation, a transaction
// makes many, and a log entry holds those that were applied; all are decoded, applied and written
// down by the same code (`Operation+Decoding`, `Transaction`).
//
// An operation is a view: its names and values lie in the request or the log entry that it was
// decoded from, so that one override costs no allocation. `copied(into:)` makes one that owns
// what it names, for a commit whose log answers later.

import JSONCodec
import TraitEngine

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
    case setValue(ValueLayer, Reference, Reference, JSONValue, until: ValueEnd? = nil)
    case removeValue(ValueLayer, Reference, Reference)
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

// MARK: - Owning

/// Owns the bytes that copied operations refer to.
///
/// Confined by the session's lock, as the commits are that hold it.
package final class OperationArena: @unchecked Sendable {
    private var buffers: [UnsafeMutableRawBufferPointer] = []
    /// They read the copied values.
    private var tapes: [JSONTape] = []
    /// Has all values that are referred to, so that none is copied.
    private let owner: AnyObject?
    /// One for the process: a random number for each copy would be a system call for each write that
    /// waits for the log.
    private static let hashSeed = UInt64.random(in: .min ... .max)

    init(keeping owner: AnyObject? = nil) { self.owner = owner }

    deinit { for buffer in buffers { buffer.deallocate() } }

    private func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyMemory(from: bytes)
        buffers.append(copy)
        return UnsafeRawBufferPointer(copy)
    }

    func copy(_ reference: Reference) -> Reference {
        Reference(keep(reference.bytes), at: reference.pointer)
    }

    /// - Parameter json: a value that a tape has accepted already.
    func copy(_ json: JSONValue) -> JSONValue {
        if owner != nil { return json }
        let tape = JSONTape(
            limits: JSONLimits(documentBytesMax: JSONLimits.documentBytesCeiling),
            hashSeed: Self.hashSeed)
        guard let root = try? tape.parse(keep(json.rawBytes)) else {
            preconditionFailure("a value that was read once cannot be read again")
        }
        tapes.append(tape)
        return root
    }

    func copy(_ json: JSONValue?) -> JSONValue? { json.map { copy($0) } }

    func copy(_ object: ObjectReader) -> ObjectReader { ObjectReader(checked: copy(object.json)) }

    func copy(_ body: DefinitionBody) -> DefinitionBody {
        DefinitionBody(copy(body.json), prefix: body.prefix)
    }
}

extension Operation {
    /// A copy whose names and values are views of bytes that the arena owns.
    package func copied(into arena: OperationArena) -> Operation {
        switch self {
        case .createNode(let node, let body):
            .createNode(arena.copy(node), body.copied(into: arena))
        case .putNode(let node, let body): .putNode(arena.copy(node), body.copied(into: arena))
        case .updateNode(let node, let patch):
            .updateNode(arena.copy(node), NodePatch(arena.copy(patch.object)))
        case .deleteNode(let node): .deleteNode(arena.copy(node))
        case .setValue(let layer, let node, let trait, let value, let end):
            .setValue(
                layer, arena.copy(node), arena.copy(trait), arena.copy(value),
                until: end?.copied(into: arena))
        case .removeValue(let layer, let node, let trait):
            .removeValue(layer, arena.copy(node), arena.copy(trait))
        case .patchValues(let layer, let node, let values):
            .patchValues(layer, arena.copy(node), arena.copy(values))
        case .defineTrait, .unregister, .layout: self
        case .deleteTrait(let trait): .deleteTrait(arena.copy(trait))
        case .register(let id, let body): .register(id, body.copied(into: arena))
        case .putRegistration(let id, let body): .putRegistration(id, body.copied(into: arena))
        case .updateTraitsIfNeeded(let node): .updateTraitsIfNeeded(arena.copy(node))
        case .setScope(let node, let method, let reads):
            .setScope(arena.copy(node), method, reads: arena.copy(reads))
        case .removeScope(let node, let method): .removeScope(arena.copy(node), method)
        case .defineEnvironmentKey(let key, let body):
            .defineEnvironmentKey(key, arena.copy(body))
        case .deleteEnvironmentKey(let key): .deleteEnvironmentKey(arena.copy(key))
        case .setEnvironment(let node, let key, let value):
            .setEnvironment(arena.copy(node), arena.copy(key), arena.copy(value))
        case .removeEnvironment(let node, let key):
            .removeEnvironment(arena.copy(node), arena.copy(key))
        case .defineDynamic(let kind, let name, let body):
            .defineDynamic(kind, name, arena.copy(body))
        case .deleteDynamic(let kind, let name): .deleteDynamic(kind, arena.copy(name))
        case .moveNode(let node, let move):
            .moveNode(arena.copy(node), NodeMove(object: arena.copy(move.object)))
        case .updateTrait(let trait, let patch):
            .updateTrait(arena.copy(trait), arena.copy(patch))
        case .clearOverrides(let node): .clearOverrides(arena.copy(node))
        case .renameNode(let node, let name): .renameNode(arena.copy(node), to: arena.copy(name))
        case .renameTrait(let trait, let key):
            .renameTrait(arena.copy(trait), to: arena.copy(key))
        case .copyNode(let node, let copy):
            .copyNode(arena.copy(node), NodeCopy(object: arena.copy(copy.object)))
        }
    }
}
