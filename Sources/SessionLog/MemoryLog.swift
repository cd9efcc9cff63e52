// The default log: entries live as long as the process. An append is acknowledged before it
// returns, so a commit costs nothing beyond itself.

import Synchronization

package final class MemoryLog: SessionLog {
    /// A session's entries; `first` is the index of the oldest one that was not truncated.
    private struct Entries {
        var kept: [LogEntry] = []
        var first = 0
        var head: Int64 = 0

        /// Amortised O(1): the array is compacted when more than half of it is gone.
        mutating func drop(through revision: Int64) {
            while first < kept.count, kept[first].revision <= revision { first += 1 }
            if first > 64, first > kept.count / 2 {
                kept.removeFirst(first)
                first = 0
            }
        }
    }

    private let sessions = Mutex<[LogSession: Entries]>([:])

    package init() {}

    package var durability: String { "memory" }
    package var survivesRestart: Bool { false }

    package func append(
        _ entries: [LogEntry], to session: LogSession, expecting revision: Int64,
        observer: any AppendObserver
    ) -> AppendResult? {
        sessions.withLock { sessions in
            let head = sessions[session]?.head ?? 0
            guard head == revision else { return .conflict(head: head) }
            guard let last = entries.last else { return .appended }
            sessions[session, default: Entries()].kept.append(contentsOf: entries)
            sessions[session]?.head = last.revision
            return .appended
        }
    }

    package func bounds(of session: LogSession) -> LogBounds? {
        sessions.withLock { sessions in
            guard let entries = sessions[session] else { return nil }
            let oldest =
                entries.first < entries.kept.count
                ? entries.kept[entries.first].revision : entries.head + 1
            return LogBounds(oldest: oldest, head: entries.head)
        }
    }

    package func tail(
        of session: LogSession, after revision: Int64, limit: Int
    ) -> [LogEntry] {
        sessions.withLock { sessions in
            guard let entries = sessions[session] else { return [] }
            return Array(
                entries.kept[entries.first...].drop { $0.revision <= revision }
                    .prefix(max(0, limit)))
        }
    }

    package func truncate(_ session: LogSession, through revision: Int64) {
        sessions.withLock { $0[session]?.drop(through: revision) }
    }

    package func delete(_ session: LogSession) {
        sessions.withLock { _ = $0.removeValue(forKey: session) }
    }
}
