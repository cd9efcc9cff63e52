// Passes commits to a log that does not answer at once. One thread calls the log, so an append may
// block for as long as storage takes. Commits queue meanwhile, and the next append takes all of
// them (group commit).

import Dispatch
import SessionLog
import Synchronization

package final class LogWriter: Sendable {
    private struct State {
        /// A session for each commit that was submitted.
        var sessions: [Session] = []
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

    /// The session has commits that the log does not know. O(1).
    func submit(_ session: Session) {
        let (starts, arrives) = state.withLock { state in
            state.sessions.append(session)
            let arrives = state.wanted > 0 && state.sessions.count >= state.wanted
            if arrives { state.wanted = 0 }
            defer { state.isRunning = true }
            return (!state.isRunning, arrives)
        }
        if arrives { arrival.signal() }
        if starts { queue.async { self.run() } }
    }

    /// Writers that were answered together come back together. Without a short wait for them the first
    /// one would have an append of its own, and the others would wait for two.
    private static let waitShare: UInt64 = 4
    private static let waitNanosecondsMax: UInt64 = 1_000_000
    /// Appends that are shorter than this are not worth a wait.
    private static let appendNanosecondsMin: UInt64 = 100_000

    private func run() {
        while true {
            let patience = state.withLock { state -> UInt64 in
                guard !state.sessions.isEmpty, state.sessions.count < state.expected else {
                    return 0
                }
                if state.patience > 0 { state.wanted = state.expected }
                return state.patience
            }
            if patience > 0 { wait(nanoseconds: patience) }
            let sessions = state.withLock { state in
                defer { state.sessions = [] }
                if state.sessions.isEmpty { state.isRunning = false }
                return state.sessions
            }
            if sessions.isEmpty { return }
            let start = DispatchTime.now().uptimeNanoseconds
            write(sessions)
            let took = DispatchTime.now().uptimeNanoseconds - start
            let isWorthIt = took >= Self.appendNanosecondsMin
            state.withLock { state in
                state.patience = isWorthIt ? min(took / Self.waitShare, Self.waitNanosecondsMax) : 0
                state.expected = sessions.count + state.sessions.count
            }
        }
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
    }

    private func finish(
        _ session: Session, _ commits: [RetainedCommit], _ result: AppendResult, isAtLength: Bool
    ) {
        var wakes = WakeList()
        if isAtLength { session.own(showsBefore: false) }
        session.finish(result, of: commits, wakes: &wakes)
        if isAtLength { session.disown(wakes: &wakes) }
        wakes.wake()
        session.serveWritesAfterLog()
        // A thread that owned the session has submitted it.
        if !isAtLength, session.lockedIfFree({ session.hasUnsent }) ?? false { submit(session) }
    }
}

extension Session {
    /// Takes commits that the log does not have, oldest first. They count as sent after this.
    func takeUnsent(limit: Int) -> [RetainedCommit] {
        // A thread that owns the session submits it when it lets go.
        lockedIfFree {
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
