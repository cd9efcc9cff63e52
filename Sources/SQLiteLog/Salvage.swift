// What can be read of a directory that refuses to open: of each session the entries up to the first one
// that is damaged or missing.

import CSQLite
import SessionLog

/// A session as far as it is whole.
package struct SalvagedSession: Sendable {
    package let session: LogSession
    /// What the entries follow; nil when they begin with the first one.
    package let snapshot: LogSnapshot?
    /// Entries that follow each other.
    package let entries: [LogEntry]
    /// The newest revision of which there is any sign.
    package let newestSeen: Int64

    package var head: Int64 { entries.last?.revision ?? snapshot?.revision ?? 0 }
}

package struct Salvage {
    package private(set) var sessions: [SalvagedSession] = []
    /// What could not be read, in words.
    package private(set) var losses: [String] = []

    private struct Row {
        let session: LogSession
        let base: Int64
        let baseChecksum: UInt64
    }

    private struct SnapshotRow {
        let number: Int64
        let revision: Int64
        let checksum: UInt64
        let bytes: Int
        let payloadChecksum: UInt64
    }

    /// Reads row by row, and goes on behind what cannot be read. The directory is locked meanwhile.
    ///
    /// - Throws: `unavailable` when the directory or the database cannot be opened at all.
    package init(path: String) throws(LogFailure) {
        let directory = try DataDirectory(path, creates: false)
        let result = traitd_register_checksums("traitd", nil)
        guard result == SQLITE_OK else {
            throw LogFailure(.unavailable, "SQLite cannot be used: result \(result)")
        }
        do throws(StorageError) {
            let connection = try Connection(path: directory.databasePath, vfs: "traitd")
            try connection.check(traitd_keep_log_on_close(connection.handle))
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try read(connection, directory)
        } catch {
            throw LogFailure(
                .unavailable,
                "nothing can be read in '\(path)': \(error). Restore a backup")
        }
    }

    private mutating func read(
        _ connection: Connection, _ directory: DataDirectory
    ) throws(StorageError) {
        var rows: [Int64: Row] = [:]
        let lastSession = try connection.integer("SELECT max(number) FROM sessions") ?? 0
        forEachRow(of: "sessions", by: "number", through: lastSession, connection) {
            (number, losses) throws(StorageError) in
            let select = try connection.statement(
                "SELECT name, uid, base, baseChecksum FROM sessions WHERE number = ?1")
            try select.bind(1, number)
            defer { select.reset() }
            guard try select.step(), select.integer(2) != SQLiteLog.forgottenBase else { return }
            rows[number] = Row(
                session: LogSession(name: select.text(0), uid: select.text(1)),
                base: select.integer(2), baseChecksum: select.word(3))
        }
        let entries = readEntries(connection, directory)
        let snapshots = readSnapshotRows(connection)
        for (number, row) in rows.sorted(by: { $0.key < $1.key }) {
            assemble(row, entries[number] ?? [:], snapshots[number] ?? [], connection)
        }
    }

    private mutating func readEntries(
        _ connection: Connection, _ directory: DataDirectory
    ) -> [Int64: [Int64: LogEntry]] {
        var entries: [Int64: [Int64: LogEntry]] = [:]
        let marked = AcknowledgedMark(path: directory.acknowledgedPath)?.sequence ?? 0
        let last = (try? connection.integer("SELECT max(sequence) FROM entries")) ?? nil
        forEachRow(of: "entries", by: "sequence", through: max(last ?? 0, marked), connection) {
            (sequence, losses) throws(StorageError) in
            let select = try connection.statement("SELECT entry FROM entries WHERE sequence = ?1")
            try select.bind(1, sequence)
            defer { select.reset() }
            guard try select.step() else { return }
            do throws(StorageError) {
                var row = try StoredRow(select.bytes(0))
                while let entry = try row.next() {
                    entries[row.session, default: [:]][entry.revision] = entry
                }
            } catch {
                losses.append("row \(sequence): \(error.message)")
            }
        }
        return entries
    }

    /// How many keys are tried one by one where a damaged page does not say which keys it has.
    private static let triedKeysMax = 1_000_000

    /// Calls `body` with the keys of a table, in order. Where a page is damaged every possible key
    /// is tried, and each run of unreadable keys is reported as one loss.
    ///
    /// - Parameter last: the largest key to look for.
    private mutating func forEachRow(
        of table: String, by key: String, through last: Int64, _ connection: Connection,
        _ body: (_ key: Int64, _ losses: inout [String]) throws(StorageError) -> Void
    ) {
        var current: Int64 = 0
        var lost: (keys: ClosedRange<Int64>, message: String)?
        var tried = 0
        func note(_ losses: inout [String]) {
            if let lost {
                losses.append(
                    "\(key) \(lost.keys.lowerBound) to \(lost.keys.upperBound) of the \(table): "
                        + lost.message)
            }
            lost = nil
        }
        while current < last {
            do throws(StorageError) {
                let select = try connection.statement(
                    "SELECT min(\(key)) FROM \(table) WHERE \(key) > ?1")
                try select.bind(1, current)
                defer { select.reset() }
                guard try select.step(), select.integer(0) > current else { break }
                current = select.integer(0)
            } catch {
                current += 1
                tried += 1
                if tried > Self.triedKeysMax {
                    lost = ((lost?.keys.lowerBound ?? current)...last, error.message)
                    break
                }
            }
            do throws(StorageError) {
                try body(current, &losses)
                note(&losses)
            } catch {
                lost = ((lost?.keys.lowerBound ?? current)...current, error.message)
            }
        }
        note(&losses)
    }

    private mutating func readSnapshotRows(_ connection: Connection) -> [Int64: [SnapshotRow]] {
        var found: [Int64: [SnapshotRow]] = [:]
        do throws(StorageError) {
            let rows = try connection.statement(
                "SELECT session, number, revision, checksum, bytes, payloadChecksum FROM snapshots"
                    + " WHERE isComplete = 1 ORDER BY number")
            while try rows.step() {
                found[rows.integer(0), default: []].append(
                    SnapshotRow(
                        number: rows.integer(1), revision: rows.integer(2), checksum: rows.word(3),
                        bytes: Int(rows.integer(4)), payloadChecksum: rows.word(5)))
            }
        } catch {
            losses.append("snapshots: \(error.message)")
        }
        return found
    }

    /// Takes whichever beginning leads furthest.
    private mutating func assemble(
        _ row: Row, _ entries: [Int64: LogEntry], _ snapshots: [SnapshotRow],
        _ connection: Connection
    ) {
        var best: SalvagedSession?
        let newest = max(entries.keys.max() ?? 0, snapshots.last?.revision ?? 0)
        func consider(_ snapshot: LogSnapshot?) {
            var chain: [LogEntry] = []
            var revision = snapshot?.revision ?? 0
            var checksum = snapshot?.checksum ?? 0
            while revision < .max, let next = entries[revision + 1], next.follows(checksum) {
                chain.append(next)
                revision += 1
                checksum = next.checksum
            }
            guard revision > (best?.head ?? 0) else { return }
            best = SalvagedSession(
                session: row.session, snapshot: snapshot, entries: chain, newestSeen: newest)
        }
        if row.base == 0 { consider(nil) }
        for snapshot in snapshots where snapshot.revision >= row.base {
            if let payload = payload(of: snapshot, connection) {
                consider(
                    LogSnapshot(
                        revision: snapshot.revision, checksum: snapshot.checksum, payload: payload))
            } else {
                losses.append(
                    "the snapshot of '\(row.session.name)' at revision \(snapshot.revision)")
            }
        }
        if let tombstone = entries[row.base + 1], tombstone.kind == .tombstone,
            tombstone.follows(row.baseChecksum)
        {
            return
        }
        guard let best else {
            losses.append("all of '\(row.session.name)' (uid \(row.session.uid))")
            return
        }
        if best.entries.last?.kind == .tombstone { return }
        sessions.append(best)
    }

    private func payload(of snapshot: SnapshotRow, _ connection: Connection) -> [UInt8]? {
        var payload: [UInt8] = []
        do throws(StorageError) {
            let select = try connection.statement(
                "SELECT bytes FROM parts WHERE id BETWEEN ?1 AND ?2 ORDER BY id")
            let parts = SQLiteLog.parts(of: snapshot.number)
            try select.bind(1, parts.lowerBound)
            try select.bind(2, parts.upperBound)
            while try select.step() { payload.append(contentsOf: select.bytes(0)) }
        } catch {
            return nil
        }
        let checksum = payload.withUnsafeBytes {
            StoredSnapshot.checksum(of: $0, revision: snapshot.revision, after: snapshot.checksum)
        }
        return checksum == snapshot.payloadChecksum && payload.count == snapshot.bytes
            ? payload : nil
    }
}
