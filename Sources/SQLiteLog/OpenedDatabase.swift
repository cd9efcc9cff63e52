// Opens a log and compares the files with each other before anything is served. A log that lacks an
// acknowledged entry, or has it changed, does not open; the error names session and revision.

import Background
import CSQLite
import Glibc
import SessionLog

/// A database that was read once and found whole.
struct OpenedDatabase {
    let directory: DataDirectory
    let connection: Connection
    private(set) var index = LogIndex()
    private(set) var garbage = Garbage()
    private(set) var report = OpeningReport()
    let databaseIdentity: FileIdentity
    /// Sessions by number, forgotten ones excepted.
    private var byNumber: [Int64: StoredSession] = [:]
    private var forgotten: Set<Int64> = []
    /// The entry that an error of the present step names: the one that is read next, or is missing.
    private var lastRead: StoredPlace?

    /// "trtd": marks the database as ours.
    static let applicationID: Int64 = 0x7472_7464
    /// The format of the tables. A later one is refused. Format 1 has one entry in each row, and becomes
    /// this one when it is opened.
    static let format: Int64 = 2

    /// - Throws: the errors of `SQLiteLog.init`.
    init(path: String, options: SQLiteLogOptions) throws(LogFailure) {
        let start = Uptime.now
        directory = try DataDirectory(path, creates: options.createsDirectory)
        if options.isPartial {
            try directory.markPartial()
        } else if directory.isPartial {
            throw LogFailure(
                .damaged(),
                "the data directory '\(path)' is not whole: the command that was to fill it has ended "
                    + "before. Delete the directory, and run the command again")
        }
        let size = SystemFiles.size(directory.databasePath)
        if directory.isMarked, (size ?? 0) == 0 {
            throw LogFailure(
                .damaged(),
                "the data directory '\(path)' was in use, and its database \(DataDirectory.databaseName)"
                    + " is \(size == nil ? "missing" : "empty"); restore it from a backup")
        }
        let wal = try WriteAheadLog(path: directory.walPath, databasePath: directory.databasePath)
        // Before the database has a table: from then on it is never without the mark.
        if (size ?? 0) == 0 {
            try directory.store(AcknowledgedMark(path: directory.acknowledgedPath) ?? .none)
        }
        // A VFS of a test has files of its own.
        if options.vfs == nil { try directory.makeDatabaseFile() }
        connection = try Self.connect(directory, options)
        guard let identity = FileIdentity(directory.databasePath) else {
            throw LogFailure(.unavailable, "the database in '\(path)' cannot be read")
        }
        databaseIdentity = identity
        do throws(StorageError) {
            try prepare()
            if try connection.integer("PRAGMA application_id") == Self.applicationID {
                try connection.checkTables(allowsOthers: false)
            } else if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 {
                try create()
            } else {
                throw Self.corrupt("the database has tables, and traitd did not make it")
            }
        } catch {
            throw named(error)
        }
        let isOlder = try checkFormat() < Self.format
        if !directory.isMarked { try directory.mark() }
        do throws(StorageError) {
            try readSessions()
            try readEntries()
            try readSnapshots()
        } catch {
            throw named(error)
        }
        try judge(wal)
        try compareWithAcknowledged(options.unproved)
        // Sessions that have ended without being forgotten: the process ended first, the disk was full, or an
        // earlier version kept their tombstones.
        for stored in index.sessions.values where stored.isDeleted {
            index.forget(stored, &garbage)
        }
        do throws(StorageError) {
            if isOlder { try connection.execute("PRAGMA user_version = \(Self.format)") }
            try connection.checkpoint(truncates: true)
        } catch {
            // The write-ahead log has everything and was read. It is copied when there is room: until then
            // appends are refused and reads are not.
            guard error.isFull, !isOlder else { throw named(error) }
            report.isFull = true
        }
        report.sqliteVersion = String(cString: sqlite3_libversion())
        report.sessions = index.names.count
        report.entries = index.sessions.values.reduce(0) { $0 + $1.places.count }
        report.time = start.duration(to: .now)
    }

    /// Opens the copy of a directory that may be damaged. Compares the tables, and reads nothing of them.
    ///
    /// - Throws: `LogFailure`, or a `StorageError` about the file.
    init(copyIn path: String) throws {
        directory = try DataDirectory(path, creates: false)
        connection = try Self.connect(directory, SQLiteLogOptions())
        try connection.check(traitd_keep_log_on_close(connection.handle))
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        try connection.checkTables(allowsOthers: true)
        guard let identity = FileIdentity(directory.databasePath) else {
            throw LogFailure(.unavailable, "the copy in '\(path)' cannot be read")
        }
        databaseIdentity = identity
    }

    private static func connect(
        _ directory: DataDirectory, _ options: SQLiteLogOptions
    ) throws(LogFailure) -> Connection {
        let name = options.vfs.map { "traitd-over-\($0)" } ?? "traitd"
        let result = traitd_register_checksums(name, options.vfs)
        guard result == SQLITE_OK else {
            throw LogFailure(
                StorageError(code: result, message: "").unavailability,
                "SQLite has no VFS '\(name)': result \(result)")
        }
        do throws(StorageError) {
            return try Connection(path: directory.databasePath, vfs: name)
        } catch {
            throw failure(error, directory)
        }
    }

    private static func failure(_ error: StorageError, _ directory: DataDirectory) -> LogFailure {
        if error.isDamage {
            return LogFailure(
                .damaged(), "the database in '\(directory.path)' is damaged: \(error)")
        }
        return LogFailure(
            error.unavailability,
            "the database in '\(directory.path)' cannot be used: \(error)")
    }

    // MARK: - Settings and tables

    private func prepare() throws(StorageError) {
        try connection.check(traitd_reserve_checksums(connection.handle))
        try connection.check(traitd_keep_log_on_close(connection.handle))
        // Exclusive before anything is read: the index of the write-ahead log is then in memory.
        for setting in [
            "page_size = \(TRAITD_PAGE_BYTES)", "locking_mode = EXCLUSIVE", "journal_mode = WAL",
            "synchronous = FULL", "wal_autocheckpoint = 0", "mmap_size = 0",
            "cell_size_check = ON", "trusted_schema = OFF", "temp_store = MEMORY",
            "cache_size = -8192", "secure_delete = OFF",
        ] { try connection.execute("PRAGMA \(setting)") }
    }

    private func create() throws(StorageError) {
        try connection.transaction { () throws(StorageError) in
            for table in Schema.tables { try connection.execute(table) }
            try connection.execute("INSERT INTO marks VALUES (0)")
            try connection.execute("PRAGMA application_id = \(Self.applicationID)")
            try connection.execute("PRAGMA user_version = \(Self.format)")
        }
        // Into the database file, and the names of the files onto the disk.
        try connection.checkpoint(truncates: true)
    }

    /// Returns the format of the directory.
    private func checkFormat() throws(LogFailure) -> Int64 {
        let found: Int64?
        do throws(StorageError) {
            found = try connection.integer("PRAGMA user_version")
        } catch {
            throw named(error)
        }
        guard let found, found > 0 else {
            throw named(Self.corrupt("the format \(found ?? 0) is none"))
        }
        guard found <= Self.format else {
            throw LogFailure(
                .unsupported(version: UInt8(clamping: found)),
                "the data directory '\(directory.path)' has format \(found), which a later "
                    + "release wrote; this one understands up to \(Self.format). Use that release, "
                    + "or export the sessions with it and import them here")
        }
        return found
    }

    // MARK: - Reading

    private mutating func readSessions() throws(StorageError) {
        let rows = try connection.statement(
            "SELECT number, name, uid, base, baseChecksum FROM sessions ORDER BY number")
        while try rows.step() {
            let number = try rows.integer(0, in: Schema.numbers)
            index.lastNumber = max(index.lastNumber, number)
            if rows.integer(3) == SQLiteLog.forgottenBase {
                forgotten.insert(number)
                garbage.markedSessions.append(number)
                continue
            }
            let stored = StoredSession(number: number, session: try rows.session(1, 2))
            stored.base = try rows.integer(3, in: Schema.revisions)
            stored.baseChecksum = rows.word(4)
            stored.head = stored.base
            stored.headChecksum = stored.baseChecksum
            byNumber[number] = stored
        }
        let marks = try connection.statement("SELECT max(sequence) FROM marks")
        defer { marks.reset() }
        if try marks.step() { index.lastSequence = try marks.integer(0, in: Schema.sequences) }
    }

    /// Reads every row, verifies its entries, and that each follows the one before of its session.
    private mutating func readEntries() throws(StorageError) {
        let rows = try connection.statement(
            "SELECT sequence, entry FROM entries ORDER BY sequence")
        defer { rows.reset() }
        while try rows.step() {
            let sequence = try rows.integer(0, in: Schema.sequences)
            index.lastSequence = max(index.lastSequence, sequence)
            let bytes = rows.bytes(1)
            // Rows of forgotten sessions count until upkeep deletes them.
            index.bytes += Int64(bytes.count)
            if try read(StoredRow(bytes), at: sequence) { continue }
            garbage.add(sequence)
        }
        lastRead = nil
        for stored in byNumber.values {
            guard stored.head > 0 else {
                lastRead = StoredPlace(session: stored.number, revision: 1)
                throw Self.corrupt("the session has no entry")
            }
            index.sessions[stored.session] = stored
            if stored.isDeleted { continue }
            if index.names.updateValue(stored, forKey: stored.session.name) != nil {
                lastRead = StoredPlace(session: stored.number, revision: 1)
                throw Self.corrupt("two sessions have the name '\(stored.session.name)'")
            }
        }
    }

    /// Reads the entries of a row.
    ///
    /// - Returns: whether one of them is needed.
    private mutating func read(
        _ row: consuming StoredRow, at sequence: Int64
    ) throws(StorageError) -> Bool {
        guard let stored = byNumber[row.session] else {
            guard forgotten.contains(row.session) else {
                throw Self.corrupt("row \(sequence) is of no session")
            }
            return false
        }
        lastRead = StoredPlace(session: row.session, revision: stored.head + 1)
        var isNeeded = false
        while let entry = try row.next() {
            if entry.revision <= stored.base { continue }
            guard entry.revision == stored.head + 1, entry.previous == stored.headChecksum else {
                throw Self.corrupt("revision \(entry.revision) does not follow \(stored.head)")
            }
            isNeeded = true
            stored.places.append(sequence)
            stored.head = entry.revision
            stored.headChecksum = entry.checksum
            stored.isDeleted = entry.kind == .tombstone
            lastRead = StoredPlace(session: row.session, revision: stored.head + 1)
        }
        return isNeeded
    }

    private mutating func readSnapshots() throws(StorageError) {
        let rows = try connection.statement(
            "SELECT number, \(StoredSnapshot.columns) FROM snapshots ORDER BY number")
        while try rows.step() {
            let snapshot = try StoredSnapshot(rows)
            index.lastSnapshot = max(index.lastSnapshot, snapshot.number)
            let stored = forgotten.contains(rows.integer(1)) ? nil : byNumber[rows.integer(1)]
            guard let stored, rows.integer(6) == 1, snapshot.revision >= stored.base,
                snapshot.revision <= stored.head,
                (stored.snapshots.last?.revision ?? 0) < snapshot.revision
            else {
                garbage.snapshots.append(snapshot.number)
                continue
            }
            stored.snapshots.append(snapshot)
            // Rows say the bytes, and a snapshot with other bytes is refused when it is read.
            index.bytes &+= Int64(snapshot.bytes)
        }
        for stored in index.sessions.values
        where stored.base > 0 && stored.snapshots.isEmpty && !stored.isDeleted {
            // A truncation needs a snapshot of its revision or a later one.
            lastRead = StoredPlace(session: stored.number, revision: stored.base)
            throw Self.corrupt("the snapshot that the entries follow is missing")
        }
    }

    private static func corrupt(_ message: String) -> StorageError {
        StorageError(code: SQLITE_CORRUPT, message: message)
    }

    // MARK: - Damage

    /// The failure, with the session and the revision that it concerns as far as they can be known.
    private func named(_ error: StorageError) -> LogFailure {
        guard error.isDamage else { return Self.failure(error, directory) }
        let page = connection.damagedPage
        var places = lastRead.map { [$0] } ?? []
        if let page {
            places = DamagedPlaces(directory).entries(inPage: page) + places
        }
        if places.isEmpty {
            places = byNumber.values.sorted { $0.number < $1.number }
                .map { StoredPlace(session: $0.number, revision: $0.head + 1) }
        }
        let known = places.lazy.compactMap { place in
            byNumber[place.session].map { (session: $0.session, revision: place.revision) }
        }.first
        let named = known ?? DamagedPlaces(directory).firstSession()
        let pageText = page.map { "page \($0) of \(DataDirectory.databaseName): " } ?? ""
        return Self.damaged(named?.session, named?.revision, pageText + error.message, directory)
    }

    static func damaged(
        _ session: LogSession?, _ revision: Int64?, _ reason: String, _ directory: DataDirectory
    ) -> LogFailure {
        let place = session.map { session in
            "the session '\(session.name)' (uid \(session.uid))"
                + (revision.map { " at revision \($0)" } ?? "")
        }
        return LogFailure(
            .damaged(session: session, revision: revision),
            "the log in '\(directory.path)' is damaged: \(place.map { $0 + ": " } ?? "")\(reason). "
                + "Restore a backup, or run 'traitd recover --data-dir \(directory.path)' to keep "
                + "what is whole")
    }

    private static func unproved(_ path: String) -> String {
        "the data directory '\(path)' cannot be proved complete: its file "
            + "\(DataDirectory.acknowledgedName) is missing or damaged, so sessions and commits may be missing. "
            + "Copy all files of the directory, or restore a backup; 'traitd serve --accept-unproved' takes "
            + "what is there for all"
    }

    /// Acts on the condition that the write-ahead log had before SQLite read it.
    private mutating func judge(_ wal: WriteAheadLog) throws(LogFailure) {
        var first: [Int64: Int64] = [:]
        for place in wal.lost {
            guard let stored = byNumber[place.session], place.revision > stored.head else {
                continue
            }
            first[place.session] = min(first[place.session] ?? .max, place.revision)
        }
        let lost = first.compactMap { number, revision in
            byNumber[number].map { (session: $0.session, revision: revision) }
        }.sorted { $0.session.name < $1.session.name }
        switch wal.condition {
        case .whole: break
        case .torn: report.cut = lost
        case .damaged(let what):
            let fallback = byNumber.values.min { $0.number < $1.number }
            throw Self.damaged(
                lost.first?.session ?? fallback?.session,
                lost.first?.revision ?? fallback.map { $0.head + 1 },
                "\(what) is not as it was written, and commits follow it", directory)
        }
    }

    private mutating func compareWithAcknowledged(_ unproved: Unproved) throws(LogFailure) {
        guard let mark = AcknowledgedMark(path: directory.acknowledgedPath) else {
            let reason = Self.unproved(directory.path)
            report.unproved = reason
            if unproved == .read { return }
            guard unproved == .accepted else {
                throw LogFailure(.damaged(), reason)
            }
            let newest = byNumber.values.max { $0.number < $1.number }
            return try directory.store(
                AcknowledgedMark(
                    sequence: index.lastSequence, revision: newest?.head ?? 0,
                    session: newest?.session ?? AcknowledgedMark.none.session))
        }
        // As with the write-ahead log, what is read need not be on the disk.
        if mark.sequence <= index.lastSequence { return try directory.store(mark) }
        throw Self.damaged(
            mark.session, mark.revision,
            "this commit was acknowledged in row \(mark.sequence), and the log ends with row "
                + "\(index.lastSequence)", directory)
    }
}
