// Other names for nodes and custom traits. Everything refers to both by index, so a new name changes the indices
// of names, and the facts of the digest that have the name.

extension Hierarchy {
    /// Gives a node another name. Registrations, scopes, children, values and watches stay with the node. The same
    /// name does nothing. O(values, registrations and scopes of the node, bridged children); in a layout
    /// hierarchy the commit recounts the digest, once for all new names, in O(everything).
    ///
    /// - Throws: `malformedIdentifier`, `nodeExists`.
    public func renameNode(
        _ node: NodeIndex, to identifier: UnsafeRawBufferPointer
    ) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        let hash = parts.nodes.names.hash(identifier)
        if !IdentifierRules.isWellFormed(identifier, bytesMax: limits.identifierBytesMax) {
            throw .malformedIdentifier(String(decoding: identifier, as: UTF8.self))
        }
        if let known = findNode(identifier, hash) {
            if known == node.rawValue { return }
            throw .nodeExists(String(decoding: identifier, as: UTF8.self))
        }
        let index = node.rawValue
        let former = parts.nodes.names.string(of: index)
        transaction.summary.renames = true
        if transaction.lists.renamed[index] == nil { transaction.lists.renamed[index] = former }
        transaction.log.append(
            .nodeRenamed(node: index, name: transaction.formerNames.insert(former)),
            holdsResources: true)
        guard layout == nil else {
            // The digests of frames have the names of the nodes whose values they hold.
            transaction.summary.recountsDigest = true
            return parts.nodes.rename(index, identifier, hash)
        }
        parts.digest.remove(factsNaming(index))
        parts.nodes.rename(index, identifier, hash)
        parts.digest.add(factsNaming(index))
    }

    /// Gives a node another name; cost and errors as for the overload with bytes.
    public func renameNode(_ node: NodeIndex, to identifier: String) throws(OperationError) {
        try identifier.withBytes { (bytes) throws(OperationError) in
            try renameNode(node, to: bytes)
        }
    }

    /// Gives a custom trait another key. Values, registrations, scopes, environment keys, colours, images and the
    /// trait's identifier stay. A trait whose name is its key is called by the new key. The same key does nothing.
    /// The commit recounts the digest, once for all new keys, in O(everything).
    ///
    /// - Throws: `systemTrait`, `malformedIdentifier`, `duplicateIdentifier`.
    public func renameTrait(_ trait: TraitIndex, to key: String) throws(OperationError) {
        precondition(isInTransaction, "outside of a transaction")
        let former = definitions[trait].key
        try checkNotFollowed(key)
        let before = copyOfDefinitions
        guard try parts.definitions.rename(trait, to: key) else { return }
        transaction.summary.renames = true
        if transaction.lists.renamedTraits[trait.rawValue] == nil {
            transaction.lists.renamedTraits[trait.rawValue] = former
        }
        let copy = copyForLog(before)
        transaction.log.append(
            .traitRenamed(
                trait, name: transaction.formerNames.insert(former), definitions: copy),
            holdsResources: true)
        transaction.summary.recountsDigest = true
        hashKey(of: trait, key)
    }

    func hashKey(of trait: TraitIndex, _ key: String) {
        parts.traits.setHash(
            trait.rawValue, FactHash.mix(FactHash.start(.trait), FactHash.hash(key)))
    }

    /// The facts that have the name of a node.
    private func factsNaming(_ node: Int32) -> StateDigest {
        var facts = ownFacts(of: node, nameHash(node))
        facts.add(orderFact(node))
        let link = parts.nodes[node]
        if link.next >= 0 { facts.add(orderFact(link.next)) }
        let child = parts.nodes.firstChild(of: node)
        if child >= 0 { facts.add(orderFact(child)) }
        if link.extra >= 0 {
            let extra = parts.nodes.extra(at: link.extra)
            var bridged = extra.structuralFirst
            while bridged >= 0 {
                facts.add(nodeFact(bridged))
                bridged = parts.nodes.extra(of: bridged).structuralNext
            }
            // A view's fact has its controller. One directly inside of the controller is among those above.
            if link.kind == .viewController, extra.peer >= 0, structuralParent(extra.peer) != node {
                facts.add(nodeFact(extra.peer))
            }
        }
        var count = 0
        forEachRegistration(of: node) { index in
            count += 1
            let registration = parts.registrations[index]
            if registration.isWatch || registration.isHidden { return }
            facts.add(registrationFact(index))
        }
        noteMeasured(4 &* count)
        let scopes = Set(scopes(on: node))
        for scope in scopes {
            let (earlier, later) = parts.scopes.neighbours(of: scope)
            facts.add(scopeFact(scope))
            facts.add(scopeOrderFact(scope, behind: earlier))
            if later >= 0, !scopes.contains(later) {
                facts.add(scopeOrderFact(later, behind: scope))
            }
        }
        return facts
    }

    // MARK: - Committing and undoing

    /// Whether a node or trait from before the transaction has another name than before it.
    var hasOtherNames: Bool {
        transaction.lists.renamed.contains { node, name in
            parts.nodes[node].flags.isDisjoint(with: [.dead, .free, .created])
                && parts.nodes.names.string(of: node) != name
        }
            || transaction.lists.renamedTraits.contains { trait, key in
                let trait = TraitIndex(rawValue: trait)
                return definitions.definition(at: trait).map { $0.key != key } ?? false
            }
    }

    /// Counts every fact again, under the present names. O(everything).
    func recountDigest() {
        transaction.summary.recountsDigest = false
        if layout != nil { refreshFrameDigests() }
        parts.digest.restore(recomputedSums())
    }

    /// Undoes the new name of a node or trait.
    func restoreName(_ entry: UndoEntry) {
        switch entry {
        case .nodeRenamed(let node, let slot):
            guard var name = transaction.formerNames.remove(slot) else { return }
            name.withUTF8 { bytes in
                let bytes = UnsafeRawBufferPointer(bytes)
                let hash = parts.nodes.names.hash(bytes)
                parts.nodes.rename(node, bytes, hash)
            }
        case .traitRenamed(let trait, let slot, _):
            guard let key = transaction.formerNames.remove(slot) else { return }
            hashKey(of: trait, key)
        default: return
        }
        transaction.undoesNames = true
    }
}

extension TraitDefinitions {
    /// Gives a custom trait another key. O(environment keys, length of the names).
    ///
    /// - Returns: whether the key is another one.
    /// - Throws: `systemTrait`, `malformedIdentifier`, `duplicateIdentifier`.
    mutating func rename(_ trait: TraitIndex, to key: String) throws(OperationError) -> Bool {
        let former = self[trait]
        guard former.origin == .custom else { throw .systemTrait(former.key) }
        if former.key.utf8.elementsEqual(key.utf8) { return false }
        let renamed = TraitDefinition(
            key: key, identifier: former.identifier,
            name: former.name == former.key ? key : former.name, type: former.type,
            isNullable: former.isNullable, defaultValue: former.defaultValue,
            affectsColorAppearance: former.affectsColorAppearance, origin: former.origin,
            isDeprecated: former.isDeprecated, deprecatedCases: former.deprecatedCases,
            notes: former.notes)
        try renamed.checkWellFormed(storage.limits)
        if let holder = holder(of: key) { throw .duplicateIdentifier(key, takenBy: holder) }
        mutate { storage in
            storage.names.remove(former)
            storage.entries[Int(trait.rawValue) - Self.customStart] = StoredDefinition(renamed)
            storage.names.insert(renamed, trait)
        }
        if named.refer(to: trait) { changeNamed { $0.renameBridges(to: trait, key) } }
        return true
    }
}

extension NamedDefinitions {
    /// The keys that a trait holds the values of name it by another key. O(environment keys).
    mutating func renameBridges(to trait: TraitIndex, _ name: String) {
        for entry in Array(environmentKeys.values)
        where entry.trait == trait && entry.key.bridgedTrait != nil {
            let key = entry.key
            replace(
                EnvironmentEntry(
                    key: EnvironmentKey(
                        key: key.key, type: key.type, isNullable: key.isNullable,
                        defaultValue: key.defaultValue, bridgedTrait: name, map: key.map),
                    trait: trait))
        }
    }
}

extension Hierarchy {
    /// The registrations and watches on a node, in no order. O(m) for m of them, hidden ones included.
    package func followers(of node: NodeIndex) -> [RegistrationIndex] {
        var found: [RegistrationIndex] = []
        forEachRegistration(of: node.rawValue) { index in
            if !parts.registrations[index].isHidden {
                found.append(RegistrationIndex(rawValue: index))
            }
        }
        return found
    }

    /// The registrations and watches that name a trait. O(registrations and watches).
    package func followers(of trait: TraitIndex) -> [RegistrationIndex] {
        watches(of: trait).map(RegistrationIndex.init)
            + registrations().filter {
                parts.registrations.traits(of: $0.rawValue).contains(trait)
            }
    }
}
