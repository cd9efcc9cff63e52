// Which part of a session's history a log still has.

/// The revisions of a session that are in the log.
package struct LogBounds: Equatable, Sendable {
    /// The oldest revision whose entry is there; `head + 1` when every entry was truncated.
    package let oldest: Int64
    /// The newest revision that was appended, whether or not its entry was truncated.
    package let head: Int64
    /// Whether the newest entry is a tombstone.
    package let isDeleted: Bool

    package init(oldest: Int64, head: Int64, isDeleted: Bool) {
        self.oldest = oldest
        self.head = head
        self.isDeleted = isDeleted
    }
}
