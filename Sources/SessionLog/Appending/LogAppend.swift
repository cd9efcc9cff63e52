// One session's part of a batch, and the rules for it that no storage is needed to check. Every log
// checks them through this file, so that all logs refuse the same parts.

/// Entries of one session that are appended together or not at all.
package struct LogAppend: Sendable {
    package let session: LogSession
    package let entries: [LogEntry]
    /// The revision of the entry before the first one. 0 creates the session, which succeeds only
    /// while no live session has its name.
    package let expecting: Int64
    /// Leases that must not have been renewed; nil for none. A log of one process has no guards.
    package let leases: LeaseGuard?

    package init(
        session: LogSession, entries: [LogEntry], expecting: Int64, leases: LeaseGuard? = nil
    ) {
        self.session = session
        self.entries = entries
        self.expecting = expecting
        self.leases = leases
    }

    /// Why every log of these properties refuses this part, or nil. O(entries).
    ///
    /// Revisions have no gap, each entry follows the one before, a tombstone is the last entry and
    /// not the first revision, and no payload is too large. Whether the first entry follows the
    /// head is for the log to check.
    package func malformation(for properties: LogProperties) -> String? {
        guard expecting >= 0 else { return "a log has no revision \(expecting)" }
        var before: LogEntry?
        var expected = expecting
        for entry in entries {
            guard expected < .max, entry.revision == expected + 1 else {
                return "revision \(entry.revision) does not follow \(expected)"
            }
            if let before {
                guard before.kind != .tombstone else { return "an entry follows a tombstone" }
                guard entry.previous == before.checksum else { return Self.brokenChain(entry) }
            }
            if let reason = Self.malformation(of: entry, for: properties) { return reason }
            before = entry
            expected = entry.revision
        }
        return nil
    }

    /// Why every log of these properties refuses this entry, or nil. O(1).
    package static func malformation(
        of entry: LogEntry, for properties: LogProperties
    ) -> String? {
        if entry.payload.count > properties.maxEntryBytes {
            return "revision \(entry.revision) has \(entry.payload.count) bytes, more than"
                + " \(properties.maxEntryBytes)"
        }
        if entry.revision == 1 && entry.kind == .tombstone {
            return "a session cannot begin with a tombstone"
        }
        return nil
    }

    package static func brokenChain(_ entry: LogEntry) -> String {
        "revision \(entry.revision) does not follow the checksum of the entry before"
    }
}
