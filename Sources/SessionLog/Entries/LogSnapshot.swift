// A log keeps a snapshot in place of the entries up to a revision, so that a restart and a late
// follower need not replay all of them.

/// A session at one revision.
package struct LogSnapshot: Equatable, Sendable {
    package let revision: Int64
    /// The checksum of the entry of `revision`; the entry after it follows this checksum.
    package let checksum: UInt64
    /// Bytes that the log does not interpret.
    package let payload: [UInt8]

    package init(revision: Int64, checksum: UInt64, payload: [UInt8]) {
        self.revision = revision
        self.checksum = checksum
        self.payload = payload
    }
}

/// With what loading a session begins.
package struct LogStart: Sendable {
    /// Nil to begin with the first entry.
    package var snapshot: LogSnapshot?
    /// The revision of the newest snapshot, as far as this process knows; nil without one.
    package var newestSnapshot: Int64?

    package init(snapshot: LogSnapshot? = nil, newestSnapshot: Int64? = nil) {
        self.snapshot = snapshot
        self.newestSnapshot = newestSnapshot
    }
}
