// The default log: entries live as long as the process. An append is acknowledged before it
// returns, so a commit costs nothing beyond itself.

import Synchronization

package final class MemoryLog: SessionLog {
    private final class Entries {
        var kept = WindowQueue<LogEntry>()
        var head: Int64 = 0

        /// The offset of the first entry after `revision`. O(log entries).
        func offset(after revision: Int64) -> Int {
            var low = 0
            var high = kept.count
            while low < high {
                let middle = low + (high - low) / 2
                if kept[middle].revision <= revision { low = middle + 1 } else { high = middle }
            }
            return low
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
            let known = sessions[session]
            let head = known?.head ?? 0
            guard head == revision else { return .conflict(head: head) }
            guard let last = entries.last else { return .appended }
            let kept = known ?? Entries()
            if known == nil { sessions[session] = kept }
            for entry in entries { kept.kept.append(entry) }
            kept.head = last.revision
            return .appended
        }
    }

    package func bounds(of session: LogSession) -> LogBounds? {
        sessions.withLock { sessions in
            guard let entries = sessions[session] else { return nil }
            return LogBounds(
                oldest: entries.kept.oldest?.revision ?? entries.head + 1, head: entries.head)
        }
    }

    package func tail(
        of session: LogSession, after revision: Int64, limit: Int
    ) -> [LogEntry] {
        sessions.withLock { sessions in
            guard let entries = sessions[session] else { return [] }
            let first = entries.offset(after: revision)
            let count = min(max(0, limit), entries.kept.count - first)
            return (first..<first + count).map { entries.kept[$0] }
        }
    }

    package func truncate(_ session: LogSession, through revision: Int64) {
        sessions.withLock { sessions in
            guard let entries = sessions[session] else { return }
            while let oldest = entries.kept.oldest, oldest.revision <= revision {
                entries.kept.popOldest()
            }
        }
    }

    package func delete(_ session: LogSession) {
        sessions.withLock { _ = $0.removeValue(forKey: session) }
    }
}
