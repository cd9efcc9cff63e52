// The log on disk: entries in one SQLite database, in the order in which they were appended.
//
//     sessions(number, name, uid, base, baseChecksum)    entries through `base` are truncated
//     entries(sequence, entry)                           entries of one append (StoredRow.swift)
//     snapshots(number, session, revision, …)            `isComplete` when all parts are there
//     parts(id, bytes)                                   id = snapshot << 20 | part
//     marks(sequence)                                    the newest sequence number ever deleted
//
// Everything that decides an append is in memory, read once when the log is opened: one process has
// the directory (flock), and one connection is used by one call at a time. Appends, checkpoints,
// truncation and snapshots share that connection and take turns, so SQLite's faults with several
// connections to a write-ahead log cannot happen (docs/durability.md).

import Background
import CSQLite
import Glibc
import SessionLog
import Synchronization

/// Confinement: everything that is `var` is touched only on `queue`.
package final class SQLiteLog: SessionLog, @unchecked Sendable {
    package let properties: LogProperties
    let options: SQLiteLogOptions
    let directory: DataDirectory
    let queue = WorkQueue("traitd.sqlite")
    let counters = LogCounters()

    /// Nil once the log is closed.
    var connection: Connection?
    let databaseIdentity: FileIdentity
    let walIdentity: FileIdentity?
    let acknowledgedDescriptor: Int32
    /// Pages of the write-ahead log since it was copied last. SQLite writes it at each commit.
    let walPages: UnsafeMutablePointer<Int32>

    var index: LogIndex
    /// The state that is read without waiting for a flush.
    let shared: Mutex<Shared>
    /// Where a row is encoded.
    var encoded: [UInt8] = []
    /// Rows that nothing needs any more, and that are still to be deleted.
    var garbage = Garbage()
    var isUpkeepScheduled = false
    /// Batches since upkeep last looked. They delete garbage themselves.
    var appendsSinceUpkeep = 0
    /// Whether no append came since the write-ahead log could not be copied.
    var hasCopyFailed = false
    var checkpointFailures = 0
    let followers = LogFollowers()
    package let opening: OpeningReport

    /// Behind a lock of its own.
    struct Shared {
        /// The live sessions.
        var names: [String: LogSession]
        /// Why the log writes no more; nil while it works. Only another start ends this state.
        var failure: String?
    }

    static let maxBatchEntries = 4_096

    /// All files that a directory may have.
    package static var fileNames: [String] { DataDirectory.fileNames }

    /// Opens the log in a directory: recovers, verifies the chains, and copies what the last process
    /// left in the write-ahead log. O(entries).
    ///
    /// - Throws: `unavailable` when the directory cannot be used, `unsupported` when a later release
    ///   wrote it, `damaged` with session and revision when acknowledged entries are not there as
    ///   they were written. Nothing is changed then.
    package convenience init(
        path: String, options: SQLiteLogOptions = SQLiteLogOptions()
    ) throws(LogFailure) {
        self.init(try OpenedDatabase(path: path, options: options), options)
    }

    /// Takes over a database that is open.
    init(_ opened: OpenedDatabase, _ options: SQLiteLogOptions) {
        self.options = options
        properties = LogProperties(
            durability: "disk",
            isShared: false, maxEntryBytes: options.entryBytesMax,
            maxBatchEntries: Self.maxBatchEntries)
        directory = opened.directory
        connection = opened.connection
        index = opened.index
        garbage = opened.garbage
        shared = Mutex(Shared(names: opened.index.names.mapValues(\.session)))
        opening = opened.report
        databaseIdentity = opened.databaseIdentity
        walIdentity = FileIdentity(opened.directory.walPath)
        acknowledgedDescriptor = SystemFiles.open(
            opened.directory.acknowledgedPath, O_WRONLY | O_CREAT)
        walPages = .allocate(capacity: 1)
        walPages.initialize(to: 0)
        traitd_count_log_pages(opened.connection.handle, walPages)
        counters.change { $0.logBytes = index.bytes }
        if !garbage.isEmpty { queue.sync { scheduleUpkeep() } }
    }

    deinit {
        // No call is under way, as each would keep the log.
        closeConnection(copies: true)
        if acknowledgedDescriptor >= 0 { SystemFiles.close(acknowledgedDescriptor) }
        walPages.deallocate()
    }

    /// Closes the files. Every call after this fails.
    ///
    /// - Parameter copies: whether the write-ahead log is copied into the database first, so that the
    ///   next start is quick. Without it the files are as if the process had been killed.
    package func end(copies: Bool = true) { queue.sync { closeConnection(copies: copies) } }

    /// Closes the files of a directory that was opened as a partial one: it is whole.
    package func complete() throws(LogFailure) {
        end()
        try directory.removePartialMark()
    }

    private func closeConnection(copies: Bool) {
        guard let open = connection else { return }
        // If copying fails now, the next opening of the log copies.
        if copies, failure == nil { try? open.checkpoint(truncates: true) }
        connection = nil
        directory.unlock()
        stop("the log is closed")
    }

    package func follow(_ follower: any LogFollower) -> LogSubscription { followers.add(follower) }

    package var statistics: LogStatistics? { counters.statistics }

    package var trouble: String? { failure }

    var failure: String? { shared.withLock { $0.failure } }

    /// From now on nothing is written. What was acknowledged stays readable from memory.
    func stop(_ reason: String) {
        shared.withLock { if $0.failure == nil { $0.failure = reason } }
    }
}

/// The findings of opening a log.
package struct OpeningReport: Sendable {
    /// The version of SQLite that runs.
    package var sqliteVersion = ""
    package var sessions = 0
    package var entries = 0
    /// Entries that the last process was writing when it ended, and never acknowledged: for each
    /// session the first revision that is missing.
    package var cut: [(session: LogSession, revision: Int64)] = []
    /// Whether the disk had no room for copying the write-ahead log.
    package var isFull = false
    /// The message, where entries may be missing of which there is no sign.
    package var unproved: String?
    /// How long the opening took.
    package var time = Duration.zero
}
