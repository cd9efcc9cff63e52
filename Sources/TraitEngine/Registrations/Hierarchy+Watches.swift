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
        if let known = parts.registrations.findWatch(node.rawValue, traits) {
            parts.registrations.request(known)
            return RegistrationIndex(rawValue: known)
        }
        try checkWatched(traits)
        let index = addRegistration(node.rawValue, traits, revision, .watch(requests: 1))
        return RegistrationIndex(rawValue: index)
    }

    /// Removes a watch once. One that a commit ended needs no removing; it may be removed until
    /// that commit is acknowledged, and then does not come back should the commit be undone.
    /// O(traits, and levels above that nothing else has watched).
    public func removeWatch(_ watch: RegistrationIndex) {
        precondition(!isInTransaction, "inside of a transaction")
        let index = watch.rawValue
        guard parts.registrations[index].isWatch else { return }
        if !parts.registrations.withdraw(index) { return }
        if parts.registrations[index].state == .alive {
            discard(index)
        } else {
            parts.registrations.abandon(index)
        }
    }
}
