// Reads a directory that does not open: the entries of each session up to the first entry that is damaged
// or missing.

import CSQLite
import SessionLog

/// A beginning of a session, and the entries that follow it.
package struct SalvagedBeginning: Sendable {
    /// The snapshot that the entries follow; nil when they begin with the first entry.
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
    /// Whether later revisions may be lost of which there is no sign.
    package let mayLackNewest: Bool

    package var head: Int64 { beginnings[0].head }
}

package struct Salvage {
    package private(set) var sessions: [SalvagedSession] = []
    /// Descriptions of the parts that could not be read.
    package private(set) var losses: [String] = []
    /// Whether acknowledged entries may be missing of which there is no sign: rows cannot be read, or the
    /// newest entry that was acknowledged is not there, or it is not known.
    package private(set) var mayLackEntries = false
    /// The last row of entries up to which rows may be missing: 0 when none is, the largest number when the end
    /// of the log is missing. A session with a row behind it lacks none of its newest entries.
    private var damagedThrough: Int64 = 0
    /// Whether acknowledged commits are lost, or may be.
    package private(set) var hasLost = false

    private struct Row {
        /// Nil when the row cannot be read.
        let session: LogSession?
        let base: Int64
    }

    /// The entries that can be read.
    private struct EntryRows {
        /// By session number and revision.
        var entries: [Int64: [Int64: LogEntry]] = [:]
        /// The last row of each session.
        var last: [Int64: Int64] = [:]
    }

    /// Reads each table up to the first unreadable part, and from its end back to the last. The directory is
    /// locked meanwhile, and copies of its files are read.
    ///
    /// - Parameters:
    ///   - beside: the path beside which the copies are made; nil for the directory.
    ///   - makeFolder: makes the folder of the copies.
    /// - Throws: `unavailable` when the directory cannot be used, `outOfMemory` when memory is refused, `damaged`
    ///   when nothing can be read.
    package init(
        path: String, copyingBeside beside: String? = nil,
        progress: CopyProgress = { _, _ in },
        _ makeFolder: FolderMaker = SalvageCopy.makeFolder
    ) throws(LogFailure) {
        let directory = try DataDirectory(path, creates: false)
        let result = traitd_register_checksums("traitd", nil)
        guard result == SQLITE_OK else {
            throw LogFailure(
                StorageError(code: result, message: "").unavailability,
                "SQLite cannot be used: result \(result)")
        }
        let copy = try SalvageCopy(of: directory, beside: beside ?? path, progress, makeFolder)
        do {
            let connection = try Connection(path: copy.databasePath, vfs: "traitd")
            try connection.check(traitd_keep_log_on_close(connection.handle))
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try connection.checkTables(allowsOthers: true)
            try read(
                connection, AcknowledgedMark(path: directory.acknowledgedPath),
                try WriteAheadLog(path: directory.walPath, databasePath: directory.databasePath))
        } catch let failure as LogFailure {
            throw failure
        } catch let error as StorageError where error.isOutOfMemory {
            throw LogFailure(
                .outOfMemory,
                "there is no memory to read '\(path)': \(error). Nothing was changed; raise ulimit -v and -d, "
                    + "or the memory of the machine")
        } catch {
            throw LogFailure(
                .damaged(), "nothing can be read in '\(path)': \(error). Restore a backup")
        }
        withExtendedLifetime(copy) {}
    }

    private mutating func read(
        _ connection: Connection, _ mark: AcknowledgedMark?, _ wal: WriteAheadLog
    ) throws(StorageError) {
        let unread = noteCut(wal)
        var (rows, unlisted) = try readSessions(connection)
        let found = try readEntries(connection)
        let snapshots = try readSnapshotRows(connection)
        // A session whose row cannot be read is known by its entries and snapshots.
        for number in Set(found.entries.keys).union(snapshots.keys)
        where unlisted?.keys.contains(number) == true {
            rows[number] = Row(session: nil, base: 0)
        }
        try noteMissing(wal, unread, mark, rows, found.last.values.max() ?? 0, connection)
        for (number, row) in rows.sorted(by: { $0.key < $1.key }) {
            let acknowledged = mark.flatMap { $0.session == row.session ? $0.revision : nil }
            try assemble(
                number, row, found, snapshots[number] ?? [],
                seen: max(acknowledged ?? 0, unread[number] ?? 0), connection)
        }
        if damagedThrough > 0 || sessions.contains(where: { $0.newestSeen > $0.head }) {
            hasLost = true
        }
        if mark == nil {
            losses.append(
                "the file \(DataDirectory.acknowledgedName), so any session may lack its newest commits, and sessions "
                    + "may be missing")
            hasLost = true
        }
        if hasLost { mayLackEntries = true }
    }

    /// Notes the loss of the part of a damaged write-ahead log that SQLite does not read.
    ///
    /// - Returns: the newest revision of each session, by number, of which there is a sign there.
    private mutating func noteCut(_ wal: WriteAheadLog) -> [Int64: Int64] {
        guard case .damaged(let place) = wal.condition else { return [:] }
        damagedThrough = .max
        losses.append(
            "everything from \(place) on, which is not as it was written: any session may lack its newest "
                + "commits, and sessions that were created there are missing")
        return wal.lost.reduce(into: [:]) { newest, lost in
            newest[lost.session] = max(newest[lost.session] ?? 0, lost.revision)
        }
    }

    /// Names the sessions that are known only from the write-ahead log or from the newest entry that was
    /// acknowledged. Compares the end of the log with that entry.
    private mutating func noteMissing(
        _ wal: WriteAheadLog, _ unread: [Int64: Int64], _ mark: AcknowledgedMark?,
        _ rows: [Int64: Row], _ lastRow: Int64, _ connection: Connection
    ) throws(StorageError) {
        let deleted = try connection.salvagedInteger("SELECT sequence FROM marks")
        let end = mark.flatMap { $0.sequence > max(lastRow, deleted ?? 0) ? $0 : nil }
        if end != nil { damagedThrough = .max }
        // Rows of deleted sessions are deleted, so smaller numbers may be theirs.
        let lastNumber = try connection.salvagedInteger("SELECT max(number) FROM sessions")
        let missing = unread.filter { rows[$0.key] == nil && $0.key > lastNumber ?? 0 }
            .sorted { $0.key < $1.key }
        var names = wal.lost.reduce(into: [:]) { $0[$1.session] = $1.name ?? $0[$1.session] }
        if let end, !names.values.contains(end.session.name),
            let same = missing.last(where: { names[$0.key] == nil && $0.value == end.revision })
        {
            names[same.key] = end.session.name
        }
        for (number, revision) in missing {
            let name = names[number].map { "'\($0)'" } ?? "the session with number \(number)"
            losses.append("\(name), through revision \(revision) at least")
        }
        if let end, !rows.values.contains(where: { $0.session == end.session }),
            !missing.contains(where: { names[$0.key] == end.session.name })
        {
            let session = end.session
            losses.append(
                "'\(session.name)' (uid \(session.uid)), through revision \(end.revision) at least")
        }
    }

    // MARK: - Tables

    private mutating func readSessions(
        _ connection: Connection
    ) throws(StorageError) -> (rows: [Int64: Row], unlisted: UnreadableKeys?) {
        var rows: [Int64: Row] = [:]
        let unlisted = try connection.salvage("sessions", key: "number", columns: "name, uid, base")
        {
            (row) throws(StorageError) in
            if row.integer(3) == SQLiteLog.forgottenBase { return }
            rows[try row.integer(0, in: Schema.numbers)] = Row(
                session: try row.session(1, 2), base: try row.integer(3, in: Schema.revisions))
        }
        if let unlisted {
            losses.append(
                "the list of sessions, numbers \(unlisted.text): \(unlisted.message). "
                    + "Sessions with entries or snapshots are kept")
        }
        return (rows, unlisted)
    }

    private mutating func readEntries(
        _ connection: Connection
    ) throws(StorageError) -> EntryRows {
        var found = EntryRows()
        var damaged: [(row: Int64, message: String)] = []
        let unread = try connection.salvage("entries", key: "sequence", columns: "entry") {
            (rows) throws(StorageError) in
            let sequence = rows.integer(0)
            do throws(StorageError) {
                var row = try StoredRow(rows.bytes(1))
                while let entry = try row.next() {
                    found.entries[row.session, default: [:]][entry.revision] = entry
                    found.last[row.session] = max(found.last[row.session] ?? 0, sequence)
                }
            } catch {
                if error.isOutOfMemory { throw error }
                damaged.append((sequence, error.message))
            }
        }
        for (row, message) in damaged {
            damagedThrough = max(damagedThrough, row)
            losses.append("row \(row): \(message)")
        }
        if let unread {
            damagedThrough = max(damagedThrough, unread.keys.upperBound)
            losses.append("rows \(unread.text) of the entries: \(unread.message)")
        }
        return found
    }

    private mutating func readSnapshotRows(
        _ connection: Connection
    ) throws(StorageError) -> [Int64: [StoredSnapshot]] {
        var found: [Int64: [StoredSnapshot]] = [:]
        let unread = try connection.salvage(
            "snapshots", key: "number",
            columns: "session, revision, checksum, bytes, payloadChecksum, isComplete"
        ) { (row) throws(StorageError) in
            guard row.integer(6) == 1 else { return }
            found[row.integer(1), default: []].append(
                StoredSnapshot(
                    number: try row.integer(0, in: Schema.numbers),
                    revision: try row.integer(2, in: Schema.revisions), checksum: row.word(3),
                    bytes: Int(try row.integer(4, in: Schema.snapshotBytes)),
                    payloadChecksum: row.word(5)))
        }
        if let unread {
            losses.append("numbers \(unread.text) of the snapshots: \(unread.message)")
        }
        return found
    }

    // MARK: - Sessions

    private mutating func assemble(
        _ number: Int64, _ row: Row, _ found: EntryRows, _ snapshots: [StoredSnapshot],
        seen: Int64, _ connection: Connection
    ) throws(StorageError) {
        let entries = found.entries[number] ?? [:]
        let newest = entries.keys.max() ?? 0
        // Nothing follows the end of a session, so damage before it does not matter.
        if entries[newest]?.kind == .tombstone { return }
        var beginnings: [SalvagedBeginning] = []
        if row.base == 0 { beginnings.append(Self.beginning(nil, entries)) }
        for snapshot in snapshots where snapshot.revision >= row.base {
            if let payload = try Self.payload(of: snapshot, connection) {
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
                newestSeen: max(newest, snapshots.map(\.revision).max() ?? 0, seen),
                mayLackNewest: damagedThrough > 0 && found.last[number] ?? 0 <= damagedThrough))
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

    /// The bytes of a snapshot; nil when they are not as they were written.
    private static func payload(
        of snapshot: StoredSnapshot, _ connection: Connection
    ) throws(StorageError) -> [UInt8]? {
        do throws(StorageError) {
            return try connection.payload(of: snapshot)
        } catch {
            if error.isOutOfMemory { throw error }
            return nil
        }
    }
}
