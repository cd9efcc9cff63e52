// Why a call other than an append failed. Appends have results of their own (AppendResult.swift).

/// The log could not do or answer what was asked.
package struct LogFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The storage does not answer; the same call may succeed later.
        case unavailable
        /// The storage refuses what this process asks for, such as without a permission. An operator can mend that.
        case denied
        /// The system refuses the memory that the call needs. It says nothing about what is stored.
        case outOfMemory
        /// The stored bytes differ from the written ones; with the session and revision, if known.
        case damaged(session: LogSession? = nil, revision: Int64? = nil)
        /// A later release wrote it, in a form that this one does not understand.
        case unsupported(version: UInt8)
        /// A truncation would drop entries that no snapshot covers; nothing was dropped. The
        /// revision is that of the newest snapshot, 0 without one.
        case notCovered(snapshot: Int64)
        /// A snapshot does not belong to the session's entries; it was not written.
        case snapshotMismatch
        /// The session has no tombstone, so it cannot be forgotten.
        case notDeleted
        /// The storage was restored or replaced, so it may lack what processes have shown already.
        case replaced
    }

    package let kind: Kind
    /// For the operator, in words.
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// Whether the same call may succeed later, which says nothing about what is stored.
    package var isPassing: Bool { kind == .unavailable || kind == .denied }

    package var description: String { reason }
}
