// Snapshots, truncation and the end of what a session has in etcd. The pieces of a snapshot are written one
// after the other and count when the list names them; truncation moves the base in the list first. A crash
// in between leaves keys that nothing refers to.

import SessionLog

extension EtcdLog {
    /// Snapshots of one session that are kept at most.
    private static let snapshotsMax = 4
    /// How often a change of the list is tried that other replicas are quicker with.
    private static let triesMax = 32

    package func write(_ snapshot: LogSnapshot, of session: LogSession) throws(LogFailure) {
        let uid = session.uid
        let mismatch = LogFailure(
            .snapshotMismatch,
            "the log has no entry of revision \(snapshot.revision) with that checksum")
        guard snapshot.revision > 0,
            let checksum = try mirror.read(uid, { $0.checksum(of: snapshot.revision) }),
            checksum == snapshot.checksum
        else {
            // An older one than the newest changes nothing, also when its entries are truncated.
            if snapshot.revision > 0, let newest = try list(of: uid).list.snapshots.last,
                snapshot.revision < newest.revision
            {
                return
            }
            throw mismatch
        }
        if let newest = try list(of: uid).list.snapshots.last, snapshot.revision < newest.revision {
            return
        }
        let stored = try reader.store(snapshot, of: uid)
        let dropped = try change(uid) { (list) throws(LogFailure) in
            let before = list.snapshots
            if let newest = before.last, stored.revision < newest.revision { return before }
            guard stored.revision >= list.base else { throw mismatch }
            if before.last?.revision == stored.revision { list.snapshots.removeLast() }
            list.snapshots.append(stored)
            // A start begins with the oldest snapshot until the log is truncated beyond it.
            while list.snapshots.count > Self.snapshotsMax { list.snapshots.remove(at: 1) }
            return before
        }
        counters.change { $0.snapshots += 1 }
        try delete(dropped, of: uid)
    }

    // MARK: - Reading

    /// Asks etcd only for a snapshot that is needed, so that a start with many sessions takes no request for each, and
    /// entries that are here can be read while etcd does not answer.
    package func start(of session: LogSession) throws(LogFailure) -> LogStart {
        LogStart(
            snapshot: try snapshot(of: session) { $0.base > 0 ? $0.snapshots.first : nil },
            newestSnapshot: try knownList(of: session).snapshots.last?.revision)
    }

    package func snapshot(
        of session: LogSession, atOrBefore revision: Int64
    ) throws(LogFailure) -> LogSnapshot? {
        try snapshot(of: session) { list in list.snapshots.last { $0.revision <= revision } }
    }

    package func snapshotRevisions(of session: LogSession) throws(LogFailure) -> [Int64] {
        try list(of: session.uid).list.snapshots.map(\.revision)
    }

    /// As far as this process knows. Another replica may have written a newer snapshot.
    private func knownList(of session: LogSession) throws(LogFailure) -> SnapshotList {
        try mirror.read(session.uid) { $0.list } ?? SnapshotList()
    }

    private func snapshot(
        of session: LogSession, _ choose: (SnapshotList) -> StoredSnapshot?
    ) throws(LogFailure) -> LogSnapshot? {
        var chosen = choose(try knownList(of: session))
        while let stored = chosen {
            do throws(LogFailure) {
                return try read(stored, of: session)
            } catch {
                guard case .damaged = error.kind else { throw error }
                // Another replica may have put a newer one in its place meanwhile.
                let again = choose(try self.list(of: session.uid).list)
                if again == chosen { throw error }
                chosen = again
            }
        }
        return nil
    }

    private func read(
        _ stored: StoredSnapshot, of session: LogSession
    ) throws(LogFailure) -> LogSnapshot {
        let content = try reader.pieces(
            keys.snapshot(session.uid, stored.revision, stored.tag), count: stored.pieces,
            bytes: stored.bytes)
        let snapshot = LogSnapshot(
            revision: stored.revision, checksum: stored.checksum,
            payload: try Deflate.unpack(content[...]))
        guard StoredSnapshot.check(snapshot) == stored.check else {
            throw LogFailure(
                .damaged(session: session, revision: stored.revision),
                "the snapshot of revision \(stored.revision) of '\(session.name)' is damaged")
        }
        return snapshot
    }

    // MARK: - The list

    /// The list of a session's snapshots, and the revision of etcd that changed it last; 0 without one.
    private func list(
        of uid: String
    ) throws(LogFailure) -> (list: SnapshotList, changedAt: Int64) {
        let range = EtcdRange(key: keys.snapshotList(uid))
        let answer = try client.ask("/v3/kv/range", EtcdRequest.range(range))
        guard let value = answer.found(at: 0).values.first else { return (SnapshotList(), 0) }
        return (try SnapshotList(value.value), value.changedAt)
    }

    /// Changes the list of a session that is there, and tries again when another replica was quicker.
    ///
    /// - Parameter body: changes the list, and returns the snapshots that were in it.
    /// - Returns: the snapshots that are in the list no more.
    private func change(
        _ uid: String,
        _ body: (inout SnapshotList) throws(LogFailure) -> [StoredSnapshot]
    ) throws(LogFailure) -> [StoredSnapshot] {
        let key = keys.snapshotList(uid)
        for _ in 0..<Self.triesMax {
            let (old, changedAt) = try list(of: uid)
            var new = old
            let before = try body(&new)
            let dropped = before.filter { !new.snapshots.contains($0) }
            if new == old { return dropped }
            let answer = try client.ask(
                "/v3/kv/txn",
                EtcdRequest.transaction(
                    if: [.isUnchanged(key, since: changedAt)], then: [.put(key, new.bytes)],
                    else: [.range(EtcdRange(key: key))]))
            // An earlier try may have been carried out without an answer.
            if answer.succeeded || answer.found(at: 0).values.first?.value == new.bytes {
                mirror.note(new, of: uid)
                return dropped
            }
        }
        throw LogFailure(.unavailable, "other replicas change the snapshots of the session")
    }

    // MARK: - Truncating and forgetting

    @discardableResult
    package func truncate(
        _ session: LogSession, through revision: Int64
    ) throws(LogFailure) -> ClosedRange<Int64>? {
        let uid = session.uid
        guard let bounds = try bounds(of: session) else { return nil }
        let last = min(revision, bounds.head)
        var range: ClosedRange<Int64>?
        var oldest = StoredSnapshot?.none
        _ = try change(uid) { (list) throws(LogFailure) in
            range = nil
            let before = list.snapshots
            guard last > list.base else { return before }
            let covered = before.last?.revision ?? 0
            guard last <= covered else {
                throw LogFailure(
                    .notCovered(snapshot: covered),
                    "the newest snapshot is of revision \(covered); \(last) is beyond it")
            }
            guard let checksum = try mirror.read(uid, { $0.checksum(of: last) }) ?? nil else {
                return before
            }
            range = (list.base + 1)...last
            list.base = last
            list.baseChecksum = checksum
            list.snapshots.removeAll { $0.revision < last }
            oldest = list.snapshots.first
            return before
        }
        guard let range else { return nil }
        let rows = keys.rows(of: uid)
        let pieces = keys.pieces(of: uid)
        let next = Keys.hex(last == .max ? last : last + 1)
        try reader.delete(rows, end: rows + next)
        try reader.delete(pieces, end: pieces + next)
        // Also pieces of snapshots that no list has named.
        let snapshots = keys.snapshots(of: uid)
        if let oldest { try reader.delete(snapshots, end: snapshots + Keys.hex(oldest.revision)) }
        return range
    }

    package func forget(_ session: LogSession) throws(LogFailure) { try reader.forget(session) }

    private func delete(_ snapshots: [StoredSnapshot], of uid: String) throws(LogFailure) {
        for snapshot in snapshots {
            let prefix = keys.snapshot(uid, snapshot.revision, snapshot.tag)
            try reader.delete(prefix, end: Keys.end(of: prefix))
        }
    }
}
