// Copies of a node and of what is structurally below it. An entry has the operations that a copy comes to, so a
// replay needs nothing but those.

import JSONCodec
import TraitEngine
import TraitJSON

extension Transaction {
    /// Copies a node with what is structurally below it, as the last child of its parent or at the place that the
    /// copy names. Values get the revision of the commit, and end when the originals do. Managers, scopes and what
    /// detached nodes keep stay with the originals. O(copied).
    ///
    /// - Throws: `exists` with every name that is taken, `transactionTooLarge` beyond `updatedNodesMax` nodes,
    ///   and what refuses new nodes and registrations.
    mutating func copy(_ node: NodeIndex, _ copy: NodeCopy) throws(SessionError) {
        let limit = session.limits.updatedNodesMax
        let most = budget.isShort ? WorkBudget.Short.operationsMax : limit
        guard let originals = hierarchy.structuralSubtree(of: node, levels: copy.levels, most: most)
        else {
            try budget.allow(false)
            throw .limit(
                .transactionTooLarge,
                "The copy would have more than updatedNodesMax=\(limit) nodes. Copy parts of the tree in several transactions.",
                name: "updatedNodesMax", value: limit)
        }
        // The first one of a transaction may copy so many, whatever has been visited before.
        hierarchy.noteVisits(originals.count)
        let registrations = copy.withRegistrations ? try registrations(on: originals) : []
        try budget.allow(originals.count + registrations.count <= most)
        let names = try self.names(copy, of: originals, registrations)
        let parent: Change<NodeIndex> = try NodeBody.change(copy.move.parent, "/parent", session)
        var copies: [NodeIndex: NodeIndex] = [:]
        copies.reserveCapacity(originals.count)
        for (position, original) in originals.enumerated() {
            var place = hierarchy.parent(of: original).flatMap { copies[$0] }
            if position == 0 {
                switch parent {
                case .keep: place = hierarchy.parent(of: node)
                case .clear: place = nil
                case .set(let other): place = other
                }
            }
            copies[original] = try make(names.nodes[position], like: original, below: place)
            try goOn()
        }
        try pair(originals, copies)
        for (registration, name) in zip(registrations, names.registrations) {
            let info = hierarchy.registrationInfo(registration)
            guard let target = copies[info.node] else { continue }
            let note = session.note(of: info)
            try register(
                name, node: target, for: RegistrationSubject(info, asked: note?.asked),
                label: note?.label, ttl: note?.ttl)
            try goOn()
        }
        guard let root = copies[node] else { return }
        try place(root, copy.move)
    }

    /// - Throws: `takesLong`, `transactionTooLarge`.
    private func registrations(
        on nodes: [NodeIndex]
    ) throws(SessionError) -> [RegistrationIndex] {
        var found: [RegistrationIndex] = []
        for node in nodes {
            try budget.allow(
                !hierarchy.renamingTakes(moreThan: WorkBudget.Short.operationsMax, node))
            found += hierarchy.registrations(of: node)
        }
        hierarchy.noteVisits(found.count)
        return found
    }

    /// The names of the copies.
    ///
    /// - Throws: `exists` with all names that are taken, or that the copy would give twice.
    private func names(
        _ copy: NodeCopy, of nodes: [NodeIndex], _ registrations: [RegistrationIndex]
    ) throws(SessionError) -> (nodes: [String], registrations: [String]) {
        let names = try copy.names(of: hierarchy.identifier(of: nodes[0]))
        var clashes = Clashes()
        var found: (nodes: [String], registrations: [String]) = ([], [])
        for (position, node) in nodes.enumerated() {
            let old = hierarchy.identifier(of: node)
            let new = position == 0 ? names.root ?? names.replaced(old) : names.replaced(old)
            try clashes.add(new, old) { hierarchy.node($0) != nil }
            found.nodes.append(new ?? old)
        }
        clashes.beginRegistrations()
        for registration in registrations {
            let old = hierarchy.registrationInfo(registration).identifier ?? ""
            let new = names.replaced(old)
            try clashes.add(new, old) { hierarchy.registration(named: $0) != nil }
            found.registrations.append(new ?? old)
        }
        try clashes.check()
        return found
    }

    /// So many values of a copied node count as another node.
    private static let valuesOfVisit = 8

    /// Creates the copy of one node, without a controller.
    private mutating func make(
        _ name: String, like original: NodeIndex, below parent: NodeIndex?
    ) throws(SessionError) -> NodeIndex {
        let hierarchy = hierarchy
        var overrides = hierarchy.overrides(of: original)
        let ends = session.annotations.expiries.ends(at: original)
        if !ends.isEmpty {
            // A node is created with values that stay.
            overrides.removeAll { trait, _ in ends.contains { $0.trait == trait } }
        }
        let supplied = hierarchy.supplied(of: original)
        // Each may be long, and finding equal ones takes as long as they are.
        try budget.allow(overrides.count + supplied.count <= WorkBudget.Short.scopeReadsMax)
        hierarchy.noteVisits((overrides.count + supplied.count) / Self.valuesOfVisit)
        let description = NodeDescription(
            kind: hierarchy.kind(of: original), parent: parent, controller: nil,
            label: hierarchy.label(of: original), overrides: overrides.isEmpty ? nil : overrides,
            supplied: supplied.isEmpty ? nil : supplied)
        try Array(name.utf8).withBytes { bytes throws(SessionError) in
            try createNode(bytes, description)
        }
        guard let copy = hierarchy.node(name) else {
            throw SessionError(.internalError, "The copy '\(name)' is not there.")
        }
        for end in ends {
            guard let value = hierarchy.override(end.trait, of: original) else { continue }
            let covered = session.annotations.covered[original, end.trait]
            if let covered {
                try set(.overrides, copy, end.trait, covered.value, expiresAt: covered.end)
            }
            try set(
                .overrides, copy, end.trait, value, expiresAt: end.time,
                covered == nil ? .usual : .over)
        }
        for key in hierarchy.definitions.environmentKeys where key.bridgedTrait == nil {
            try takeText()
            if let value = try ownEnvironment(key, of: original) {
                try setEnvironment(copy, key, value)
            }
        }
        return copy
    }

    /// Gives copied views the copies of their controllers, and then the order that the originals have.
    private mutating func pair(
        _ originals: [NodeIndex], _ copies: [NodeIndex: NodeIndex]
    ) throws(SessionError) {
        var hasPairs = false
        for original in originals {
            guard let copy = copies[original] else { continue }
            if let controller = hierarchy.controller(of: original).flatMap({ copies[$0] }) {
                try updateNode(copy, parent: .keep, controller: .set(controller), label: .keep)
                hasPairs = true
            }
        }
        if !hasPairs { return }
        // To order them, all nodes are visited.
        try checkSearching()
        hierarchy.noteMeasured(2 * hierarchy.nodeCount)
        var places: [NodeIndex: Int32] = [:]
        var next: Int32 = 0
        let hierarchy = hierarchy
        let ranks = Set(originals)
        hierarchy.forEachNode { node, _ in
            if ranks.contains(node), let copy = copies[node] {
                places[copy] = next
                next += 1
            }
            return .descend
        }
        try order { places[$0] }
    }
}

/// Names that the nodes and registrations of a copy cannot have.
private struct Clashes {
    /// An answer lists so many.
    private static let listedMax = 1_000

    private var seen: Set<String> = []
    private var names: [String] = []
    private var count = 0

    /// Names of registrations are apart from those of nodes.
    mutating func beginRegistrations() { seen = [] }

    /// - Parameters:
    ///   - new: the name of the copy; nil for a name without the prefix, which then stays.
    ///   - isTaken: whether something has the name.
    /// - Throws: `malformedIdentifier`.
    mutating func add(
        _ new: String?, _ old: String, isTaken: (String) -> Bool
    ) throws(SessionError) {
        let name = new ?? old
        guard Identifier.isValid(name) else { throw .malformedIdentifier(name) }
        guard !seen.insert(name).inserted || isTaken(name) else { return }
        count += 1
        if names.count < Self.listedMax { names.append(name) }
    }

    /// - Throws: `exists` when there is one.
    func check() throws(SessionError) {
        if count == 0 { return }
        throw SessionError(
            .exists,
            "\(count) of the names that the copy would have are taken, '\(names[0])' among them: `names` lists \(count == names.count ? "them" : "the first \(names.count)"). Give the nodes and registrations of the copy other names, by `to` and `prefix`."
        ).with(names: names)
    }
}

extension SessionError {
    /// Adds the names that are taken.
    func with(names: [String]) -> SessionError {
        with("names", .json(JSONWriter.text { $0.list(names) }))
    }
}
