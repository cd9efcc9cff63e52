// Taking snapshots, and the hierarchies they become.

extension Hierarchy {
    /// The present state, unacknowledged commits included, to be read elsewhere at leisure; see
    /// `HierarchySnapshot`. Must not be called within a transaction. O(1): about 40 µs whatever
    /// the size.
    ///
    /// - Throws: `limit` when `snapshotsMax` snapshots are neither materialized nor let go.
    public func snapshot() throws(OperationError) -> HierarchySnapshot {
        precondition(!isInTransaction, "inside of a transaction")
        forgetClosedSnapshots()
        if snapshots.count >= limits.snapshotsMax {
            throw .limit(name: "snapshotsMax", value: limits.snapshotsMax)
        }
        let state = SnapshotState()
        snapshots.append(state)
        return HierarchySnapshot(parts(state), state)
    }

    /// Snapshots that are complete or let go cost nothing from here on.
    func forgetClosedSnapshots() {
        let count = snapshots.count
        snapshots.removeAll { $0.isClosed.load(ordering: .acquiring) }
        if snapshots.count < count { endClosedCopies() }
    }

    /// A frozen hierarchy makes its index of names when somebody first asks for one.
    @inline(never)
    func makeIndices() {
        isIndexed = true
        identifiers.makeIndex()
        registrationNames.makeIndex()
    }
}
