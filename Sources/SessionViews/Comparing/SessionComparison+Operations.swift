// The operations of a comparison, each for one node or registration.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

/// A value of a node that an operation can set: an override, a supplied value, or an environment
/// value.
private struct SetFact {
    enum Kind: Hashable {
        case override, supplied, environment
    }

    let kind: Kind
    /// The key of the trait or environment key.
    let key: String
    var value: TraitValue
    let encoding: TraitEncoding
    /// When an override ends; nil for a value that stays.
    var end: Int64?
    /// The value that a temporary override covers.
    var covered: CoveredValue?

    var setKind: OperationKind {
        switch kind {
        case .override: .setOverride
        case .supplied: .setSupplied
        case .environment: .setEnvironment
        }
    }

    var removeKind: OperationKind {
        switch kind {
        case .override: .removeOverride
        case .supplied: .removeSupplied
        case .environment: .removeEnvironment
        }
    }

    var member: StaticString { kind == .environment ? "key" : "trait" }

    func isSame(as other: SetFact) -> Bool { kind == other.kind && key == other.key }

    /// The value with the fields of a struct in the order of their names: the same definition may have them in
    /// another order.
    var comparable: TraitValue { comparable(value) }

    func comparable(_ value: TraitValue) -> TraitValue {
        guard case .structure(let values) = value,
            case .structure(let fields) = encoding.definition.type
        else { return value }
        return .structure(
            zip(fields, values).sorted { $0.0.name < $1.0.name }.map { $0.1 })
    }
}

extension SessionState {
    /// The values that the node itself has. O(values).
    fileprivate func setFacts(of node: NodeIndex) -> [SetFact] {
        var facts: [SetFact] = []
        let definitions = hierarchy.definitions
        hierarchy.forEachStoredValue(of: node) { fact in
            guard fact.layer == .override || fact.layer == .supplied else { return }
            if let name = definitions.environmentKey(heldBy: fact.trait),
                let key = definitions.environmentKey(named: name)
            {
                facts.append(
                    SetFact(
                        kind: .environment, key: key.key, value: fact.value,
                        encoding: TraitEncoding(key.definition)))
                return
            }
            let encoding = encodings.encoding(of: fact.trait, in: definitions)
            facts.append(
                SetFact(
                    kind: fact.layer == .override ? .override : .supplied,
                    key: encoding.definition.key, value: fact.value, encoding: encoding,
                    end: fact.layer == .override ? end(of: fact.trait, at: node) : nil,
                    covered: fact.layer == .override
                        ? annotations.covered[node, fact.trait] : nil))
        }
        return facts
    }

    /// `"node"` and the other members with which `register` makes a registration.
    func writeProperties(of info: RegistrationInfo, into writer: inout JSONWriter) {
        let note = note(of: info)
        writer.member("node", info.node, of: hierarchy)
        RegistrationSubject(info, asked: note?.asked).write(
            of: hierarchy.definitions, asAsked: true, into: &writer)
        writer.member("label", ifPresent: note?.label)
        writer.member("ttl", ifPresent: note?.ttl)
    }
}

extension SessionComparison {
    static func writeHead(of session: SessionState, into writer: inout JSONWriter) {
        writer.member("session", session.name)
        writer.member("uid", session.uid)
        writer.member("revision", session.head)
    }

    /// Whether the definition of the trait or environment key of a value of `b` is deleted.
    private func isRedefined(_ fact: SetFact) -> Bool {
        (fact.kind == .environment ? definitions.keys : definitions.traits).contains(fact.key)
    }

    /// The values that `a` sets at a node, but for overrides whose time is over.
    private func wantedFacts(of node: NodeIndex) -> [SetFact] {
        let facts = a.setFacts(of: node)
        if a.annotations.expiries.isEmpty { return facts }
        return facts.compactMap { fact in
            guard let end = fact.end, end <= now else { return fact }
            guard let covered = fact.covered, covered.isThere(at: now) else { return nil }
            var below = fact
            (below.value, below.end, below.covered) = (covered.value, covered.end, nil)
            return below
        }
    }

    /// Whether a node of `b` sets a value whose definition is deleted.
    func losesDefinition(_ node: NodeIndex) -> Bool {
        b.setFacts(of: node).contains(where: isRedefined)
    }

    // MARK: - Removing

    func unregister(_ info: RegistrationInfo, _ writer: inout JSONWriter) {
        let id = info.identifier ?? ""
        if keptRegistrations.contains(id) { return }
        operation(.unregister, &writer) { writer in
            writer.member("registration", id)
        }
    }

    func removeScopes(of node: NodeIndex, _ writer: inout JSONWriter) {
        let origin = origin(node)
        for scope in b.hierarchy.scopes(of: node) {
            if let origin {
                let other = a.hierarchy.scope(origin, scope.name)
                if let other, isSame(scope, as: other) { continue }
            } else if keys(of: scope.reads, b).isDisjoint(with: definitions.traits) {
                // It is removed with the node.
                continue
            }
            operation(.removeScope, &writer) { writer in
                writer.member("node", orNull: node, of: b.hierarchy)
                writer.member("scope", scope.name)
            }
        }
    }

    /// Whether a scope of `b` and a scope of `a` read the same traits with the same definitions.
    private func isSame(_ scope: ScopeInfo, as other: ScopeInfo) -> Bool {
        let reads = keys(of: scope.reads, b)
        return reads == keys(of: other.reads, a) && reads.isDisjoint(with: definitions.traits)
    }

    /// Attaches a detached tree that keeps a value whose definition is deleted. A controller inherits with its view.
    func giveShelter(to node: NodeIndex, _ writer: inout JSONWriter) {
        let hierarchy = b.hierarchy
        guard hierarchy.traitParent(of: node) == nil, keepsRedefined(node) else { return }
        if sheltered.isEmpty {
            operation(.createNode, &writer) { writer in
                writer.member("node", shelter)
                writer.member("kind", NodeKind.window.name)
            }
        }
        let view = b.configuration.propagation == .unified ? hierarchy.rootView(of: node) : nil
        sheltered.append(view ?? node)
        operation(.updateNode, &writer) { writer in
            writer.member("node", orNull: view ?? node, of: hierarchy)
            writer.member("parent", shelter)
        }
    }

    private func keepsRedefined(_ node: NodeIndex) -> Bool {
        let all = b.hierarchy.definitions
        var keeps = false
        b.hierarchy.forEachStoredValue(of: node) { fact in
            guard fact.layer == .kept else { return }
            if let key = all.environmentKey(heldBy: fact.trait) {
                keeps = keeps || definitions.keys.contains(key)
            } else {
                keeps = keeps || definitions.traits.contains(all[fact.trait].key)
            }
        }
        return keeps
    }

    func detach(_ node: NodeIndex, _ writer: inout JSONWriter) {
        guard fates[node] == .moves else { return }
        let hasController = b.hierarchy.controller(of: node) != nil
        if b.hierarchy.parent(of: node) == nil, !hasController { return }
        operation(.updateNode, &writer) { writer in
            writer.member("node", orNull: node, of: b.hierarchy)
            writer.member("parent", orNull: nil, of: b.hierarchy)
            if hasController { writer.member("controller", orNull: nil, of: b.hierarchy) }
        }
    }

    /// Deletes the topmost nodes only: the nodes below them are deleted with them, or were
    /// detached.
    func delete(_ node: NodeIndex, _ writer: inout JSONWriter) {
        guard fates[node] == .gone else { return }
        if let parent = b.hierarchy.parent(of: node), fates[parent] == .gone { return }
        operation(.deleteNode, &writer) { $0.member("node", orNull: node, of: b.hierarchy) }
    }

    func removeValues(of node: NodeIndex, _ writer: inout JSONWriter) {
        if let part, !part.hasPresent(node) { return }
        let facts = b.setFacts(of: node)
        if facts.isEmpty { return }
        // Values of a deleted node are removed with the node.
        let wanted = origin(node).map(wantedFacts)
        for fact in facts
        where isRedefined(fact) || wanted?.contains(where: fact.isSame) == false {
            if fact.covered != nil { remove(fact, of: node, b, under: true, &writer) }
            remove(fact, of: node, b, &writer)
        }
    }

    private func remove(
        _ fact: SetFact, of node: NodeIndex, _ session: SessionState, under: Bool = false,
        _ writer: inout JSONWriter
    ) {
        operation(fact.removeKind, &writer) { writer in
            writer.member("node", orNull: node, of: session.hierarchy)
            writer.member(fact.member, fact.key)
            writer.flag("under", when: under)
        }
    }

    // MARK: - Adding

    /// Whether a node of `a` is at its place at this point of the operations, or a root; true for nil.
    private func isThere(_ node: NodeIndex?) -> Bool {
        node.map { isVisited[$0] } ?? true
    }

    /// Creates or attaches a node. A node whose parent or controller comes later in the order is attached when
    /// all nodes are there: where they are now, it could come to stand below itself.
    func place(_ node: NodeIndex, _ writer: inout JSONWriter) {
        let hierarchy = a.hierarchy
        defer { isVisited[node] = true }
        if let part, !part.hasEarlier(node) { return }
        let canStand =
            isThere(hierarchy.parent(of: node)) && isThere(hierarchy.controller(of: node))
        if let found = counterpart(node) {
            if fates[found] != .moves { return }
            if canStand { attach(node, &writer) } else { left.append(node) }
            return
        }
        operation(.createNode, &writer) { writer in
            writer.member("node", orNull: node, of: a.hierarchy)
            writer.member("kind", hierarchy.kind(of: node).name)
            if canStand { writeStand(of: node, &writer) }
            writer.member("label", ifPresent: hierarchy.label(of: node))
        }
        if !canStand { left.append(node) }
    }

    func attach(_ node: NodeIndex, _ writer: inout JSONWriter) {
        if a.hierarchy.parent(of: node) == nil, a.hierarchy.controller(of: node) == nil { return }
        operation(.updateNode, &writer) { writer in
            writer.member("node", orNull: node, of: a.hierarchy)
            writeStand(of: node, &writer)
        }
    }

    private func writeStand(of node: NodeIndex, _ writer: inout JSONWriter) {
        writer.member("parent", orNull: a.hierarchy.parent(of: node), of: a.hierarchy)
        if let controller = a.hierarchy.controller(of: node) {
            writer.member("controller", orNull: controller, of: a.hierarchy)
        }
    }

    func setValues(of node: NodeIndex, _ writer: inout JSONWriter) {
        if let part, !part.hasEarlier(node) { return }
        let found = counterpart(node)
        let wanted = wantedFacts(of: node)
        let present = wanted.isEmpty ? [] : found.map { b.setFacts(of: $0) } ?? []
        for fact in wanted {
            let other = present.first { fact.isSame(as: $0) && !isRedefined($0) }
            set(fact, of: node, from: other, found, &writer)
        }
        guard let found else { return }
        let label = a.hierarchy.label(of: node)
        if label == b.hierarchy.label(of: found) { return }
        operation(.updateNode, &writer) { writer in
            writer.member("node", orNull: node, of: a.hierarchy)
            writer.member("label", orNull: label)
        }
    }

    /// Writes what makes a value of a node of the value that it has, if there is one.
    private func set(
        _ fact: SetFact, of node: NodeIndex, from other: SetFact?, _ found: NodeIndex?,
        _ writer: inout JSONWriter
    ) {
        // The definitions of the two may have the fields of a struct in another order.
        func isSame(_ wanted: CoveredValue?, _ present: CoveredValue?) -> Bool {
            wanted.map { fact.comparable($0.value) }
                == present.map { (other ?? fact).comparable($0.value) }
                && wanted?.end == present?.end
        }
        func write(_ value: CoveredValue, _ mark: (StaticString, Bool)? = nil) {
            operation(fact.setKind, &writer) { writer in
                writer.member("node", orNull: node, of: a.hierarchy)
                writer.member(fact.member, fact.key)
                writer.key("value")
                fact.encoding.write(value.value, into: &writer)
                writer.member("expiresAt", ifPresent: value.end.map(Timestamp.text))
                if let (name, value) = mark { writer.member(name, value) }
            }
        }
        let wanted = CoveredValue(value: fact.value, end: fact.end)
        let present = other.map { CoveredValue(value: $0.value, end: $0.end) }
        let isTop = isSame(wanted, present)
        if isTop, isSame(fact.covered, other?.covered) { return }
        guard let below = fact.covered else {
            if let covered = other?.covered, isSame(wanted, covered) {
                return remove(fact, of: node, a, &writer)
            }
            // A managed value would be covered.
            let mayCover =
                fact.end != nil
                && (other?.covered != nil
                    || found.map { !b.annotations.managers.places(at: $0).isEmpty } ?? false)
            return write(wanted, mayCover ? ("over", false) : nil)
        }
        if present?.end == nil {
            if !isSame(below, present) { write(below) }
        } else if !isSame(below, other?.covered) {
            write(below, ("under", true))
        }
        if present?.end == nil || !isTop { write(wanted, ("over", true)) }
    }

    /// Lists what `a` set at a node for a time that is over, and `b` does not have. No operation can set it.
    func listExpired(of node: NodeIndex, _ writer: inout JSONWriter) {
        let present = counterpart(node).map { b.setFacts(of: $0) } ?? []
        for fact in a.setFacts(of: node) {
            guard let end = fact.end, end <= now,
                !present.contains(where: { $0.isSame(as: fact) && $0.value == fact.value })
            else { continue }
            if !hasExpired { writer.beginArray("expired") }
            hasExpired = true
            writer.beginObject()
            writer.member("node", orNull: node, of: a.hierarchy)
            writer.member("trait", fact.key)
            writer.key("value")
            fact.encoding.write(fact.value, into: &writer)
            writer.member("expiresAt", Timestamp.text(end))
            writer.endObject()
        }
    }

    func register(_ info: RegistrationInfo, _ writer: inout JSONWriter) {
        let id = info.identifier ?? ""
        if keptRegistrations.contains(id) { return }
        operation(.register, &writer) { writer in
            writer.member("registration", id)
            a.writeProperties(of: info, into: &writer)
        }
    }

    func setScopes(of node: NodeIndex, _ writer: inout JSONWriter) {
        let found = counterpart(node)
        for scope in a.hierarchy.scopes(of: node) {
            if let found, let other = b.hierarchy.scope(found, scope.name), isSame(other, as: scope)
            {
                continue
            }
            operation(.setScope, &writer) { writer in
                writer.member("node", orNull: node, of: a.hierarchy)
                writer.member("scope", scope.name)
                writer.beginArray("reads")
                writer.names(of: scope.reads, a.hierarchy.definitions)
                writer.endArray()
            }
        }
    }
}
