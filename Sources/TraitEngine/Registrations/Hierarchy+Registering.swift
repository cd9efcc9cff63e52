// Registrations: part of the state, made and ended by transactions.

extension Hierarchy {
    /// Registers for changes of the traits at a node. The registration is not notified of the
    /// commit that makes it, except of updates of a layout hierarchy that follow in the same
    /// transaction. O(traits, and levels above where nothing was watched before).
    ///
    /// - Throws: `malformedIdentifier`, `registrationExists`, `limit`, `emptyTraitList`,
    ///   `privateTrait` when only private members of the system sets are named.
    public func register(
        _ identifier: UnsafeRawBufferPointer, node: NodeIndex, traits: TraitSet
    ) throws(OperationError) -> RegistrationIndex {
        precondition(isInTransaction, "outside of a transaction")
        try checkRegistrationName(identifier)
        try checkWatched(traits)
        try checkRegistrationCount()
        let index = addNamed(identifier, node.rawValue, traits, .named)
        return RegistrationIndex(rawValue: index)
    }

    func checkRegistrationName(_ identifier: UnsafeRawBufferPointer) throws(OperationError) {
        if !IdentifierRules.isWellFormed(identifier, bytesMax: limits.identifierBytesMax) {
            throw .malformedIdentifier(String(decoding: identifier, as: UTF8.self))
        }
        if registration(named: identifier) != nil {
            throw .registrationExists(String(decoding: identifier, as: UTF8.self))
        }
    }

    /// Makes a registration that was checked.
    func addNamed(
        _ identifier: UnsafeRawBufferPointer, _ node: Int32, _ traits: TraitSet,
        _ role: Registration.Role
    ) -> Int32 {
        showWrites()
        let index = addRegistration(node, traits, revision + 1, role)
        parts.registrations.enter(index, identifier)
        parts.digest.add(registrationFact(index))
        parts.digest.add(registrationOrderFact(index))
        transaction.summary.registeredAlive += 1
        transaction.log.append(.registered(index))
        return index
    }

    /// Registers under a string; cost and errors as for the overload with bytes.
    public func register(
        _ identifier: String, node: NodeIndex, traits: TraitSet
    ) throws(OperationError) -> RegistrationIndex {
        try identifier.withBytes { (bytes) throws(OperationError) in
            try register(bytes, node: node, traits: traits)
        }
    }

    /// Ends a registration. O(length of the identifier, traits, and levels above that nothing else
    /// has watched).
    public func unregister(_ registration: RegistrationIndex) {
        precondition(isInTransaction, "outside of a transaction")
        end(registration.rawValue, .unregistered)
    }

    func checkWatched(_ traits: TraitSet) throws(OperationError) {
        guard let first = traits.first else { throw .emptyTraitList }
        if traits.isDisjoint(with: definitions.settable.union(definitions.hidden)) {
            throw .privateTrait(definitions[first].key)
        }
    }

    func checkRegistrationCount() throws(OperationError) {
        if registrationCount >= limits.registrationsMax {
            throw .limit(name: "registrationsMax", value: limits.registrationsMax)
        }
    }

    // MARK: - Making and ending

    func addRegistration(
        _ node: Int32, _ traits: TraitSet, _ createdRevision: Int64,
        _ role: Registration.Role
    ) -> Int32 {
        let index = parts.registrations.add(node, traits, createdRevision, role)
        putOnNode(index)
        countTraits(of: index, 1)
        noteBaseline(of: index)
        return index
    }

    private func putOnNode(_ index: Int32) {
        let registration = parts.registrations[index]
        let watch = ensureWatchNode(registration.node)
        let node = parts.watches[watch]
        parts.registrations.push(index, before: node.firstRegistration)
        setRegistrations(watch, first: index, own: node.own | registration.mask)
        parts.watches.raise(
            watch, registration.mask, isFolded: registration.wide >= 0, ownTraits(of:))
    }

    private func takeOffNode(_ index: Int32) {
        let watch = parts.nodes[parts.registrations[index].node].watch
        let node = parts.watches[watch]
        let first = parts.registrations.unlink(index, first: node.firstRegistration)
        setRegistrations(watch, first: first, own: first < 0 ? 0 : node.own)
        pruneWatchNodes(watch)
    }

    /// Copies what the watch node says of the registrations on its node.
    private func setRegistrations(_ watch: Int32, first: Int32, own: UInt64) {
        let only = first < 0 ? nil : parts.registrations[first]
        if let only, only.next < 0, only.wide < 0, !only.isHidden {
            parts.watches.setRegistrations(
                watch, first: first, own: only.mask, onlyOrder: only.order)
        } else {
            parts.watches.setRegistrations(watch, first: first, own: own, onlyOrder: 0)
        }
    }

    private func countTraits(of index: Int32, _ change: Int32) {
        let isWatch = parts.registrations[index].isWatch
        for trait in parts.registrations.traits(of: index) {
            parts.traits.countRegistration(trait.rawValue, change, isWatch: isWatch)
        }
    }

    /// Gives a hidden registration other traits. What it is compared with stays.
    func retrait(_ index: Int32, _ traits: TraitSet) {
        if parts.registrations.traits(of: index) == traits { return }
        takeOffNode(index)
        countTraits(of: index, -1)
        parts.registrations.setTraits(of: index, traits)
        countTraits(of: index, 1)
        putOnNode(index)
    }

    /// Ends a registration or watch within a transaction; its slot stays until acknowledged.
    func end(_ index: Int32, _ reason: EndedRegistration.Reason) {
        let stored = parts.registrations[index]
        if stored.isWatch || stored.createdRevision <= revision {
            transaction.lists.ended.append(
                EndedRegistration(
                    registration: RegistrationIndex(rawValue: index),
                    identifier: stored.isWatch ? nil : parts.registrations.name(of: index),
                    reason: reason))
            transaction.summary.endsExisting = true
        } else {
            transaction.summary.registeredAlive -= 1
        }
        transaction.log.append(
            .ended(index, earlier: stored.earlierRegistration), holdsResources: true)
        if stored.isWatch { return silence(index) }
        let later = stored.laterRegistration
        parts.digest.remove(registrationFact(index))
        parts.digest.remove(registrationOrderFact(index))
        if later >= 0 { parts.digest.remove(registrationOrderFact(later)) }
        silence(index)
        if later >= 0 { parts.digest.add(registrationOrderFact(later)) }
    }

    /// Removes a registration or watch from the watch tree, from its table and from the counts.
    private func silence(_ index: Int32) {
        takeOffNode(index)
        parts.registrations.end(index)
        countTraits(of: index, -1)
        if parts.registrations[index].dynamics >= 0 { endDynamicsRegistration(index) }
    }

    /// Undoes `end`; the name is still there.
    func revive(_ index: Int32, behind earlier: Int32) {
        // A watch that was removed since does not come back.
        if parts.registrations[index].state == .free { return freeRegistration(index) }
        parts.registrations.revive(index, behind: earlier)
        putOnNode(index)
        countTraits(of: index, 1)
        if parts.registrations[index].dynamics >= 0 { addDynamicsRegistration(index) }
    }

    /// Undoes the making of a registration that is alive, or removes a watch.
    func discard(_ index: Int32) {
        silence(index)
        freeRegistration(index)
    }

    func freeRegistration(_ index: Int32) {
        let slot = parts.registrations[index].dynamics
        if slot >= 0 { parts.dynamics.remove(slot) }
        parts.registrations.free(index)
    }

    func endRegistrations(of node: Int32, _ reason: EndedRegistration.Reason) {
        while true {
            let watch = parts.nodes[node].watch
            if watch < 0 || parts.watches[watch].firstRegistration < 0 { return }
            let index = parts.watches[watch].firstRegistration
            if parts.registrations[index].isHidden {
                endHidden(index, reason)
            } else {
                end(index, reason)
            }
        }
    }

    /// The watches that name a trait. O(registrations and watches), if there is any.
    func watches(of trait: TraitIndex) -> [Int32] {
        guard parts.traits[trait.rawValue].watches > 0 else { return [] }
        return parts.registrations.indices.filter { index in
            let registration = parts.registrations[index]
            return registration.state == .alive && registration.isWatch
                && parts.registrations.traits(of: index).contains(trait)
        }
    }
}
