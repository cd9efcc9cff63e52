// Reads a directory that does not open. Its files are copied, and what can be read of the copy is
// offered as a log in which each session ends before the first entry that is damaged or missing.

import CSQLite
import SessionLog

/// A session as far as its entries follow each other.
package struct SalvagedSession {
    /// The number that the database has given it. A later session has a larger one.
    package let number: Int64
    /// The name and the uid; when the row of the session cannot be read, those in the header of its
    /// first entry or of a snapshot, and nil when there is no header.
    package let session: LogSession?
    /// What a replay can begin with: the first entry, or a snapshot, and the entries that follow
    /// without a gap. Not empty. The one that leads furthest is first; of those that lead as far, the
    /// oldest.
    package let beginnings: [StoredSession]
    /// The newest revision that a beginning leads to.
    package let head: Int64
    /// The newest revision of which there is any sign.
    package let newestSeen: Int64
    /// Whether later revisions may be lost of which there is no sign.
    package let mayLackNewest: Bool
}

package final class Salvage {
    /// The copy, which is only read. It has the sessions that `offer` has shown.
    package let log: SQLiteLog
    /// By number.
    package private(set) var sessions: [SalvagedSession] = []
    /// Descriptions of the parts that could not be read.
    package private(set) var losses: [String] = []
    /// Whether acknowledged commits are lost, or may be: rows cannot be read, entries are missing, or
    /// the newest entry that was acknowledged is not there or not known.
    package private(set) var hasLost = false
    /// The last row of entries up to which rows may be missing: 0 when none is, the largest number
    /// when the end of the log is missing. A session with a row behind it lacks none of its newest
    /// entries.
    private var damagedThrough: Int64 = 0
    /// The last row of entries that can be read.
    private var lastRow: Int64 = 0

    /// What the tables have of a session.
    private struct Found {
        /// Whether the list of sessions has it.
        var isListed = false
        /// From the list, or from the header of the first entry.
        var session: LogSession?
        var base: Int64 = 0
        /// The entries, by revision.
        var links: [Int64: Link] = [:]
        /// The last row of its entries.
        var lastRow: Int64 = 0
        var snapshots: [StoredSnapshot] = []
    }

    /// An entry that can be read.
    private struct Link {
        let row: Int64
        let previous: UInt64
        let checksum: UInt64
        let isEnd: Bool
    }

    /// Copies a directory, and reads each table of the copy up to the first unreadable part, and from
    /// its end back to the last. The directory is locked meanwhile, and SQLite never opens it, as it
    /// changes what it opens. O(bytes) time, memory in proportion to the number of entries.
    ///
    /// - Parameters:
    ///   - folder: an empty folder for the copies. It must stay until the last read.
    ///   - progress: gets the number of copied bytes, and the number of all.
    /// - Throws: `unavailable` when the directory cannot be used or the copies cannot be written,
    ///   `outOfMemory` when memory is refused, `damaged` when nothing can be read.
    package init(
        path: String, copyingTo folder: String,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(LogFailure) {
        let directory = try DataDirectory(path, creates: false)
        try directory.copy(to: folder, progress)
        do {
            let opened = try OpenedDatabase(copyIn: folder)
            log = SQLiteLog(opened, SQLiteLogOptions())
            let wal = try WriteAheadLog(
                path: directory.walPath, databasePath: directory.databasePath)
            let mark = AcknowledgedMark(path: directory.acknowledgedPath)
            try log.queue.sync { try read(opened.connection, mark, wal) }
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
    }

    deinit { log.end(copies: false) }

    /// Shows a session in the log as one of its beginnings, in place of the one before.
    package func offer(_ beginning: StoredSession) {
        log.queue.sync { log.index.sessions[beginning.session] = beginning }
    }

    private func read(
        _ connection: Connection, _ mark: AcknowledgedMark?, _ wal: WriteAheadLog
    ) throws(StorageError) {
        let unread = noteCut(wal)
        let found = try readTables(connection)
        try noteMissing(wal, unread, mark, found, connection)
        for (number, session) in found.sorted(by: { $0.key < $1.key }) {
            let acknowledged = mark.flatMap { $0.session == session.session ? $0.revision : nil }
            try assemble(
                number, session, seen: max(acknowledged ?? 0, unread[number] ?? 0), connection)
        }
        if mark == nil {
            losses.append(
                "the file \(DataDirectory.acknowledgedName), so any session may lack its newest commits, and sessions "
                    + "may be missing")
        }
        let isCut = sessions.contains { $0.newestSeen > $0.head }
        if mark == nil || damagedThrough > 0 || isCut { hasLost = true }
    }

    /// Notes the loss of the part of a damaged write-ahead log that SQLite does not read.
    ///
    /// - Returns: the newest revision of each session, by number, of which there is a sign there.
    private func noteCut(_ wal: WriteAheadLog) -> [Int64: Int64] {
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
    private func noteMissing(
        _ wal: WriteAheadLog, _ unread: [Int64: Int64], _ mark: AcknowledgedMark?,
        _ found: [Int64: Found], _ connection: Connection
    ) throws(StorageError) {
        let deleted = try connection.salvagedInteger("SELECT sequence FROM marks")
        let end = mark.flatMap { $0.sequence > max(lastRow, deleted ?? 0) ? $0 : nil }
        if end != nil { damagedThrough = .max }
        // Rows of deleted sessions are deleted, so smaller numbers may be theirs.
        let lastNumber = try connection.salvagedInteger("SELECT max(number) FROM sessions")
        let missing = unread.filter { found[$0.key] == nil && $0.key > lastNumber ?? 0 }
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
        if let end, !found.values.contains(where: { $0.session == end.session }),
            !missing.contains(where: { names[$0.key] == end.session.name })
        {
            let session = end.session
            losses.append(
                "'\(session.name)' (uid \(session.uid)), through revision \(end.revision) at least")
        }
    }

    // MARK: - Tables

    /// What the tables have, by session number. Sessions that are forgotten or unknown are left out.
    private func readTables(_ connection: Connection) throws(StorageError) -> [Int64: Found] {
        var found: [Int64: Found] = [:]
        let unlisted = try connection.salvage("sessions", key: "number", "name, uid, base") {
            (row) throws(StorageError) in
            if row.integer(3) == SQLiteLog.forgottenBase { return }
            found[try row.integer(0, in: Schema.numbers)] = Found(
                isListed: true, session: try row.session(1, 2),
                base: try row.integer(3, in: Schema.revisions))
        }
        if let unlisted {
            losses.append(
                "the list of sessions, numbers \(unlisted.text): \(unlisted.message). "
                    + "Sessions with entries or snapshots are kept")
        }
        let unread = try connection.salvage("entries", key: "sequence", "entry") {
            (rows) throws(StorageError) in
            let number = rows.integer(0)
            do throws(StorageError) {
                var row = try StoredRow(rows.bytes(1))
                while let entry = try row.next() {
                    Self.add(entry, in: number, to: &found[row.session, default: Found()])
                    lastRow = max(lastRow, number)
                }
            } catch {
                if error.isOutOfMemory { throw error }
                damagedThrough = max(damagedThrough, number)
                losses.append("row \(number): \(error.message)")
            }
        }
        if let unread {
            damagedThrough = max(damagedThrough, unread.keys.upperBound)
            losses.append("rows \(unread.text) of the entries: \(unread.message)")
        }
        let unseen = try connection.salvage("snapshots", key: "number", StoredSnapshot.columns) {
            (row) throws(StorageError) in
            guard row.integer(6) == 1 else { return }
            found[row.integer(1), default: Found()].snapshots.append(try StoredSnapshot(row))
        }
        if let unseen {
            losses.append("numbers \(unseen.text) of the snapshots: \(unseen.message)")
        }
        // A session whose row cannot be read is known by its entries and snapshots.
        return found.filter { $1.isListed || unlisted?.keys.contains($0) == true }
    }

    private static func add(_ entry: LogEntry, in row: Int64, to found: inout Found) {
        found.links[entry.revision] = Link(
            row: row, previous: entry.previous, checksum: entry.checksum,
            isEnd: entry.kind == .tombstone)
        found.lastRow = max(found.lastRow, row)
        if entry.revision == 1, !found.isListed {
            found.session = DamagedPlaces.header(in: entry.payload)
        }
    }

    // MARK: - Sessions

    private func assemble(
        _ number: Int64, _ found: Found, seen: Int64, _ connection: Connection
    ) throws(StorageError) {
        let newest = found.links.keys.max() ?? 0
        // Nothing follows the end of a session, so damage before it does not matter.
        if found.links[newest]?.isEnd == true { return }
        var session = found.session
        let text =
            session.map { "'\($0.name)' (uid \($0.uid))" }
            ?? "the session with number \(number)"
        var whole: [StoredSnapshot?] = found.base == 0 ? [nil] : []
        for snapshot in found.snapshots where snapshot.revision >= found.base {
            if let payload = try connection.salvagedPayload(of: snapshot) {
                whole.append(snapshot)
                if session == nil { session = DamagedPlaces.header(in: payload) }
            } else {
                losses.append("the snapshot of \(text) at revision \(snapshot.revision)")
            }
        }
        let named = session ?? LogSession(name: "", uid: "")
        let beginnings = whole.map { Self.beginning(number, named, $0, found.links) }
            .filter { $0.head > 0 }
            .sorted { ($1.head, $0.base) < ($0.head, $1.base) }
        guard let head = beginnings.first?.head else {
            hasLost = true
            return losses.append("all of \(text)")
        }
        sessions.append(
            SalvagedSession(
                number: number, session: session, beginnings: beginnings, head: head,
                newestSeen: max(newest, found.snapshots.map(\.revision).max() ?? 0, seen),
                mayLackNewest: damagedThrough > 0 && found.lastRow <= damagedThrough))
    }

    /// A session with a snapshot, or the first entry, and the entries that follow it without a gap.
    private static func beginning(
        _ number: Int64, _ session: LogSession, _ snapshot: StoredSnapshot?, _ links: [Int64: Link]
    ) -> StoredSession {
        let stored = StoredSession(number: number, session: session)
        if let snapshot {
            (stored.base, stored.baseChecksum) = (snapshot.revision, snapshot.checksum)
            stored.snapshots = [snapshot]
        }
        (stored.head, stored.headChecksum) = (stored.base, stored.baseChecksum)
        while let next = links[stored.head + 1], next.previous == stored.headChecksum {
            stored.places.append(next.row)
            (stored.head, stored.headChecksum) = (stored.head + 1, next.checksum)
        }
        return stored
    }
}
