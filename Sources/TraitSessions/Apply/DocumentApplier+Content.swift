// What a document says of its nodes beyond their places: values and order; then registrations and scopes.

import JSONCodec
import TraitEngine

extension DocumentApplier {
    // MARK: - Values

    mutating func setValues(_ transaction: inout Transaction) throws(SessionError) {
        for position in nodes.indices {
            let node = nodes[position]
            try set(.overrides, node.overrides, node, position, &transaction)
            try set(.supplied, node.supplied, node, position, &transaction)
            if let json = node.environment {
                try setEnvironment(json, node, position, &transaction)
            }
        }
    }

    mutating func set(
        _ layer: ValueLayer, _ json: JSONValue?, _ node: Node, _ position: Int,
        _ transaction: inout Transaction
    ) throws(SessionError) {
        let hierarchy = transaction.hierarchy
        let session = transaction.session
        let wanted = try within("/nodes/\(position)", try transaction.readValues(json, layer) ?? [])
        for (trait, value) in wanted {
            let present =
                layer == .overrides
                ? hierarchy.override(trait, of: node.index)
                : hierarchy.supplied(trait, of: node.index)
            let place = ManagedPlace(node.index, layer, trait)
            let manager = session.managers.manager(of: place)
            if present == value {
                // The manager adopts an equal value without a manager. An equal value of another
                // manager stays with that manager.
                guard manager != options.manager, manager == nil || options.force else { continue }
            } else if let manager, manager != options.manager, !options.force {
                let key = hierarchy.definitions[trait].key.pointerToken
                conflict("/nodes/\(position)/\(layer.member)/\(key)", manager)
                continue
            }
            try transaction.set(layer, node.index, trait, value)
        }
        guard options.prune, let own = options.manager, !session.managers.isEmpty else { return }
        var named = wanted.map(\.0)
        if layer == .overrides { named += bridgedTraits(of: node, transaction) }
        for (place, manager) in session.managers.places(at: node.index)
        where manager == own && place.valueLayer == layer {
            let trait = TraitIndex(rawValue: place.trait)
            if !named.contains(trait) { transaction.remove(layer, node.index, trait) }
        }
    }

    /// Traits whose overrides the document sets by environment keys that are bridged to them.
    private func bridgedTraits(of node: Node, _ transaction: Transaction) -> [TraitIndex] {
        let definitions = transaction.hierarchy.definitions
        return node.environment?.members.compactMap { name, _ in
            definitions.environmentKey(named: name.string)?.bridgedTrait
                .flatMap(definitions.index(of:))
        } ?? []
    }

    mutating func setEnvironment(
        _ json: JSONValue, _ node: Node, _ position: Int, _ transaction: inout Transaction
    ) throws(SessionError) {
        guard json.kind == .object else {
            throw SessionError.wrongType("environment", "an object of key and value", json)
                .prefixed("/nodes/\(position)")
        }
        let session = transaction.session
        for (name, value) in json.members {
            let pointer = "/nodes/\(position)/environment/\(name.string.pointerToken)"
            do throws(SessionError) {
                let key = try session.environmentKey(named: name.string)
                let read = try ValueReader.read(value, for: key.definition)
                let place = transaction.managedPlace(node.index, key)
                if transaction.hierarchy.ownEnvironmentValue(key.key, of: node.index) == read {
                    let manager = session.managers.manager(of: place)
                    guard manager != options.manager, manager == nil || options.force else {
                        continue
                    }
                } else if let other = otherManager(of: place, transaction) {
                    conflict(pointer, other)
                    continue
                }
                try transaction.setEnvironment(node.index, key, value)
            } catch {
                throw error.prefixed(pointer)
            }
        }
    }

    // MARK: - Order

    /// Orders siblings as the document does. Only nodes that are out of order move.
    func order(_ transaction: inout Transaction) throws(SessionError) {
        let hierarchy = transaction.hierarchy
        var last: [Int32: Int32] = [:]
        var unordered: Set<Int32> = []
        hierarchy.forEachNode { node, _ in
            let raw = Int(node.rawValue)
            guard raw < places.count, places[raw] >= 0 else { return .descend }
            let parent = hierarchy.traitParent(of: node)?.rawValue ?? 0
            if let before = last[parent], before > places[raw] { unordered.insert(parent) }
            last[parent] = places[raw]
            return .descend
        }
        if unordered.isEmpty { return }
        var placed: [Int32: NodeIndex] = [:]
        for node in nodes {
            let parent = hierarchy.traitParent(of: node.index)?.rawValue ?? 0
            guard unordered.contains(parent) else { continue }
            if let before = placed[parent], hierarchy.siblingBefore(node.index) != before {
                try refusing { () throws(OperationError) in
                    try hierarchy.orderNode(node.index, behind: before)
                }
                transaction.recordPlace(of: node.index)
            }
            placed[parent] = node.index
        }
    }

    // MARK: - Registrations and scopes

    mutating func listen(_ transaction: inout Transaction) throws(SessionError) {
        for (position, json) in try list("registrations").enumerated() {
            let pointer = "/registrations/\(position)"
            if let other = try within(pointer, try register(json, &transaction)) {
                conflict(pointer, other)
            }
        }
        for (position, json) in try list("scopes").enumerated() {
            let pointer = "/scopes/\(position)"
            if let other = try within(pointer, try setScope(json, &transaction)) {
                conflict(pointer, other)
            }
        }
    }

    /// - Returns: the other manager that keeps the scope as it is.
    private mutating func setScope(
        _ json: JSONValue, _ transaction: inout Transaction
    ) throws(SessionError) -> String? {
        let scope = try ObjectReader(
            json, "a scope", members: ["node", "scope", "reads", "stale", "revision"])
        let node = try transaction.session.node(try scope.required("node"), "/node")
        let method = try scope.requiredString("scope")
        let reads = try traits(try scope.required("reads"), transaction)
        let place = ManagedPlace(node, .scope, method)
        named.insert(place)
        if let present = transaction.hierarchy.scope(node, method) {
            if present.reads == reads { return nil }
            if let other = otherManager(of: place, transaction) { return other }
        }
        try transaction.setScope(node, method, reads: reads)
        return nil
    }

    /// The traits that a scope reads; private ones may be among them, which a set has brought.
    func traits(
        _ json: JSONValue, _ transaction: Transaction
    ) throws(SessionError) -> TraitSet {
        guard json.kind == .array else {
            throw .wrongType("reads", "an array of trait names", json)
        }
        var set = TraitSet()
        for element in json.elements {
            guard let name = element.string?.string else {
                throw .wrongType("reads", "an array of trait names", json)
            }
            if let named = transaction.hierarchy.definitions.set(named: name) {
                set.formUnion(named)
            } else {
                set.insert(try transaction.session.trait(named: name, "/reads"))
            }
        }
        return set
    }

    func list(_ member: StaticString) throws(SessionError) -> [JSONValue] {
        guard let json = object[member] else { return [] }
        guard json.kind == .array else { throw object.wrongType(member, "an array", json) }
        return Array(json.elements)
    }

    /// - Returns: the other manager that keeps the registration as it is.
    private mutating func register(
        _ json: JSONValue, _ transaction: inout Transaction
    ) throws(SessionError) -> String? {
        let session = transaction.session
        let object = try ObjectReader(
            json, "a registration",
            members: RegistrationSubject.members(
                beside: ["id", "node", "label", "ttl", "asked", "createdAt", "revision"]))
        let id = try object.requiredString("id")
        guard Identifier.isValid(id) else { throw SessionError.malformedIdentifier(id).at("/id") }
        let node = try session.node(try object.required("node"), "/node")
        let subject = try RegistrationSubject(documented: object, in: session)
        let label = try object.string("label")
        let ttl = try object.timeToLive()
        named.insert(ManagedPlace(node, .registration, id))
        if let present = transaction.hierarchy.registration(named: id) {
            let info = transaction.hierarchy.registrationInfo(present)
            let note = session.note(of: info)
            if info.node == node, note?.label == label, note?.ttl == ttl,
                subject.isSame(as: info, note)
            {
                return nil
            }
            let place = ManagedPlace(info.node, .registration, id)
            if let other = otherManager(of: place, transaction) { return other }
            transaction.unregister(present)
        }
        try transaction.register(id, node: node, for: subject, label: label, ttl: ttl)
        return nil
    }
}
