// Hands commits to a log that does not answer at once. One thread calls the log, so an append may
// block for as long as storage takes: commits queue meanwhile, and the next append takes all of
// them (group commit).

import Dispatch
import SessionLog
import Synchronization

package final class LogWriter: Sendable {
    private let log: any SessionLog
    private let queue = DispatchQueue(label: "traitd.log")
    private let state = Mutex((sessions: [Session](), isRunning: false))

    init(_ log: any SessionLog) { self.log = log }

    /// The session has commits that the log does not know. O(1).
    func submit(_ session: Session) {
        let starts = state.withLock { state in
            state.sessions.append(session)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { queue.async { self.run() } }
    }

    private func run() {
        while true {
            let sessions = state.withLock { state in
                defer { state.sessions = [] }
                if state.sessions.isEmpty { state.isRunning = false }
                return state.sessions
            }
            if sessions.isEmpty { return }
            write(sessions)
        }
    }

    private func write(_ sessions: [Session]) {
        var batch: [(session: Session, commits: [RetainedCommit])] = []
        var left = max(1, log.properties.maxBatchEntries)
        for session in sessions {
            if left == 0 {
                submit(session)
                continue
            }
            let commits = session.takeUnsent(limit: left)
            left -= commits.count
            if !commits.isEmpty { batch.append((session, commits)) }
        }
        guard !batch.isEmpty else { return }
        let results = log.append(
            batch.map { session, commits in
                LogAppend(
                    session: session.logSession, entries: commits.map(\.entry),
                    expecting: commits[0].revision - 1)
            })
        for ((session, commits), result) in zip(batch, results) {
            var wakes = WakeList()
            session.finish(result, of: commits, wakes: &wakes)
            wakes.wake()
            if session.locked({ session.hasUnsent }) { submit(session) }
        }
    }
}

extension Session {
    /// Commits that the log does not know, oldest first; they count as sent from here on.
    func takeUnsent(limit: Int) -> [RetainedCommit] {
        locked {
            // What is on its way comes back first, in order.
            guard sentCount == 0 else { return [] }
            let commits = pending.prefix(max(1, limit)).map(\.commit)
            sentCount = commits.count
            return commits
        }
    }

    var hasUnsent: Bool { sentCount == 0 && !pending.isEmpty }

    func finish(_ result: AppendResult, of commits: [RetainedCommit], wakes: inout WakeList) {
        // The writes behind the commits hear of it through their responses.
        let isKept = try? settle(result, of: commits, wakes: &wakes)
        locked { if isKept != true { sentCount = 0 } }
        if locked({ isDeleted }) { finishEnd() }
    }
}
