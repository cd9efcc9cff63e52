// Passes commits to the log. Each lane calls the log from a thread of its own, so an append may block for as long as
// storage takes. Commits queue during an append, and the lane's next append takes all of them (group commit).

import Background
import SessionLog
import Synchronization

package final class LogWriter: Sendable {
    let log: any SessionLog
    /// Writes snapshots into the same log.
    let snapshotter: Snapshotter
    /// Nil for a log that does not know how old its answers are.
    let unshown: UnshownAppends?
    private let lanes: [LogLane]

    init(_ log: any SessionLog, _ meters: SessionMeters, _ environment: SessionEnvironment) {
        self.log = log
        snapshotter = Snapshotter(log, environment: environment)
        let unshown = log.age.map { _ in UnshownAppends() }
        self.unshown = unshown
        lanes = (0..<log.properties.appendsAtATime).map { _ in LogLane(log, meters, unshown) }
    }

    /// The session has one more commit that the log does not know. A session stays in one lane, so that the log gets
    /// its commits one append after the other. O(1).
    func submit(_ session: Session) {
        if lanes.count == 1 { return lanes[0].submit(session) }
        // A random text, so that its first bytes are spread.
        let lane = session.uid.utf8.prefix(8).reduce(UInt(0)) { $0 &* 31 &+ UInt($1) }
        lanes[Int(lane % UInt(lanes.count))].submit(session)
    }
}

/// Appends whose sessions do not all show the outcome, by the time when each began.
final class UnshownAppends: Sendable {
    /// How many parts are missing.
    private let parts = Mutex<[UInt64: Int]>([:])

    /// How long the oldest one has been under way; zero without one.
    var age: Duration {
        let oldest = parts.withLock { $0.keys.min() }
        return oldest.map { .nanoseconds(Uptime.monotonic - $0) } ?? .zero
    }

    func begin(_ start: UInt64) { parts.withLock { $0[start, default: 0] += 1 } }

    func end(_ start: UInt64) {
        parts.withLock { parts in
            let left = parts[start, default: 1] - 1
            parts[start] = left == 0 ? nil : left
        }
    }
}

/// One append at a time.
private final class LogLane: Sendable {
    private struct State {
        /// Sessions with commits that the log does not know, each once.
        var sessions: [Session] = []
        var grouping = AppendGrouping()
        var isRunning = false
    }

    private let log: any SessionLog
    private let meters: SessionMeters
    private let queue = WorkQueue("traitd.log")
    private let state = Mutex(State())
    private let arrival = Signal()
    private let unshown: UnshownAppends?

    init(_ log: any SessionLog, _ meters: SessionMeters, _ unshown: UnshownAppends?) {
        self.log = log
        self.meters = meters
        self.unshown = unshown
    }

    func submit(_ session: Session) { submit(session, again: false) }

    /// - Parameter again: whether the commit was submitted before.
    private func submit(_ session: Session, again: Bool) {
        let isFirst = !session.isSubmitted.exchange(true, ordering: .sequentiallyConsistent)
        if again, !isFirst { return }
        let (starts, arrives) = state.withLock { state in
            if isFirst { state.sessions.append(session) }
            defer { state.isRunning = true }
            return (!state.isRunning, state.grouping.submit())
        }
        if arrives { arrival.signal() }
        if starts { queue.async { self.run() } }
    }

    /// How long the writer stays when there is nothing to write. To start it costs more than to wake it.
    private static let lingerNanoseconds: UInt64 = 10_000_000

    private func run() {
        while true {
            waitForFirst()
            waitForOthers()
            let sessions = state.withLock { state -> [Session]? in
                state.isRunning = !state.grouping.isEmpty
                guard state.isRunning else { return nil }
                state.grouping.begin()
                defer { state.sessions = [] }
                return state.sessions
            }
            guard let sessions else { return }
            write(sessions)
        }
    }

    private func waitForFirst() {
        guard state.withLock({ $0.grouping.waitForFirst() }) else { return }
        wait(until: Uptime.monotonic + Self.lingerNanoseconds)
    }

    private func waitForOthers() {
        let now = Uptime.monotonic
        guard let deadline = state.withLock({ $0.grouping.waitForOthers(now: now) }) else { return }
        wait(until: deadline)
    }

    private func wait(until deadline: UInt64) {
        var deadline = deadline
        while !arrival.wait(until: deadline) {
            let now = Uptime.monotonic
            switch state.withLock({ $0.grouping.timeIsOver(now: now) }) {
            case .over: return
            // A signal that came too late would end the next wait.
            case .signalled: return arrival.wait()
            case .again(let next): deadline = next
            }
        }
    }

    private func write(_ sessions: [Session]) {
        var batch: [(session: Session, commits: [RetainedCommit])] = []
        var room = BatchRoom(log.properties)
        for session in sessions {
            guard room.entries > 0, let commits = session.takeUnsent(into: room) else {
                session.isSubmitted.store(false, ordering: .sequentiallyConsistent)
                submit(session, again: true)
                continue
            }
            room.add(commits)
            if !commits.isEmpty { batch.append((session, commits)) }
        }
        // The append before took what was submitted.
        guard !batch.isEmpty else { return }
        meters.add(.appends, stripe: SessionMeters.otherStripe)
        let entries = batch.reduce(0) { $0 + $1.commits.count }
        meters.add(.appendedEntries, entries, stripe: SessionMeters.otherStripe)
        let appends = batch.map { session, commits in
            LogAppend(
                session: session.logSession, entries: commits.map(\.entry),
                expecting: commits[0].revision - 1, leases: commits[0].leases)
        }
        let start = Uptime.monotonic
        unshown?.begin(start)
        defer { unshown?.end(start) }
        let results = log.append(appends)
        let end = Uptime.monotonic
        state.withLock { $0.grouping.end(commits: entries, start: start, end: end) }
        for ((session, commits), result) in zip(batch, results) {
            guard commits.contains(where: \.takesLongToPublish) else {
                finish(session, commits, result, mayTakeLong: false)
                continue
            }
            // Until then the log gets entries of other sessions, but no further entry of this
            // session.
            unshown?.begin(start)
            WriteThreads.shared.run {
                self.finish(session, commits, result, mayTakeLong: true)
                self.unshown?.end(start)
                return false
            }
        }
    }

    private func finish(
        _ session: Session, _ commits: [RetainedCommit], _ result: AppendResult, mayTakeLong: Bool
    ) {
        var wakes = WakeList()
        if mayTakeLong {
            session.own(showsBefore: false, wakes: &wakes) { _, wakes in
                session.finish(result, of: commits, wakes: &wakes)
            }
        } else {
            session.finish(result, of: commits, wakes: &wakes)
        }
        wakes.wake()
        // A thread that owns the session by now submits it, and has its queue go on.
        let next = session.withStateIfFree { state in
            if state.queue.pending.isEmpty { session.gate.acknowledged = nil }
            return (
                state.queue.pending.isEmpty && session.gate.writes.takeServingAfterLog(),
                state.queue.hasUnsent
            )
        }
        guard let (serves, isBehind) = next else { return }
        if serves { session.serveWrites() }
        if isBehind { submit(session, again: true) }
    }
}

extension Session {
    /// Takes commits that the log does not have, oldest first. They count as sent after this. Nil when the next one
    /// does not fit into the batch.
    func takeUnsent(into room: BatchRoom) -> [RetainedCommit]? {
        // Before the lock: a commit that is not taken now submits the session again.
        isSubmitted.store(false, ordering: .sequentiallyConsistent)
        // A thread that owns the session submits it when it lets go.
        guard let taken = withStateIfFree({ $0.queue.takeUnsent(into: room) }) else { return [] }
        return taken
    }

    func finish(_ result: AppendResult, of commits: [RetainedCommit], wakes: inout WakeList) {
        let isKept = settle(result, of: commits, wakes: &wakes)
        if isKept, commits.last?.entry.kind != .tombstone { return }
        let isOver = withState { state in
            if !isKept { state.queue.sendAgain() }
            return state.isDeleted
        }
        if isOver { finishEnd(wakes: &wakes) }
    }
}
