// The memory of all sessions: counted for the ledger, and given back when it gets short.

import Ledger

extension SessionStore {
    /// Counts what all sessions hold, by part. O(sessions), each under its lock for less than a
    /// microsecond. To be called beside the shards.
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
            snapshots += session.snapshotsHeld * bytes.hierarchy.total
        }
        return [
            .nodes: nodes, .names: names, .values: values, .watches: watches,
            .retainedCommits: retained, .feeds: feeds, .snapshots: snapshots,
        ]
    }

    /// Halves the windows of retained commits, the larger ones first in effect, as each keeps at least
    /// `windowBytesMin`. Streams whose position is lost get 410 when they resume.
    ///
    /// - Returns: how many bytes were let go.
    package func shrinkWindows(windowBytesMin: Int = 65_536) -> Int {
        var bytes = 0
        forEachSession { session in
            // One that a thread owns is left alone.
            let held = session.lockedIfFree { session.retained.bytes } ?? 0
            guard held > windowBytesMin else { return }
            bytes += session.shrinkWindow(to: max(windowBytesMin, held / 2))
        }
        return bytes
    }
}
