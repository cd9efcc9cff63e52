// A question of a reader to a log that others write to, before an answer may go out as the newest state.

/// The sessions and leases whose newest state a reader needs.
package struct LogQuestion: Equatable, Sendable {
    /// The sessions whose heads are wanted, by name. A name that no live session has is confirmed as free.
    package var names: Set<String> = []
    /// Whether followers must have been notified of every session that was made, and every one that ended.
    package var wantsList = false
    /// Whether the heads of all live sessions are wanted.
    package var wantsAllHeads = false
    /// A note for the other processes, written before the heads are read; nil for none.
    package var leaseNotes: LeaseNotes?
    /// Whether the notes of all processes are wanted.
    package var wantsLeases = false
    /// Whether the reader's answer says that a lease was renewed, which holds once the log has the note.
    package var isRenewal = false

    package init() {}

    package var isEmpty: Bool { self == LogQuestion() }
    package var wantsHeads: Bool { !names.isEmpty || wantsList || wantsAllHeads }

    /// Adds what another question asks for. Its notes are newer than those of this one.
    package mutating func add(_ other: LogQuestion) {
        names.formUnion(other.names)
        wantsList = wantsList || other.wantsList
        wantsAllHeads = wantsAllHeads || other.wantsAllHeads
        wantsLeases = wantsLeases || other.wantsLeases
        guard let notes = other.leaseNotes else { return }
        if leaseNotes == nil { leaseNotes = LeaseNotes(process: notes.process) }
        leaseNotes?.byLease.merge(notes.byLease) { $1 }
    }
}

/// The live sessions that were asked for. A name without one is free.
package struct LogHeads: Equatable, Sendable {
    package var byName: [String: LogHead] = [:]
    /// If they were asked for, and the log is one that processes share.
    package var leases: LogLeases?
    /// Why the log, being full, has not taken the notes of this process; nil if it has. It gets them later.
    package var untold: String?

    package init() {}
}

/// A live session, and the newest revision that its log has.
package struct LogHead: Equatable, Sendable {
    package let session: LogSession
    package let revision: Int64

    package init(session: LogSession, revision: Int64) {
        self.session = session
        self.revision = revision
    }
}
