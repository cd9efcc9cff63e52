// The memory of all sessions: counted for the ledger, and freed when it gets short.

import Ledger

extension SessionStore {
    /// Counts the memory of all sessions, by part. O(sessions), each under its lock for less than a
    /// microsecond. Not to be called on a shard.
    package func countMemory() -> [MemoryPart: Int] {
        var nodes = 0
        var names = 0
        var values = 0
        var watches = 0
        var retained = 0
        var feeds = 0
        var snapshots = 0
        forEachSession { session in
            let bytes = session.countBytesOrRecall()
            nodes += bytes.hierarchy.nodes + bytes.rest
            names += bytes.hierarchy.names
            values += bytes.hierarchy.values
            watches += bytes.hierarchy.watches
            retained += bytes.retained
            feeds += bytes.feeds
            snapshots += bytes.snapshots + session.attachment.heldBytes
        }
        snapshots += attachment.heldBytes
        return [
            .nodes: nodes, .names: names, .values: values, .watches: watches,
            .retainedCommits: retained, .feeds: feeds, .snapshots: snapshots,
        ]
    }

    /// Halves the windows of retained commits. Each keeps at least `windowBytesMin`, so large windows shrink most. A stream
    /// whose position is lost gets 410 when it resumes.
    ///
    /// - Returns: how many bytes were freed.
    package func shrinkWindows(windowBytesMin: Int = 65_536) -> Int {
        var bytes = 0
        forEachSession { session in
            // A session that a thread owns is passed over.
            let held = session.withStateIfFree { $0.retained.heldBytes } ?? 0
            guard held > windowBytesMin else { return }
            bytes += session.shrinkWindow(to: max(windowBytesMin, held / 2))
        }
        return bytes
    }
}
