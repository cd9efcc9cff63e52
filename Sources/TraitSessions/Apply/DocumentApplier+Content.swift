// What a document says of its nodes beyond their places: values and order; and what listens to them. Last,
// what the document no longer has goes.

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
        let wanted: [(TraitIndex, TraitValue)]
        do throws(SessionError) {
            wanted = try transaction.readValues(json, layer) ?? []
        } catch {
            throw error.prefixed("/nodes/\(position)")
        }
        for (trait, value) in wanted {
            let present =
                layer == .overrides
                ? hierarchy.override(trait, of: node.index)
                : hierarchy.supplied(trait, of: node.index)
            let place = ManagedPlace(node.index, layer, trait)
            let manager = session.managers.manager(of: place)
            if present == value {
                // An equal value that nobody manages is adopted; that of another one stays theirs.
                guard manager != options.manager, manager == nil || options.force else { continue }
            } else if let manager, manager != options.manager, !options.force {
                let key = hierarchy.definitions[trait].key.pointerToken
                conflict("/nodes/\(position)/\(layer.member)/\(key)", manager)
                continue
            }
            try transaction.set(layer, node.index, trait, value)
        }
        guard options.prune, let own = options.manager, !session.managers.isEmpty else { return }
        let named = wanted.map(\.0)
        for (place, manager) in session.managers.places(at: node.index)
        where manager == own && !place.isNode && place.valueLayer == layer {
            let trait = TraitIndex(rawValue: place.trait)
            if !named.contains(trait) { transaction.remove(layer, node.index, trait) }
        }
    }

    /// Values of environment keys have no manager: the document's are set, others stay.
    func setEnvironment(
        _ json: JSONValue, _ node: Node, _ position: Int, _ transaction: inout Transaction
    ) throws(SessionError) {
        guard json.kind == .object else {
            throw SessionError.wrongType("environment", "an object of key and value", json)
                .prefixed("/nodes/\(position)")
        }
        for (name, value) in json.members {
            do throws(SessionError) {
                let key = try transaction.session.environmentKey(named: name.string)
                let read = try ValueReader.read(value, for: key.definition)
                let present = transaction.hierarchy.ownEnvironmentValue(key.key, of: node.index)
                if present == read { continue }
                try transaction.setEnvironment(node.index, key, value)
            } catch {
                throw error.prefixed(
                    "/nodes/\(position)/environment/\(name.string.pointerToken)")
            }
        }
    }

    // MARK: - Order

    /// The document's nodes stand in its order among their siblings; where they do already, nothing
    /// moves.
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

    // MARK: - What listens

    func listen(_ transaction: inout Transaction) throws(SessionError) {
        for (position, json) in try list("registrations").enumerated() {
            do throws(SessionError) {
                try register(json, &transaction)
            } catch {
                throw error.prefixed("/registrations/\(position)")
            }
        }
        for (position, json) in try list("scopes").enumerated() {
            do throws(SessionError) {
                let scope = try ObjectReader(
                    json, "a scope", members: ["node", "scope", "reads", "stale", "revision"])
                let node = try transaction.session.node(try scope.required("node"), "/node")
                let method = try scope.requiredString("scope")
                let reads = try traits(try scope.required("reads"), transaction)
                if transaction.hierarchy.scope(node, method)?.reads == reads { continue }
                try transaction.setScope(node, method, reads: reads)
            } catch {
                throw error.prefixed("/scopes/\(position)")
            }
        }
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

    func register(
        _ json: JSONValue, _ transaction: inout Transaction
    ) throws(SessionError) {
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
        let ttl = try object.integer("ttl")
        if let present = transaction.hierarchy.registration(named: id) {
            let info = transaction.hierarchy.registrationInfo(present)
            let note = session.note(of: info)
            if info.node == node, note?.label == label, note?.ttl == ttl,
                subject.isSame(as: info, note)
            {
                return
            }
            transaction.unregister(present)
        }
        try transaction.register(id, node: node, for: subject, label: label, ttl: ttl)
    }

    // MARK: - Pruning

    /// What the manager set at nodes that the document does not have, and nodes that it made.
    mutating func prune(_ transaction: inout Transaction) throws(SessionError) {
        guard let manager = options.manager else { return }
        let session = transaction.session
        let hierarchy = transaction.hierarchy
        let managed = session.managers.places(of: manager).filter { place in
            let raw = Int(place.node)
            return raw >= places.count || places[raw] < 0
        }
        // In the order of names, so that every process does the same.
        func name(_ place: ManagedPlace) -> String {
            hierarchy.identifier(of: NodeIndex(rawValue: place.node))
        }
        let ordered = managed.map { ($0, name($0)) }.sorted {
            ($0.1, $0.0.layer, $0.0.trait) < ($1.1, $1.0.layer, $1.0.trait)
        }
        for (place, _) in ordered where !place.isNode {
            transaction.remove(
                place.valueLayer, NodeIndex(rawValue: place.node),
                TraitIndex(rawValue: place.trait))
        }
        for (place, name) in ordered where place.isNode {
            let node = NodeIndex(rawValue: place.node)
            // Its parent may have gone with it.
            guard hierarchy.node(name) == node else { continue }
            if let other = stranger(under: node, manager, session), !options.force {
                conflict("/nodes/\(name)/\(other.node)", other.manager)
                continue
            }
            try transaction.deleteNode(node)
        }
    }

    /// A node at or below that one that the manager did not make, or that the document has; with who made
    /// it.
    func stranger(
        under node: NodeIndex, _ manager: String, _ session: Session
    ) -> (node: String, manager: String)? {
        var found: (node: String, manager: String)?
        session.hierarchy.forEachStructuralDescendant(of: node) { node in
            let raw = Int(node.rawValue)
            let isWanted = raw < places.count && places[raw] >= 0
            let owner = session.managers.manager(of: ManagedPlace(node))
            if isWanted || owner != manager {
                found = (session.hierarchy.identifier(of: node), owner ?? "nobody")
            }
            return found == nil
        }
        return found
    }
}
