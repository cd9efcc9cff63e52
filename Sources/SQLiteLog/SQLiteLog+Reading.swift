// Reads entries and snapshots from the database. Their positions are in memory.

import CSQLite
import SessionLog

extension SQLiteLog {
    package func sessions() throws(LogFailure) -> [LogSession] {
        try checkTrouble()
        return shared.withLock { Array($0.names.values) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Does not wait for appends.
    package func session(named name: String) throws(LogFailure) -> LogSession? {
        try checkTrouble()
        return shared.withLock { $0.names[name] }
    }

    private func checkTrouble() throws(LogFailure) {
        if let failure { throw LogFailure(.unavailable, failure) }
    }

    package func bounds(of session: LogSession) throws(LogFailure) -> LogBounds? {
        try reading { index.sessions[session]?.bounds }
    }

    package func tail(
        of session: LogSession, after revision: Int64, limit: Int
    ) throws(LogFailure) -> [LogEntry] {
        try reading { () throws(LogFailure) in
            guard let stored = index.sessions[session], limit > 0, revision < stored.head else {
                return []
            }
            var next = max(stored.base, revision) + 1
            var entries: [LogEntry] = []
            while next <= stored.head, entries.count < limit {
                let found = try self.entries(of: stored, from: next)
                entries += found.prefix(limit - entries.count)
                next += Int64(found.count)
            }
            return entries
        }
    }

    /// Reads one entry and verifies it, its place in the chain excepted.
    func entry(of stored: StoredSession, _ revision: Int64) throws(LogFailure) -> LogEntry {
        try entries(of: stored, from: revision)[0]
    }

    /// Reads the entry of a revision and those behind it in its row, as far as the head, and verifies them, the place of
    /// the first in the chain excepted. O(bytes of the row).
    private func entries(
        of stored: StoredSession, from revision: Int64
    ) throws(LogFailure) -> [LogEntry] {
        let damaged = LogFailure.Kind.damaged(session: stored.session, revision: revision)
        guard let place = stored.place(of: revision) else {
            throw LogFailure(damaged, "the log has no entry of revision \(revision)")
        }
        do throws(StorageError) {
            let select = try openConnection.statement(
                "SELECT entry FROM entries WHERE sequence = ?1", place)
            defer { select.reset() }
            guard try select.step() else {
                throw StorageError(code: SQLITE_CORRUPT, message: "there is no such row")
            }
            var row = try StoredRow(select.bytes(0))
            guard row.session == stored.number else {
                throw StorageError(code: SQLITE_CORRUPT, message: "it is another session's")
            }
            var found: [LogEntry] = []
            while revision + Int64(found.count) <= stored.head, let entry = try row.next() {
                let expected = revision + Int64(found.count)
                if found.isEmpty, entry.revision < expected { continue }
                guard entry.revision == expected else {
                    throw StorageError(
                        code: SQLITE_CORRUPT, message: "it is of revision \(entry.revision)")
                }
                found.append(entry)
            }
            guard !found.isEmpty else {
                throw StorageError(code: SQLITE_CORRUPT, message: "its row does not have it")
            }
            return found
        } catch {
            throw failure(error, damaged, "revision \(revision) of '\(stored.session.name)'")
        }
    }

    /// The failure for an error of the storage: `damaged` for damage, else unavailable or out of memory.
    func failure(
        _ error: StorageError, _ damaged: LogFailure.Kind, _ what: String
    ) -> LogFailure {
        guard error.isDamage else {
            return LogFailure(error.unavailability, "\(what) cannot be read: \(error)")
        }
        let page = connection?.damagedPage.map { ", page \($0) of the database" } ?? ""
        return LogFailure(damaged, "\(what) is damaged: \(error.message)\(page)")
    }

    /// Runs `body` when no other call uses the connection.
    func reading<R>(_ body: () throws(LogFailure) -> R) throws(LogFailure) -> R {
        let result = queue.sync { () -> Result<R, LogFailure> in
            if let failure { return .failure(LogFailure(.unavailable, failure)) }
            do throws(LogFailure) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    // MARK: - Snapshots

    package func start(of session: LogSession) throws(LogFailure) -> LogStart {
        try reading { () throws(LogFailure) in
            guard let stored = index.sessions[session] else { return LogStart() }
            var start = LogStart(newestSnapshot: stored.snapshots.last?.revision)
            if stored.base > 0, let oldest = stored.snapshots.first {
                start.snapshot = try read(oldest, of: stored)
            }
            return start
        }
    }

    package func snapshot(
        of session: LogSession, atOrBefore revision: Int64
    ) throws(LogFailure) -> LogSnapshot? {
        try reading { () throws(LogFailure) in
            guard let stored = index.sessions[session],
                let nearest = stored.snapshots.last(where: { $0.revision <= revision })
            else { return nil }
            return try read(nearest, of: stored)
        }
    }

    package func snapshotRevisions(of session: LogSession) throws(LogFailure) -> [Int64] {
        try reading { index.sessions[session]?.snapshots.map(\.revision) ?? [] }
    }

    /// Reads every snapshot of a session, also those that no start needs at present.
    /// O(bytes of the snapshots).
    ///
    /// - Throws: `damaged`, with session and revision, for the first one that is not as it was written.
    package func verifySnapshots(of session: LogSession) throws(LogFailure) {
        try reading { () throws(LogFailure) in
            guard let stored = index.sessions[session] else { return }
            for snapshot in stored.snapshots { _ = try read(snapshot, of: stored) }
        }
    }

    func read(
        _ snapshot: StoredSnapshot, of stored: StoredSession
    ) throws(LogFailure) -> LogSnapshot {
        let damaged = LogFailure.Kind.damaged(
            session: stored.session, revision: snapshot.revision)
        let what = "the snapshot of revision \(snapshot.revision) of '\(stored.session.name)'"
        let payload: [UInt8]?
        do throws(StorageError) {
            payload = try openConnection.payload(of: snapshot)
        } catch {
            throw failure(error, damaged, what)
        }
        guard let payload else {
            throw LogFailure(damaged, "\(what) is damaged: its checksum does not match")
        }
        return LogSnapshot(
            revision: snapshot.revision, checksum: snapshot.checksum, payload: payload)
    }

    static let partBits: Int64 = 20

    /// The ids that the parts of a snapshot may have.
    static func parts(of number: Int64) -> ClosedRange<Int64> {
        let first = number << partBits
        return first...(first | (1 << partBits - 1))
    }
}

extension Connection {
    /// The bytes of a snapshot; nil when they are not as they were written. O(bytes).
    func payload(of snapshot: StoredSnapshot) throws(StorageError) -> [UInt8]? {
        let parts = SQLiteLog.parts(of: snapshot.number)
        let sum = try statement(
            "SELECT sum(length(bytes)) FROM parts WHERE id BETWEEN ?1 AND ?2", parts.lowerBound,
            parts.upperBound)
        defer { sum.reset() }
        // Memory is asked for the bytes that are there, not for those that the row promises.
        guard try sum.step(), sum.integer(0) == snapshot.bytes else { return nil }
        guard StoredRow.hasRoom(for: snapshot.bytes) else {
            throw StorageError(
                code: SQLITE_NOMEM,
                message: "there is no memory for a snapshot of \(snapshot.bytes) bytes")
        }
        let select = try statement(
            "SELECT bytes FROM parts WHERE id BETWEEN ?1 AND ?2 ORDER BY id", parts.lowerBound,
            parts.upperBound)
        var payload: [UInt8] = []
        payload.reserveCapacity(snapshot.bytes)
        while try select.step() { payload.append(contentsOf: select.bytes(0)) }
        let checksum = payload.withUnsafeBytes {
            StoredSnapshot.checksum(of: $0, revision: snapshot.revision, after: snapshot.checksum)
        }
        return checksum == snapshot.payloadChecksum && payload.count == snapshot.bytes
            ? payload : nil
    }
}
