// Reads a directory that does not open: the entries of each session up to the first entry that is damaged
// or missing.

import CSQLite
import SessionLog

/// Where a session begins, and what follows.
package struct SalvagedBeginning: Sendable {
    /// What the entries follow; nil when they begin with the first one.
    package let snapshot: LogSnapshot?
    /// Entries that follow each other.
    package let entries: [LogEntry]

    package var head: Int64 { entries.last?.revision ?? snapshot?.revision ?? 0 }

    package init(snapshot: LogSnapshot?, entries: [LogEntry]) {
        self.snapshot = snapshot
        self.entries = entries
    }
}

/// A session as far as it is whole.
package struct SalvagedSession: Sendable {
    /// The number that the database has given it. A later session has a larger one.
    package let number: Int64
    /// Nil when the list of sessions is damaged at this number. The header in the first entry, and in each
    /// snapshot, has the name and the uid.
    package let session: LogSession?
    /// Not empty. The one that leads furthest is first; of those that lead as far, the oldest.
    package let beginnings: [SalvagedBeginning]
    /// The newest revision of which there is any sign.
    package let newestSeen: Int64

    package var head: Int64 { beginnings[0].head }
}

package struct Salvage {
    package private(set) var sessions: [SalvagedSession] = []
    /// What could not be read, in words.
    package private(set) var losses: [String] = []
    /// Whether acknowledged entries may be missing of which there is no sign: rows cannot be read, or the
    /// newest entry that was acknowledged is not there, or it is not known.
    package private(set) var mayLackEntries = false
    /// Whether the end of the log is missing: no session is known to be complete.
    package private(set) var isCut = false
    /// Whether acknowledged commits are lost, or may be.
    package private(set) var hasLost = false

    private struct Row {
        /// Nil when the row cannot be read.
        let session: LogSession?
        let base: Int64
    }

    private struct SnapshotRow {
        let number: Int64
        let revision: Int64
        let checksum: UInt64
        let bytes: Int
        let payloadChecksum: UInt64
    }

    /// Reads row by row, and goes on behind what cannot be read. The directory is locked meanwhile, and
    /// copies of its files are read.
    ///
    /// - Parameters:
    ///   - beside: what the copies lie beside while they are needed; nil for the directory.
    ///   - makeFolder: makes the folder of the copies.
    /// - Throws: `unavailable` when the directory cannot be used, `damaged` when nothing can be read.
    package init(
        path: String, copyingBeside beside: String? = nil,
        progress: CopyProgress = { _, _ in },
        _ makeFolder: FolderMaker = SalvageCopy.makeFolder
    ) throws(LogFailure) {
        let directory = try DataDirectory(path, creates: false)
        let result = traitd_register_checksums("traitd", nil)
        guard result == SQLITE_OK else {
            throw LogFailure(.unavailable, "SQLite cannot be used: result \(result)")
        }
        let copy = try SalvageCopy(of: directory, beside: beside ?? path, progress, makeFolder)
        do {
            let connection = try Connection(path: copy.databasePath, vfs: "traitd")
            try connection.check(traitd_keep_log_on_close(connection.handle))
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try Self.checkTables(connection)
            read(
                connection, AcknowledgedMark(path: directory.acknowledgedPath),
                try WriteAheadLog(path: directory.walPath, databasePath: directory.databasePath))
        } catch let failure as LogFailure {
            throw failure
        } catch {
            throw LogFailure(
                .damaged(), "nothing can be read in '\(path)': \(error). Restore a backup")
        }
        withExtendedLifetime(copy) {}
    }

    /// Without the first page SQLite finds no table.
    private static func checkTables(_ connection: Connection) throws(StorageError) {
        let count = try connection.integer(
            "SELECT count(*) FROM sqlite_schema"
                + " WHERE name IN ('sessions', 'entries', 'snapshots', 'parts')")
        guard count == 4 else {
            throw StorageError(code: SQLITE_CORRUPT, message: "the database has no tables")
        }
    }

    private mutating func read(
        _ connection: Connection, _ mark: AcknowledgedMark?, _ wal: WriteAheadLog
    ) {
        let unread = noteCut(wal)
        var (rows, unreadable) = readSessions(connection)
        let (entries, lastSequence) = readEntries(connection, through: mark?.sequence ?? 0)
        let snapshots = readSnapshotRows(connection)
        // A session whose row cannot be read is known by its entries and snapshots.
        for number in Set(entries.keys).union(snapshots.keys)
        where unreadable.contains(where: { $0.keys.contains(number) }) {
            rows[number] = Row(session: nil, base: 0)
        }
        for (number, row) in rows.sorted(by: { $0.key < $1.key }) {
            let acknowledged = mark.flatMap { $0.session == row.session ? $0.revision : nil }
            assemble(
                number, row, entries[number] ?? [:], snapshots[number] ?? [],
                seen: max(acknowledged ?? 0, unread[number] ?? 0), connection)
        }
        // Rows of deleted sessions are deleted, so smaller numbers may be theirs.
        let lastNumber = (try? connection.integer("SELECT max(number) FROM sessions")) ?? nil
        let names = wal.lost.reduce(into: [:]) { $0[$1.session] = $1.name ?? $0[$1.session] }
        for (number, revision) in unread.sorted(by: { $0.key < $1.key })
        where rows[number] == nil && number > lastNumber ?? 0 {
            let name = names[number].map { "'\($0)'" } ?? "the session with number \(number)"
            losses.append("\(name), through revision \(revision) at least")
        }
        noteAcknowledged(mark, rows.values.compactMap(\.session), lastSequence, connection)
        if sessions.contains(where: { $0.newestSeen > $0.head }) { hasLost = true }
        if hasLost || mark == nil { mayLackEntries = true }
    }

    /// What SQLite does not read of a damaged write-ahead log.
    ///
    /// - Returns: the newest revision of each session, by number, of which there is a sign there.
    private mutating func noteCut(_ wal: WriteAheadLog) -> [Int64: Int64] {
        guard case .damaged(let place) = wal.condition else { return [:] }
        (isCut, hasLost) = (true, true)
        losses.append(
            "everything from \(place) on, which is not as it was written: any session may lack its newest "
                + "commits, and sessions that were created there are missing")
        return wal.lost.reduce(into: [:]) { newest, lost in
            newest[lost.session] = max(newest[lost.session] ?? 0, lost.revision)
        }
    }

    /// Compares the end of the log with the newest entry that was acknowledged.
    private mutating func noteAcknowledged(
        _ mark: AcknowledgedMark?, _ known: [LogSession], _ lastSequence: Int64,
        _ connection: Connection
    ) {
        guard let mark else { return }
        let deleted = (try? connection.integer("SELECT sequence FROM marks")) ?? nil
        guard mark.sequence > max(lastSequence, deleted ?? 0) else { return }
        (isCut, hasLost) = (true, true)
        if !known.contains(mark.session) {
            losses.append(
                "'\(mark.session.name)' (uid \(mark.session.uid)), through revision \(mark.revision) at least"
            )
        }
    }

    // MARK: - Tables

    private mutating func readSessions(
        _ connection: Connection
    ) -> (rows: [Int64: Row], unreadable: [UnreadableKeys]) {
        var rows: [Int64: Row] = [:]
        let table = SalvagedTable(name: "sessions", key: "number", connection: connection)
        let unreadable = table.forEachKey { number throws(StorageError) in
            let select = try connection.statement(
                "SELECT name, uid, base FROM sessions WHERE number = ?1")
            try select.bind(1, number)
            defer { select.reset() }
            guard try select.step(), select.integer(2) != SQLiteLog.forgottenBase else { return }
            rows[number] = Row(
                session: LogSession(name: select.text(0), uid: select.text(1)),
                base: select.integer(2))
        }
        losses += unreadable.map {
            "the list of sessions, numbers \($0.text): \($0.message). "
                + "Sessions with entries or snapshots are kept"
        }
        return (rows, unreadable)
    }

    /// - Parameter known: a row that was there.
    /// - Returns: the entries, and the sequence number of the last row that can be read.
    private mutating func readEntries(
        _ connection: Connection, through known: Int64
    ) -> (entries: [Int64: [Int64: LogEntry]], lastSequence: Int64) {
        var entries: [Int64: [Int64: LogEntry]] = [:]
        var last: Int64 = 0
        var damagedRows: [String] = []
        let table = SalvagedTable(name: "entries", key: "sequence", connection: connection)
        let unreadable = table.forEachKey(through: known) { sequence throws(StorageError) in
            let select = try connection.statement("SELECT entry FROM entries WHERE sequence = ?1")
            try select.bind(1, sequence)
            defer { select.reset() }
            guard try select.step() else { return }
            last = max(last, sequence)
            do throws(StorageError) {
                var row = try StoredRow(select.bytes(0))
                while let entry = try row.next() {
                    entries[row.session, default: [:]][entry.revision] = entry
                }
            } catch {
                damagedRows.append("row \(sequence): \(error.message)")
            }
        }
        if !damagedRows.isEmpty || !unreadable.isEmpty { hasLost = true }
        losses += damagedRows
        losses += unreadable.map { "rows \($0.text) of the entries: \($0.message)" }
        return (entries, last)
    }

    private mutating func readSnapshotRows(_ connection: Connection) -> [Int64: [SnapshotRow]] {
        var found: [Int64: [SnapshotRow]] = [:]
        let table = SalvagedTable(name: "snapshots", key: "number", connection: connection)
        let unreadable = table.forEachKey { number throws(StorageError) in
            let select = try connection.statement(
                "SELECT session, revision, checksum, bytes, payloadChecksum FROM snapshots"
                    + " WHERE number = ?1 AND isComplete = 1")
            try select.bind(1, number)
            defer { select.reset() }
            guard try select.step() else { return }
            found[select.integer(0), default: []].append(
                SnapshotRow(
                    number: number, revision: select.integer(1), checksum: select.word(2),
                    bytes: Int(select.integer(3)), payloadChecksum: select.word(4)))
        }
        losses += unreadable.map { "numbers \($0.text) of the snapshots: \($0.message)" }
        return found
    }

    // MARK: - Sessions

    private mutating func assemble(
        _ number: Int64, _ row: Row, _ entries: [Int64: LogEntry], _ snapshots: [SnapshotRow],
        seen: Int64, _ connection: Connection
    ) {
        let newest = entries.keys.max() ?? 0
        // Nothing follows the end of a session, whatever is damaged before it.
        if entries[newest]?.kind == .tombstone { return }
        var beginnings: [SalvagedBeginning] = []
        if row.base == 0 { beginnings.append(Self.beginning(nil, entries)) }
        for snapshot in snapshots where snapshot.revision >= row.base {
            if let payload = Self.payload(of: snapshot, connection) {
                beginnings.append(
                    Self.beginning(
                        LogSnapshot(
                            revision: snapshot.revision, checksum: snapshot.checksum,
                            payload: payload), entries))
            } else {
                losses.append(
                    "the snapshot of \(Self.text(number, row)) at revision \(snapshot.revision)")
            }
        }
        beginnings.removeAll { $0.head == 0 }
        beginnings.sort {
            ($1.head, $0.snapshot?.revision ?? 0) < ($0.head, $1.snapshot?.revision ?? 0)
        }
        if beginnings.isEmpty {
            hasLost = true
            return losses.append("all of \(Self.text(number, row))")
        }
        sessions.append(
            SalvagedSession(
                number: number, session: row.session, beginnings: beginnings,
                newestSeen: max(newest, snapshots.last?.revision ?? 0, seen)))
    }

    private static func text(_ number: Int64, _ row: Row) -> String {
        row.session.map { "'\($0.name)' (uid \($0.uid))" } ?? "the session with number \(number)"
    }

    /// A snapshot, or the first entry, and the entries that follow it without a gap.
    private static func beginning(
        _ snapshot: LogSnapshot?, _ entries: [Int64: LogEntry]
    ) -> SalvagedBeginning {
        var chain: [LogEntry] = []
        var revision = snapshot?.revision ?? 0
        var checksum = snapshot?.checksum ?? 0
        while revision < .max, let next = entries[revision + 1], next.follows(checksum) {
            chain.append(next)
            revision += 1
            checksum = next.checksum
        }
        return SalvagedBeginning(snapshot: snapshot, entries: chain)
    }

    private static func payload(of snapshot: SnapshotRow, _ connection: Connection) -> [UInt8]? {
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
