// Where commits are persisted. Everything above this protocol is a view of the sequences it holds,
// so it stays narrow enough for a compare-and-append over a network, and no implementation may
// assume that this process is the only writer.

/// Sequences of entries, one for each session.
///
/// A session begins with revision 1 and ends with a tombstone. After the tombstone its name is free
/// for another session, its entries stay readable until `forget`, and every append to it is a
/// conflict.
package protocol SessionLog: AnyObject, Sendable {
    var properties: LogProperties { get }

    // MARK: - Appending

    /// Appends each part of `batch` whose session is at the revision that the part expects.
    ///
    /// Returns one result for each part, in the order of the batch. Parts are taken in that order,
    /// so a name that one part sets free is free for the next. A part is appended whole or not at
    /// all, and parts of different sessions succeed or fail independently. A part without entries
    /// appends nothing; its result says whether the session is at the expected revision.
    ///
    /// A part that breaks the form (`LogAppend.malformation`), that does not follow the checksum of
    /// the head, or that exceeds `maxBatchEntries` together with the parts before it, is refused.
    ///
    /// Called by up to `appendsAtATime` threads at once, for one session by one after the other.
    /// May block for as long as storage takes, so it is never called under a session's lock.
    func append(_ batch: [LogAppend]) -> [AppendResult]

    // MARK: - Reading

    /// The live sessions, by name in byte order. O(sessions · log sessions).
    func sessions() throws(LogFailure) -> [LogSession]

    /// The live session of that name.
    func session(named name: String) throws(LogFailure) -> LogSession?

    /// The revisions that are in the log; nil when the session has no entry or is forgotten.
    func bounds(of session: LogSession) throws(LogFailure) -> LogBounds?

    /// The entries after `revision`, oldest first, at most `limit`.
    ///
    /// When entries after `revision` were truncated, the first entry returned is the oldest one in
    /// the log: a follower that finds a gap reads the newest snapshot and goes on from there.
    func tail(
        of session: LogSession, after revision: Int64, limit: Int
    ) throws(LogFailure) -> [LogEntry]

    // MARK: - Snapshots and truncation

    /// Keeps a snapshot. An older one than the newest changes nothing.
    ///
    /// - Throws: `snapshotMismatch` when the session has no such revision, when its checksum is
    ///   another, or when entries after it are truncated already.
    func write(_ snapshot: LogSnapshot, of session: LogSession) throws(LogFailure)

    /// With what loading a session begins, so that every entry that the log has is replayed and streams resume from
    /// each.
    func start(of session: LogSession) throws(LogFailure) -> LogStart

    /// The newest snapshot of a revision at or before `revision`; nil when the log has none.
    func snapshot(
        of session: LogSession, atOrBefore revision: Int64
    ) throws(LogFailure) -> LogSnapshot?

    /// The revisions of the snapshots that the log has, oldest first. O(snapshots).
    func snapshotRevisions(of session: LogSession) throws(LogFailure) -> [Int64]

    /// Drops the entries up to and including `revision`, or all when the head is below it. The head
    /// stays where it is.
    ///
    /// Returns the revisions that were dropped; nil when there was nothing to drop.
    ///
    /// - Throws: `notCovered` when an entry that would be dropped is beyond the newest snapshot.
    @discardableResult
    func truncate(
        _ session: LogSession, through revision: Int64
    ) throws(LogFailure) -> ClosedRange<Int64>?

    /// Forgets a session whose tombstone is appended, with its snapshots. A session without entries
    /// is forgotten already. A log forgets the sessions with a tombstone by itself when it is opened.
    ///
    /// - Throws: `notDeleted` when the session has no tombstone.
    func forget(_ session: LogSession) throws(LogFailure)

    // MARK: - Watching over it

    /// Counts of the log's work so far; nil for a log that does not count.
    var statistics: LogStatistics? { get }

    /// Why the log takes nothing more until the process starts again; nil while it works.
    var trouble: String? { get }

    /// Whether `trouble` is that the storage was restored or replaced: the process has shown what the log does not
    /// have any more, so it has to end.
    var isReplaced: Bool { get }

    /// How well the log is reached over the network; nil for a log on this machine.
    var contact: LogContact? { get }

    /// At most so long ago followers had received everything that the log had; nil for a log that does not know.
    var age: Duration? { get }

    /// Whether the log needs room, so that less history than usual is kept. Read for each commit.
    var isShortOfSpace: Bool { get }

    // MARK: - Sharing it with other writers

    /// The newest versions that all processes of the log read; nil if that is not known, or for a log of one process.
    var commonVersions: LogVersions? { get }

    /// Finds out where sessions are now, whoever has appended last.
    ///
    /// Calls `then` once, on any thread, with heads that the log had at one moment after this call, when it also had
    /// the question's notes of leases. Before `then` is called, followers have received every entry up to those
    /// heads. After a failure the notes may be in the log or not. Never blocks.
    func confirm(
        _ question: LogQuestion, then: @escaping @Sendable (Result<LogHeads, LogFailure>) -> Void)

    /// Calls `follower` after each successful append to any session, also by other processes, until the
    /// subscription is released.
    func follow(_ follower: any LogFollower) -> LogSubscription
}

extension SessionLog {
    package func start(of session: LogSession) throws(LogFailure) -> LogStart {
        let newest = try newestSnapshot(of: session)
        return LogStart(snapshot: newest, newestSnapshot: newest?.revision)
    }

    package func newestSnapshot(of session: LogSession) throws(LogFailure) -> LogSnapshot? {
        try snapshot(of: session, atOrBefore: .max)
    }

    /// For a log that keeps the newest snapshot alone.
    package func snapshotRevisions(of session: LogSession) throws(LogFailure) -> [Int64] {
        try newestSnapshot(of: session).map { [$0.revision] } ?? []
    }

    package var statistics: LogStatistics? { nil }
    package var trouble: String? { nil }
    package var isReplaced: Bool { false }
    package var isShortOfSpace: Bool { false }
    package var contact: LogContact? { nil }
    package var age: Duration? { nil }
    package var commonVersions: LogVersions? { nil }

    /// For a log whose own process knows the newest heads.
    package func confirm(
        _ question: LogQuestion, then: @escaping @Sendable (Result<LogHeads, LogFailure>) -> Void
    ) {
        then(Result { () throws(LogFailure) in try heads(question) })
    }

    package func heads(_ question: LogQuestion) throws(LogFailure) -> LogHeads {
        var named: [LogSession] = []
        if question.wantsAllHeads {
            named = try sessions()
        } else {
            for name in question.names {
                if let session = try session(named: name) { named.append(session) }
            }
        }
        var heads = LogHeads()
        for session in named {
            guard let bounds = try bounds(of: session), !bounds.isDeleted else { continue }
            heads.byName[session.name] = LogHead(session: session, revision: bounds.head)
        }
        return heads
    }
}
