// How an append ended. The cases differ in what the writer has to do next.

package enum AppendResult: Sendable, Equatable {
    /// The entries are as durable as this log promises.
    case appended
    /// The log is not where the writer expected it; nothing was appended.
    case conflict(LogConflict)
    /// The log is where the writer expected it, but it has a newer note of a lease of the guard; nothing was appended.
    case leaseRenewed
    /// Refused for another reason, such as an entry that breaks the chain; nothing was appended.
    case refused(reason: String)
    /// The log has too little room; nothing was appended. Appends succeed again when it has more.
    ///
    /// `disk` is nil for a log that is not on a disk of this machine.
    case full(reason: String, disk: DiskRoom?)
    /// The storage refuses this process, which an operator can mend; nothing was appended.
    case denied(reason: String)
    /// The log takes nothing more until the process starts again; nothing was appended.
    case unavailable(reason: String)
    /// The log cannot say whether the entries were appended: all of them were, or none. The writer
    /// reads the bounds or the tail before it goes on.
    case unknown(reason: String)
}

/// The bytes of a disk that are free, and how many of them have to stay so.
package struct DiskRoom: Sendable, Equatable {
    package let freeBytes: Int64
    package let minFreeBytes: Int64

    package init(freeBytes: Int64, minFreeBytes: Int64) {
        self.freeBytes = freeBytes
        self.minFreeBytes = minFreeBytes
    }
}

/// Where the log is instead.
package struct LogConflict: Sendable, Equatable {
    /// The head of the log for that session; 0 when the session has no entry.
    package let head: Int64
    /// For a creation: the live session that has the name, if there is one.
    package let holder: LogSession?
    /// Whether the head is a tombstone.
    package let isDeleted: Bool
    /// Entries behind the expected revision, as far as they came with the answer; the tail has all of them.
    package let entries: [LogEntry]

    package init(
        head: Int64, holder: LogSession? = nil, isDeleted: Bool = false, entries: [LogEntry] = []
    ) {
        self.head = head
        self.holder = holder
        self.isDeleted = isDeleted
        self.entries = entries
    }

    /// Whether both say the same of the log, whatever entries came along.
    package static func == (left: LogConflict, right: LogConflict) -> Bool {
        left.head == right.head && left.holder == right.holder
            && left.isDeleted == right.isDeleted
    }
}
