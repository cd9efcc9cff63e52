// Applying operations: what each does to the session.

import JSONCodec
import Ledger
import TraitEngine
import TraitJSON

extension Transaction {
    /// Applies an operation: its names become nodes and traits, its values are read by the present definitions, and
    /// the engine applies it.
    ///
    /// - Throws: what is unknown, mistyped or forbidden, with pointers into what the operation was
    ///   decoded from. The transaction is then to be rolled back.
    package mutating func apply(_ operation: consuming Operation) throws(SessionError) {
        switch consume operation {
        case .createNode(let id, let body): try create(id, body)
        case .putNode(let id, let body): try put(id, body)
        case .updateNode(let node, let patch): try update(try session.node(node), patch)
        case .deleteNode(let node): try deleteNode(try session.node(node))
        case .setValue(let layer, let node, let trait, let value, let end, let stacking):
            let node = try session.node(node)
            let trait = try session.trait(trait)
            try refuseWhenPresent(
                hierarchy.value(layer, node, trait) != nil, "value of this trait at this node")
            if stacking == .under {
                return try setUnder(node, trait, json: value, until: end)
            }
            if let end { return try set(node, trait, json: value, until: end, stacking) }
            try placed("/value") { () throws(SessionError) in
                try set(layer, node, trait, json: value)
            }
        case .removeValue(let layer, let node, let trait, let under):
            let (node, trait) = (try session.node(node), try session.trait(trait))
            if under { removeUnder(node, trait) } else { remove(layer, node, trait) }
        case .moveNode(let node, let move): try self.move(try session.node(node), move)
        case .renameNode(let node, let name): try rename(try session.node(node), to: name)
        case .renameTrait(let trait, let key):
            try rename(try session.customTrait(trait), to: key)
        case .setDevice(let node, let choice):
            try setDevice(try session.node(node), choice)
        case .copyNode(let node, let copy): try self.copy(try session.node(node), copy)
        case .clearOverrides(let node):
            let node = try session.node(node)
            try replace(.overrides, node, with: [])
        case .patchValues(let layer, let node, let values):
            try patch(layer, try session.node(node), values)
        case .defineTrait(let definition):
            isNew = hierarchy.definitions.index(of: definition.key) == nil
            try refuseWhenPresent(!isNew, "'\(definition.key)'")
            try defineTrait(definition)
        case .deleteTrait(let trait):
            try delete(.trait, hierarchy.definitions[try session.trait(trait)].key)
        case .updateTrait(let trait, let patch): try updateTrait(trait, patch)
        case .layout: try layout()
        case .updateTraitsIfNeeded(let node): try updateTraitsIfNeeded(try session.node(node))
        case .register(let id, let body): try register(id, body)
        case .putRegistration(let id, let body): try putRegistration(id, body)
        case .unregister(let id):
            if let registration = hierarchy.registration(named: id) { unregister(registration) }
        case .setScope(let node, let method, let reads): try putScope(node, method, reads)
        case .removeScope(let node, let method):
            let node = try session.node(node)
            if hierarchy.scope(node, method) != nil { try removeScope(node, method) }
        case .defineEnvironmentKey(let name, let body): try defineEnvironmentKey(name, body)
        case .deleteEnvironmentKey(let key):
            try delete(.environmentKey, try session.environmentKey(key).key)
        case .setEnvironment(let node, let key, let value): try putEnvironment(node, key, value)
        case .removeEnvironment(let node, let key):
            let node = try session.node(node)
            try removeEnvironment(node, try session.environmentKey(key))
        case .defineDynamic(let kind, let name, let body): try define(kind, name, body)
        case .deleteDynamic(let kind, let name):
            try delete(DefinitionKind(kind), try session.dynamic(kind, name).name)
        }
    }

    /// Applies a list of operations. Each is decoded just before it is applied.
    ///
    /// - Parameters:
    ///   - pointer: where the list stands in the body.
    ///   - shortage: why operations that take memory are refused; nil when there is room.
    /// - Throws: what one of them is refused for, with its place.
    mutating func apply(
        _ list: JSONValue, at pointer: String, _ shortage: MemoryShortage? = nil,
        _ decode: (JSONValue) throws(SessionError) -> Operation
    ) throws(SessionError) {
        try budget.begin(list.count, session)
        var position = 0
        for json in list.elements {
            do throws(SessionError) {
                let operation = try decode(json)
                if let shortage, operation.grows { throw SessionError(shortage) }
                try apply(operation)
                try spend()
            } catch {
                throw error.prefixed("\(pointer)/\(position)").withFaults(
                    of: list.elements.dropFirst(position + 1), from: position + 1, in: pointer
                ) { json throws(SessionError) in _ = try decode(json) }
            }
            position += 1
        }
    }

    /// Gives errors of a value the place where the value stands.
    private func placed(
        _ pointer: String, _ body: () throws(SessionError) -> Void
    ) throws(SessionError) {
        do throws(SessionError) { try body() } catch { throw error.at(pointer) }
    }

    /// - Parameter what: the present thing, in the words of the refusal.
    private func refuseWhenPresent(
        _ isPresent: @autoclosure () -> Bool, _ what: @autoclosure () -> String
    ) throws(SessionError) {
        guard wantsNew, isPresent() else { return }
        throw SessionError(
            .revisionMismatch,
            "There is a \(what()) already, and the request asks for a new one."
        ).with("currentRevision", session.head)
    }

    // MARK: - Nodes

    private mutating func create(_ id: Reference, _ body: NodeBody) throws(SessionError) {
        do throws(SessionError) {
            try createNode(id.bytes, try body.description(in: self))
        } catch {
            throw error.pointingAtIdentifier("/\(body.form.identifier)")
        }
        isNew = true
    }

    private mutating func put(_ id: Reference, _ body: NodeBody) throws(SessionError) {
        guard let node = hierarchy.node(id.bytes) else { return try create(id, body) }
        try refuseWhenPresent(true, "'\(id.string)'")
        try replace(node, with: body)
    }

    // MARK: - Scopes and environments

    private mutating func putScope(
        _ node: Reference, _ method: String, _ reads: JSONValue
    ) throws(SessionError) {
        let index = try session.node(node)
        try refuseWhenPresent(
            hierarchy.scope(index, method) != nil, "scope '\(method)' of this node")
        let traits = try TraitList.read(reads, "reads", withKeys: true, in: session)
        do throws(SessionError) {
            try setScope(index, method, reads: traits)
        } catch {
            if node.pointer == nil { throw error }
            throw error.at(error.code == .kindMismatch ? "/scope" : "/reads")
        }
    }

    private mutating func putEnvironment(
        _ node: Reference, _ key: Reference, _ value: JSONValue
    ) throws(SessionError) {
        let node = try session.node(node)
        let key = try session.environmentKey(key)
        let present = try ownEnvironment(key, of: node)
        try refuseWhenPresent(present != nil, "value of this key at this node")
        try placed("/value") { () throws(SessionError) in try setEnvironment(node, key, value) }
    }

    // MARK: - Definitions

    private mutating func defineEnvironmentKey(
        _ name: String, _ body: DefinitionBody
    ) throws(SessionError) {
        isNew = hierarchy.definitions.environmentKey(named: name) == nil
        do throws(SessionError) {
            let key = try EnvironmentKeyReader.read(body.json, key: name, in: session)
            try refuseWhenPresent(!isNew, "'\(name)'")
            try defineEnvironmentKey(key)
        } catch {
            throw body.placing(error)
        }
    }

    private mutating func define(
        _ kind: DynamicKind, _ name: String, _ body: DefinitionBody
    ) throws(SessionError) {
        isNew = hierarchy.definitions.dynamic(kind, named: name) == nil
        do throws(SessionError) {
            let value = try DynamicReader.read(body.json, kind, named: name, in: session)
            try refuseWhenPresent(!isNew, "'\(name)'")
            try defineDynamic(value)
        } catch {
            throw body.placing(error)
        }
    }

    // MARK: - Registrations

    private mutating func register(
        _ id: String, _ body: RegistrationBody
    ) throws(SessionError) {
        let node = try body.node(in: session)
        let subject = try body.subject(in: session)
        do throws(SessionError) {
            try register(
                id, node: node, for: subject, label: try body.label(), ttl: try body.ttl())
        } catch {
            throw error.pointingAtIdentifier(body.identifierPointer)
        }
        isNew = true
    }

    private mutating func putRegistration(
        _ id: String, _ body: RegistrationBody
    ) throws(SessionError) {
        guard let present = hierarchy.registration(named: id) else {
            return try register(id, body)
        }
        let node = try body.node(in: session)
        let subject = try body.subject(in: session)
        try refuseWhenPresent(true, "'\(id)'")
        let info = hierarchy.registrationInfo(present)
        let note = session.note(of: info)
        guard info.node == node, note?.label == (try body.label()),
            note?.ttl == (try body.ttl()), subject.isSame(as: info, note)
        else { throw SessionError(OperationError.registrationExists(id)) }
        if note?.ttl != nil {
            renewed.append(RegistrationKey(id: id, revision: info.createdRevision))
        }
    }
}

extension DefinitionBody {
    func placing(_ error: SessionError) -> SessionError {
        let prefix = prefix.description
        return prefix.isEmpty ? error : error.prefixed(prefix)
    }
}
