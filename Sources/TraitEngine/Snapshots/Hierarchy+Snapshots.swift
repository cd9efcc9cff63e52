// Taking snapshots, and the hierarchies they become.

extension Hierarchy {
    /// The present state, unacknowledged commits included, to be read elsewhere at leisure; see
    /// `HierarchySnapshot`. Must not be called within a transaction. O(1): about 40 µs whatever
    /// the size.
    ///
    /// - Throws: `limit` when `snapshotsMax` snapshots are neither materialized nor cancelled.
    public func snapshot() throws(OperationError) -> HierarchySnapshot {
        precondition(!isInTransaction, "inside of a transaction")
        forgetClosedSnapshots()
        if snapshots.count >= limits.snapshotsMax {
            throw .limit(name: "snapshotsMax", value: limits.snapshotsMax)
        }
        var copies = SnapshotCopies()
        let hierarchy = Hierarchy(copying: self, &copies)
        snapshots.append(copies.state)
        return HierarchySnapshot(hierarchy, copies)
    }

    /// Snapshots that are complete or let go do not count any more. Arenas forget their copies when
    /// they are written.
    func forgetClosedSnapshots() {
        snapshots.removeAll { $0.isClosed.load(ordering: .acquiring) }
    }

    /// A frozen hierarchy makes its index of names at the first lookup.
    @inline(never)
    func makeIndices() {
        isIndexed = true
        parts.nodes.makeIndex()
        parts.registrations.makeIndex()
    }
}
