// Copies of operations that own what they name, for a commit whose log answers later.

import Background
import JSONCodec
import TraitJSON

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
    private static let hashSeed = MachineRandom.next()

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
    package func copy(_ json: JSONValue) -> JSONValue {
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
        case .setValue(let layer, let node, let trait, let value, let end, let stacking):
            .setValue(
                layer, arena.copy(node), arena.copy(trait), arena.copy(value),
                until: end?.copied(into: arena), stacking)
        case .removeValue(let layer, let node, let trait, let under):
            .removeValue(layer, arena.copy(node), arena.copy(trait), under: under)
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
        case .setDevice(let node, let choice):
            .setDevice(arena.copy(node), choice)
        case .copyNode(let node, let copy):
            .copyNode(arena.copy(node), NodeCopy(object: arena.copy(copy.object)))
        }
    }
}
