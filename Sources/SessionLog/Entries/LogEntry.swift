// A log is a sequence of entries. An entry is immutable and shared by reference between the log and
// the retained commits, so that both keep one copy.

/// One commit, or the end of a session, as it is persisted.
///
/// Each entry carries a checksum over its own fields and over the checksum of the entry before.
/// The entries of a session therefore form a chain: an altered, lost or swapped entry breaks it.
package final class LogEntry: Sendable {
    package enum Kind: UInt8, Sendable, CaseIterable {
        /// A commit. Its payload is what replay applies.
        case commit = 0
        /// The end of the session. No entry follows it, and the name is free.
        case tombstone = 1
    }

    /// The revision that this entry makes. Revision 1 makes the session.
    package let revision: Int64
    /// Milliseconds since 1970, by the clock of the process that made the commit.
    package let time: Int64
    package let kind: Kind
    /// Bytes that the log does not interpret.
    package let payload: [UInt8]
    /// The checksum of the entry before, 0 for the first entry.
    package let previous: UInt64
    /// `EntryChecksum` over `previous`, revision, time, kind and payload.
    package let checksum: UInt64

    /// Makes an entry and its checksum. O(payload).
    ///
    /// - Parameter previous: the checksum of the entry before, 0 for the first entry.
    package init(
        revision: Int64, time: Int64, kind: Kind = .commit, payload: [UInt8],
        after previous: UInt64
    ) {
        self.revision = revision
        self.time = time
        self.kind = kind
        self.payload = payload
        self.previous = previous
        checksum = payload.withUnsafeBytes {
            EntryChecksum.of(
                revision: revision, time: time, kind: kind, payload: $0, after: previous)
        }
    }

    /// Whether this entry may come after the entry whose checksum is `previous`.
    ///
    /// Computes the checksum again. O(payload).
    package func follows(_ previous: UInt64) -> Bool {
        let recomputed = payload.withUnsafeBytes {
            EntryChecksum.of(
                revision: revision, time: time, kind: kind, payload: $0, after: previous)
        }
        return self.previous == previous && recomputed == checksum
    }
}
