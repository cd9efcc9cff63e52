// Passes commits to a log that does not answer at once. One thread calls the log, so an append may
// block for as long as storage takes. Commits queue meanwhile, and the next append takes all of
// them (group commit).

import Dispatch
import SessionLog
import Synchronization

package final class LogWriter: Sendable {
    private struct State {
        /// Sessions with commits that the log does not know, each once.
        var sessions: [Session] = []
        /// How many commits were submitted since the last append began.
        var commits = 0
        var isRunning = false
        /// How many commits the waiting writer wants; 0 while it does not wait.
        var wanted = 0
        /// How many commits the next append may expect, as the last append suggests.
        var expected = 0
        /// For how long the next append waits for them, in nanoseconds.
        var patience: UInt64 = 0
    }

    private let log: any SessionLog
    private let meters: SessionMeters
    private let queue = DispatchQueue(label: "traitd.log")
    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)

    init(_ log: any SessionLog, _ meters: SessionMeters) {
        self.log = log
        self.meters = meters
    }

    /// The session has one more commit that the log does not know. O(1).
    func submit(_ session: Session) { submit(session, again: false) }

    /// - Parameter again: whether the commit was submitted before.
    private func submit(_ session: Session, again: Bool) {
        let isFirst = !session.isSubmitted.exchange(true, ordering: .sequentiallyConsistent)
        if again, !isFirst { return }
        let (starts, arrives) = state.withLock { state in
            if isFirst { state.sessions.append(session) }
            state.commits += 1
            let arrives = state.wanted > 0 && state.commits >= state.wanted
            if arrives { state.wanted = 0 }
            defer { state.isRunning = true }
            return (!state.isRunning, arrives)
        }
        if arrives { arrival.signal() }
        if starts { queue.async { self.run() } }
    }

    /// Writers that were answered together come back together. Without a short wait for them the first
    /// one would have an append of its own, and the others would wait for two.
    private static let waitShare: UInt64 = 2
    private static let waitNanosecondsMax: UInt64 = 250_000
    /// Appends that are shorter than this are not worth a wait.
    private static let appendNanosecondsMin: UInt64 = 100_000
    /// How long the writer stays when there is nothing to write. To start it costs more than to wake it.
    private static let lingerNanoseconds: UInt64 = 10_000_000

    private func run() {
        while true {
            stay()
            wait()
            let sessions = state.withLock { state -> [Session]? in
                defer { (state.sessions, state.commits) = ([], 0) }
                state.isRunning = state.commits > 0
                return state.isRunning ? state.sessions : nil
            }
            guard let sessions else { return }
            let start = DispatchTime.now().uptimeNanoseconds
            let commits = write(sessions)
            // The append before took them.
            if commits == 0 { continue }
            let took = DispatchTime.now().uptimeNanoseconds - start
            let isWorthIt = took >= Self.appendNanosecondsMin
            state.withLock { state in
                state.patience = isWorthIt ? min(took / Self.waitShare, Self.waitNanosecondsMax) : 0
                state.expected = commits + state.commits
            }
        }
    }

    /// Waits for the first commit.
    private func stay() {
        let isIdle = state.withLock { state in
            if state.commits == 0 { state.wanted = 1 }
            return state.commits == 0
        }
        if isIdle { wait(nanoseconds: Self.lingerNanoseconds) }
    }

    /// Waits for the commits that the next append may expect.
    private func wait() {
        let patience = state.withLock { state -> UInt64 in
            guard state.commits > 0, state.commits < state.expected else { return 0 }
            if state.patience > 0 { state.wanted = state.expected }
            return state.patience
        }
        if patience > 0 { wait(nanoseconds: patience) }
    }

    private func wait(nanoseconds: UInt64) {
        let deadline = DispatchTime.now() + .nanoseconds(Int(nanoseconds))
        guard arrival.wait(timeout: deadline) == .timedOut else { return }
        // A signal that came too late would end the next wait.
        let isSignalled = state.withLock { state in
            defer { state.wanted = 0 }
            return state.wanted == 0
        }
        if isSignalled { arrival.wait() }
    }

    /// Returns how many commits the log got.
    private func write(_ sessions: [Session]) -> Int {
        var batch: [(session: Session, commits: [RetainedCommit])] = []
        var left = max(1, log.properties.maxBatchEntries)
        for session in sessions {
            if left == 0 {
                session.isSubmitted.store(false, ordering: .sequentiallyConsistent)
                submit(session, again: true)
                continue
            }
            let commits = session.takeUnsent(limit: left)
            left -= commits.count
            if !commits.isEmpty { batch.append((session, commits)) }
        }
        guard !batch.isEmpty else { return 0 }
        meters.add(.appends, stripe: SessionMeters.otherStripe)
        let entries = batch.reduce(0) { $0 + $1.commits.count }
        meters.add(.appendedEntries, entries, stripe: SessionMeters.otherStripe)
        let results = log.append(
            batch.map { session, commits in
                LogAppend(
                    session: session.logSession, entries: commits.map(\.entry),
                    expecting: commits[0].revision - 1)
            })
        for ((session, commits), result) in zip(batch, results) {
            guard commits.contains(where: \.takesLongToPublish) else {
                finish(session, commits, result, isAtLength: false)
                continue
            }
            // Meanwhile the log gets entries of other sessions, but no further entry of this
            // session.
            WriteThreads.shared.run {
                self.finish(session, commits, result, isAtLength: true)
                return false
            }
        }
        return entries
    }

    private func finish(
        _ session: Session, _ commits: [RetainedCommit], _ result: AppendResult, isAtLength: Bool
    ) {
        var wakes = WakeList()
        if isAtLength { session.own(showsBefore: false) }
        session.finish(result, of: commits, wakes: &wakes)
        if isAtLength { session.disown(wakes: &wakes) }
        wakes.wake()
        // While a thread owns the session no write waits for the log, and that thread submits the session.
        let next = session.lockedIfFree { (session.takeServingAfterLog(), session.hasUnsent) }
        guard let (serves, isBehind) = next else { return }
        if serves { session.serveWrites() }
        if isBehind { submit(session, again: true) }
    }
}

extension Session {
    /// Takes commits that the log does not have, oldest first. They count as sent after this.
    func takeUnsent(limit: Int) -> [RetainedCommit] {
        // Before the lock: a commit that is not taken now submits the session again.
        isSubmitted.store(false, ordering: .sequentiallyConsistent)
        // A thread that owns the session submits it when it lets go.
        return lockedIfFree {
            // What is on its way comes back first, in order.
            guard sentCount == 0 else { return [] }
            let commits = pending.prefix(max(1, limit)).map(\.commit)
            sentCount = commits.count
            return commits
        } ?? []
    }

    var hasUnsent: Bool { sentCount == 0 && !pending.isEmpty }

    func finish(_ result: AppendResult, of commits: [RetainedCommit], wakes: inout WakeList) {
        // The responses of the commits have the error.
        let isKept = try? settle(result, of: commits, wakes: &wakes)
        if isKept == true, commits.last?.entry.kind != .tombstone { return }
        let isOver = locked {
            if isKept != true { sentCount = 0 }
            return isDeleted
        }
        if isOver { finishEnd() }
    }
}
