// Registrations: part of the state, made and ended by transactions.

extension Hierarchy {
    /// Registers for changes of the traits at a node. Never calls back initially, and not for
    /// the commit it is made in; in a layout hierarchy it hears of updates that come after it in
    /// the same transaction. O(traits, and levels above where nothing was watched before).
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
        _ identifier: UnsafeRawBufferPointer, _ node: Int32, _ traits: TraitSet, _ role: Registration.Role
    ) -> Int32 {
        let index = addRegistration(node, traits, revision + 1, role)
        registrationNames.insert(identifier, registrationNames.hash(identifier), at: index)
        enlistRegistration(index, behind: lastRegistration)
        sums.add(registrationFact(index))
        sums.add(registrationOrderFact(index))
        registrationCount += 1
        journal.registeredAlive += 1
        log.append(.registered(index))
        return index
    }

    /// The same for a string.
    public func register(
        _ identifier: String, node: NodeIndex, traits: TraitSet
    ) throws(OperationError) -> RegistrationIndex {
        var identifier = identifier
        let outcome = identifier.withUTF8 { bytes -> Result<RegistrationIndex, OperationError> in
            do throws(OperationError) {
                return .success(
                    try register(UnsafeRawBufferPointer(bytes), node: node, traits: traits))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Ends a registration. O(length of the identifier, traits, and levels above that nothing else
    /// has watched).
    public func unregister(_ registration: RegistrationIndex) {
        precondition(isInTransaction, "outside of a transaction")
        end(registration.rawValue, .unregistered)
    }

    func checkWatched(_ traits: TraitSet) throws(OperationError) {
        guard let first = traits.first else { throw .emptyTraitList }
        if traits.isDisjoint(with: definitions.settable) {
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
        var new = Registration(
            mask: traits.folded, order: nextOrder, createdRevision: createdRevision, node: node,
            role: role)
        nextOrder += 1
        if traits.wordCount > 1 { new.wide = wideTraits.insert(traits) }
        let index: Int32
        if freeRegistration >= 0 {
            index = freeRegistration
            freeRegistration = registrations[index].next
            registrations[index] = new
        } else {
            index = registrations.append(new)
        }
        putOnNode(index)
        countTraits(of: index, 1)
        noteBaseline(of: index)
        return index
    }

    private func putOnNode(_ index: Int32) {
        let registration = registrations[index]
        let watch = ensureWatchNode(registration.node)
        let first = watchNodes[watch].firstRegistration
        registrations[index].previous = -1
        registrations[index].next = first
        if first >= 0 { registrations[first].previous = index }
        watchNodes[watch].firstRegistration = index
        watchNodes[watch].own |= registration.mask
        noteOnlyRegistration(watch)
        raiseWatched(watch, registration.mask, isFolded: registration.wide >= 0)
    }

    private func takeOffNode(_ index: Int32) {
        let registration = registrations[index]
        let watch = links[registration.node].watch
        if registration.next >= 0 {
            registrations[registration.next].previous = registration.previous
        }
        if registration.previous >= 0 {
            registrations[registration.previous].next = registration.next
        } else {
            watchNodes[watch].firstRegistration = registration.next
        }
        if watchNodes[watch].firstRegistration < 0 { watchNodes[watch].own = 0 }
        noteOnlyRegistration(watch)
        pruneWatchNodes(watch)
    }

    /// The registrations on a node have changed: says at its watch node whether there is only one.
    private func noteOnlyRegistration(_ watch: Int32) {
        let first = watchNodes[watch].firstRegistration
        watchNodes[watch].onlyOrder = 0
        if first < 0 { return }
        let only = registrations[first]
        if only.next >= 0 || only.wide >= 0 || only.isHidden { return }
        watchNodes[watch].onlyOrder = only.order
        watchNodes[watch].own = only.mask
    }

    private func enlistRegistration(_ index: Int32, behind earlier: Int32) {
        let later = earlier < 0 ? firstRegistration : registrations[earlier].laterRegistration
        registrations[index].earlierRegistration = earlier
        registrations[index].laterRegistration = later
        if earlier < 0 {
            firstRegistration = index
        } else {
            registrations[earlier].laterRegistration = index
        }
        if later < 0 {
            lastRegistration = index
        } else {
            registrations[later].earlierRegistration = index
        }
    }

    private func delistRegistration(_ index: Int32) {
        let (earlier, later) = (
            registrations[index].earlierRegistration, registrations[index].laterRegistration
        )
        if earlier < 0 {
            firstRegistration = later
        } else {
            registrations[earlier].laterRegistration = later
        }
        if later < 0 {
            lastRegistration = earlier
        } else {
            registrations[later].earlierRegistration = earlier
        }
    }

    private func countTraits(of index: Int32, _ change: Int32) {
        let isWatch = registrations[index].isWatch
        for trait in watchedTraits(index) {
            if isWatch {
                traits[Int32(trait.rawValue)].watches += change
            } else {
                traits[Int32(trait.rawValue)].registrations += change
            }
        }
    }

    /// Ends a registration or watch within a transaction; its slot stays until acknowledged.
    func end(_ index: Int32, _ reason: EndedRegistration.Reason) {
        let stored = registrations[index]
        if stored.isWatch || stored.createdRevision <= revision {
            journal.ended.append(
                EndedRegistration(
                    registration: RegistrationIndex(rawValue: index),
                    identifier: stored.isWatch ? nil : registrationNames.string(of: index),
                    reason: reason))
            journal.endsExisting = true
        } else {
            journal.registeredAlive -= 1
        }
        log.append(.ended(index, earlier: stored.earlierRegistration))
        log.holdsResources = true
        if stored.isWatch { return silence(index) }
        let later = stored.laterRegistration
        sums.remove(registrationFact(index))
        sums.remove(registrationOrderFact(index))
        if later >= 0 { sums.remove(registrationOrderFact(later)) }
        silence(index)
        if later >= 0 { sums.add(registrationOrderFact(later)) }
    }

    /// Takes a registration or watch out of everything that finds it.
    private func silence(_ index: Int32) {
        takeOffNode(index)
        registrations[index].state = .ended
        countTraits(of: index, -1)
        if registrations[index].isHidden {
            hiddenCount -= 1
            return
        }
        if registrations[index].dynamics >= 0 { silenceDynamics(index) }
        if registrations[index].isWatch {
            watchCount -= 1
            watchIndex.remove(watchHash(index), index)
        } else {
            registrationCount -= 1
            delistRegistration(index)
        }
    }

    /// Takes `end` back; the name is still there.
    func revive(_ index: Int32, behind earlier: Int32) {
        // A watch that nobody asks for any more stays away.
        if registrations[index].state == .free { return freeRegistration(index) }
        registrations[index].state = .alive
        putOnNode(index)
        countTraits(of: index, 1)
        if registrations[index].isWatch {
            watchCount += 1
            watchIndex.insert(watchHash(index), index)
        } else {
            registrationCount += 1
            enlistRegistration(index, behind: earlier)
            if registrations[index].dynamics >= 0 { listenForDynamics(index) }
        }
    }

    /// Takes back the making of a registration that is alive, or removes a watch.
    func discard(_ index: Int32) {
        silence(index)
        freeRegistration(index)
    }

    func freeRegistration(_ index: Int32) {
        let freed = registrations[index]
        if !freed.isWatch, !freed.isHidden { registrationNames.remove(index) }
        if freed.dynamics >= 0 { dynamicAsks.remove(freed.dynamics) }
        wideTraits.remove(registrations[index].wide)
        registrations[index].wide = -1
        registrations[index].state = .free
        registrations[index].next = freeRegistration
        freeRegistration = index
    }

    func endRegistrations(of node: Int32, _ reason: EndedRegistration.Reason) {
        while true {
            let watch = links[node].watch
            if watch < 0 || watchNodes[watch].firstRegistration < 0 { return }
            let index = watchNodes[watch].firstRegistration
            if registrations[index].isHidden {
                endHidden(index, reason)
            } else {
                end(index, reason)
            }
        }
    }

    /// The watches that name a trait. O(registrations and watches), if there is any.
    func watches(of trait: TraitIndex) -> [Int32] {
        guard traits[Int32(trait.rawValue)].watches > 0 else { return [] }
        return (0..<Int32(truncatingIfNeeded: registrations.count)).filter { index in
            let registration = registrations[index]
            return registration.state == .alive && registration.isWatch
                && watchedTraits(index).contains(trait)
        }
    }

    func watchedTraits(_ index: Int32) -> TraitSet {
        wideTraits[registrations[index].wide] ?? TraitSet(word: registrations[index].mask)
    }
}
