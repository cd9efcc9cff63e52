// The registrations and scopes of a document. Those that are deleted or change end before nodes and definitions are
// deleted, since they refer to these. The document's are made after everything else.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

extension DocumentApplier {
    private struct Registration {
        let id: String
        let node: NodeIndex
        let subject: RegistrationSubject
        let label: String?
        let ttl: Int64?

        func isSame(as info: RegistrationInfo, _ note: RegistrationNote?) -> Bool {
            info.node == node && note?.label == label && note?.ttl == ttl
                && subject.isSame(as: info, note)
        }
    }

    private struct Scope {
        let node: NodeIndex
        let method: String
        let reads: TraitSet
    }

    // MARK: - Ending

    /// Ends the registrations and scopes that are deleted, that change, or that refer to deleted parts.
    func endListeners(_ transaction: inout Transaction) throws(SessionError) {
        let hierarchy = transaction.hierarchy
        let kept = try endChanged(
            "registrations", in: hierarchy.registrations().lazy.map { place(of: $0, hierarchy) },
            &transaction
        ) { json, transaction in
            guard let id = json.member("id")?.string?.string,
                let present = hierarchy.registration(named: id)
            else { return nil }
            let info = hierarchy.registrationInfo(present)
            // A registration that cannot be read yet names something that the document defines.
            let wanted = try? registration(json, transaction)
            let isSame = wanted?.isSame(as: info, transaction.session.note(of: info)) ?? false
            return (place(of: present, hierarchy), isSame && !refersToGoing(info, transaction))
        }
        let keptScopes = try endChanged(
            "scopes",
            in: hierarchy.scopesInOrder().lazy.map { ManagedPlace($0.node, .scope, $0.name) },
            &transaction
        ) { json, transaction in
            guard let name = json.member("node")?.string, let node = hierarchy.node(name.bytes),
                let method = json.member("scope")?.string?.string,
                let present = hierarchy.scope(node, method)
            else { return nil }
            let wanted = try? scope(json, transaction)
            let isSame =
                wanted?.reads == present.reads && !goes(node)
                && !hasGoing(present.reads, hierarchy.definitions)
            return (ManagedPlace(node, .scope, method), isSame)
        }
        for (place, _) in going.managed where !kept.contains(place) && !keptScopes.contains(place) {
            try end(place, &transaction)
        }
    }

    private func place(
        of registration: RegistrationIndex, _ hierarchy: Hierarchy
    ) -> ManagedPlace {
        let info = hierarchy.registrationInfo(registration)
        return ManagedPlace(info.node, .registration, info.identifier ?? "")
    }

    /// Ends those of a list that change, and those of the manager that are to be made behind such a one.
    ///
    /// - Parameters:
    ///   - places: all that the session has, in the order in which they were made.
    ///   - find: the place of an element, and whether the session has it as it is; nil for one that the session does
    ///     not have.
    /// - Returns: the places of those that stay.
    private func endChanged(
        _ member: StaticString, in places: @autoclosure () -> some Sequence<ManagedPlace>,
        _ transaction: inout Transaction,
        _ find: (JSONValue, Transaction) -> (place: ManagedPlace, isSame: Bool)?
    ) throws(SessionError) -> Set<ManagedPlace> {
        var ordinals: [ManagedPlace: Int] = [:]
        if !going.managed.isEmpty {
            for place in places() { ordinals[place] = ordinals.count }
        }
        var kept: Set<ManagedPlace> = []
        var order = MadeOrder()
        for json in try list(member) {
            guard let (place, isSame) = find(json, transaction) else {
                _ = order.keeps(nil)
                continue
            }
            if otherManager(of: place, transaction) != nil { continue }
            if isSame, !prunes(place, transaction) || order.keeps(ordinals[place]) {
                kept.insert(place)
                continue
            }
            _ = order.keeps(nil)
            try end(place, &transaction)
        }
        return kept
    }

    /// Ends a registration or scope, if it is one and still there.
    private func end(
        _ place: ManagedPlace, _ transaction: inout Transaction
    ) throws(SessionError) {
        guard let node = place.node else { return }
        if place.kind == .scope, transaction.hierarchy.scope(node, place.name) != nil {
            try transaction.removeScope(node, place.name)
        } else if place.kind == .registration,
            let registration = transaction.hierarchy.registration(named: place.name),
            transaction.hierarchy.registrationInfo(registration).node == node
        {
            transaction.unregister(registration)
        }
    }

    private func refersToGoing(_ info: RegistrationInfo, _ transaction: Transaction) -> Bool {
        goes(info.node) || hasGoing(info.traits, transaction.hierarchy.definitions)
            || info.colors.contains { goes(.color, $0) }
            || info.images.contains { goes(.image, $0) }
    }

    // MARK: - Making

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

    /// - Returns: the other manager that keeps the registration as it is.
    private func register(
        _ json: JSONValue, _ transaction: inout Transaction
    ) throws(SessionError) -> String? {
        let wanted = try registration(json, transaction)
        if let present = transaction.hierarchy.registration(named: wanted.id) {
            let info = transaction.hierarchy.registrationInfo(present)
            if wanted.isSame(as: info, transaction.session.note(of: info)) { return nil }
            let place = ManagedPlace(info.node, .registration, wanted.id)
            if let other = otherManager(of: place, transaction) { return other }
            transaction.unregister(present)
        }
        try transaction.register(
            wanted.id, node: wanted.node, for: wanted.subject, label: wanted.label,
            ttl: wanted.ttl)
        return nil
    }

    private func registration(
        _ json: JSONValue, _ transaction: Transaction
    ) throws(SessionError) -> Registration {
        let session = transaction.session
        let body = try RegistrationBody(json, isDocumented: true)
        return Registration(
            id: try body.requiredIdentifier(), node: try body.node(in: session),
            subject: try body.subject(in: session), label: try body.label(), ttl: try body.ttl())
    }

    /// - Returns: the other manager that keeps the scope as it is.
    private func setScope(
        _ json: JSONValue, _ transaction: inout Transaction
    ) throws(SessionError) -> String? {
        let wanted = try scope(json, transaction)
        if let present = transaction.hierarchy.scope(wanted.node, wanted.method) {
            if present.reads == wanted.reads { return nil }
            let place = ManagedPlace(wanted.node, .scope, wanted.method)
            if let other = otherManager(of: place, transaction) { return other }
        }
        try transaction.setScope(wanted.node, wanted.method, reads: wanted.reads)
        return nil
    }

    private func scope(
        _ json: JSONValue, _ transaction: Transaction
    ) throws(SessionError) -> Scope {
        let object = try ObjectReader(
            json, "a scope", members: ["node", "scope", "reads", "stale"])
        return Scope(
            node: try transaction.session.node(try object.required("node"), "/node"),
            method: try object.requiredString("scope"),
            reads: try traits(try object.required("reads"), transaction))
    }

    /// The traits that a scope reads; private ones may be among them, which a set has brought.
    private func traits(
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
            } else if let trait = transaction.session.followed(name) {
                set.insert(trait)
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
}
