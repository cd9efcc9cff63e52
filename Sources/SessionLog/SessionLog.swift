// Where commits are kept. Everything above this protocol is a view of the sequence it holds, so
// it stays narrow enough for a compare-and-append over a network, and no implementation may
// assume that this process is the only writer.

/// A session as its log knows it: the name may be given again, the uid never is.
package struct LogSession: Hashable, Sendable {
    package let name: String
    package let uid: String

    package init(name: String, uid: String) {
        self.name = name
        self.uid = uid
    }

    /// The uid alone tells sessions apart; the name would be hashed in vain.
    package func hash(into hasher: inout Hasher) { hasher.combine(uid) }
}

/// One commit as it is kept: opaque bytes that the service can apply again.
///
/// Shared by reference between the log and the retained commits, so that keeping it twice costs
/// nothing.
package final class LogEntry: Sendable {
    package let revision: Int64
    /// Milliseconds since 1970, by the clock of the process that made the commit.
    package let time: Int64
    package let payload: [UInt8]

    package init(revision: Int64, time: Int64, payload: [UInt8]) {
        self.revision = revision
        self.time = time
        self.payload = payload
    }
}

/// How an append ended.
package enum AppendResult: Sendable, Equatable {
    /// The entries are as durable as this log promises.
    case appended
    /// Another writer was first; nothing was appended.
    case conflict(head: Int64)
    /// Refused before anything was written (a full disk, say); nothing was appended.
    case refused(reason: String)
    /// The log cannot say whether the entries were kept: read the head before going on.
    case unknown(reason: String)
}

/// Told about appends that were not finished when `append` returned.
package protocol AppendObserver: AnyObject, Sendable {
    /// Called once for each pending append, from any thread, in the order of the appends.
    func append(through revision: Int64, finished result: AppendResult)
}

/// Where the entries of a session begin and end, or that it has none.
package struct LogBounds: Equatable, Sendable {
    package let oldest: Int64
    package let head: Int64

    package init(oldest: Int64, head: Int64) {
        self.oldest = oldest
        self.head = head
    }
}

package protocol SessionLog: AnyObject, Sendable {
    /// What a session says of itself: `memory`, `sqlite`…
    var durability: String { get }
    /// Whether entries must outlive the process; when not, the window of retained commits may
    /// truncate the log as it moves.
    var survivesRestart: Bool { get }

    /// Appends `entries`, whose revisions follow `revision` without a gap.
    ///
    /// Returns the result when it is known at once, else nil; then `observer` hears it later.
    /// Appends of one session are finished in order.
    func append(
        _ entries: [LogEntry], to session: LogSession, expecting revision: Int64,
        observer: any AppendObserver
    ) -> AppendResult?

    /// The revisions that are kept; nil when the session has no entry.
    func bounds(of session: LogSession) -> LogBounds?
    /// The kept entries after `revision`, oldest first, at most `limit`.
    func tail(of session: LogSession, after revision: Int64, limit: Int) -> [LogEntry]
    /// Drops the entries up to and including `revision`.
    func truncate(_ session: LogSession, through revision: Int64)
    /// Forgets the session.
    func delete(_ session: LogSession)
}
