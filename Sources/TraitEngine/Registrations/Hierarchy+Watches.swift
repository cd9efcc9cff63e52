// Watches: like registrations, but no part of the state. Streams come and go without a commit,
// and those with the same question share one.

extension Hierarchy {
    /// Watches traits at a node. The same question again answers the same watch, to be removed
    /// as often. A watch ends when its node or one of its traits is deleted, and survives `undo()`,
    /// unless that takes one of them away.
    /// O(traits, and levels above where nothing was watched before).
    ///
    /// - Throws: `emptyTraitList`, `privateTrait`, `limit`.
    public func addWatch(
        node: NodeIndex, traits: TraitSet
    ) throws(OperationError) -> RegistrationIndex {
        precondition(!isInTransaction, "inside of a transaction")
        precondition(!isFrozen, "a frozen hierarchy is for reading")
        let hash = Self.watchHash(node.rawValue, traits)
        if let known = findWatch(node.rawValue, traits, hash) {
            setRequests(known, requests(known) + 1)
            return RegistrationIndex(rawValue: known)
        }
        try checkWatched(traits)
        let index = addRegistration(node.rawValue, traits, revision, .watch(requests: 1))
        watchIndex.insert(hash, index)
        watchCount += 1
        return RegistrationIndex(rawValue: index)
    }

    /// Removes a watch once. One that a commit ended needs no removing; it may be removed until
    /// that commit is acknowledged, and then does not come back should the commit be undone.
    /// O(traits, and levels above that nothing else has watched).
    public func removeWatch(_ watch: RegistrationIndex) {
        precondition(!isInTransaction, "inside of a transaction")
        let index = watch.rawValue
        let requests = requests(index)
        if requests == 0 { return }
        if requests > 1 {
            setRequests(index, requests - 1)
        } else if registrations[index].state == .alive {
            discard(index)
        } else {
            registrations[index].state = .free
        }
    }

    /// How often a watch was asked for; 0 for registrations.
    private func requests(_ index: Int32) -> Int32 {
        if case .watch(let requests) = registrations[index].role { requests } else { 0 }
    }

    private func setRequests(_ index: Int32, _ requests: Int32) {
        registrations[index].role = .watch(requests: requests)
    }

    // MARK: - Finding

    static func watchHash(_ node: Int32, _ traits: TraitSet) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(node)
        hasher.combine(traits)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    /// The watch of these traits at a node.
    func findWatch(_ node: Int32, _ traits: TraitSet, _ hash: UInt64) -> Int32? {
        let registrations = registrations.reader
        return watchIndex.find(hash) {
            registrations[$0].node == node && watchedTraits($0) == traits
        }
    }

    func watchHash(_ watch: Int32) -> UInt64 {
        Self.watchHash(registrations[watch].node, watchedTraits(watch))
    }
}
