// The memory of all sessions: counted for the ledger, and freed when it gets short.

import Background
import Ledger
import SessionLog
import Synchronization
import TraitJSON

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

extension SessionStore {
    /// Snapshots that could not be written since the process began; nil without a log.
    package var snapshotFailures: SnapshotFailures? { writer?.snapshotter.failures }

    /// While the log is short of space: has snapshots written of sessions that no commit would have it write of, so
    /// that their entries can go. To be called about once a second. O(sessions) then.
    package func makeRoom() {
        guard let writer, writer.log.isShortOfSpace else { return }
        forEachSession { session in
            let isDue = session.withStateIfFree { state -> Bool in
                guard !state.isDeleted,
                    state.upkeep.schedule.isDue(
                        whenShortAt: state.acknowledged, limits: state.limits),
                    state.environment.uptime() >= state.upkeep.schedule.notBefore
                else { return false }
                state.upkeep.schedule.isSubmitted = true
                return true
            }
            if isDue ?? false { writer.snapshotter.submit(session) }
        }
    }
}
