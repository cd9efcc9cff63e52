// Starting with a log that outlives the process: every session is rebuilt, verified entry by entry, and
// only then served. Requests that come before wait.

import Background
import SessionLog
import Synchronization

/// How far a start has come. Read by any thread.
package final class StartProgress: Sendable {
    package let sessions = Atomic<Int>(0)
    package let sessionsDone = Atomic<Int>(0)
    package let entries = Atomic<Int>(0)
    package let startedAt = Atomic<Int64>(0)
    fileprivate enum Phase {
        case running, over, abandoned
    }
    /// The responses of requests that wait for the end of the start, and the phase of the start.
    fileprivate let waiting = Mutex((responses: [PendingResponse](), phase: Phase.over))
    let isRunning = Atomic<Bool>(false)

    /// "3 of 10 sessions, 1200 entries a second"
    package func text(now: Int64) -> String {
        let seconds = Double(max(1, now - startedAt.load(ordering: .relaxed))) / 1_000
        let entries = entries.load(ordering: .relaxed)
        return "\(sessionsDone.load(ordering: .relaxed)) of "
            + "\(sessions.load(ordering: .relaxed)) sessions, \(entries) entries, "
            + "\(Int(Double(entries) / seconds)) a second"
    }
}

/// Whether a request has to wait, since the sessions of the log are being read.
package enum StartWait {
    /// The start is over: the request runs.
    case over
    /// The request runs again when the response is decided.
    case until(PendingResponse)
    /// The process ends before the start does.
    case abandoned
}

extension SessionStore {
    /// From now on requests wait, until `openAll` or `finishStart` has returned.
    package func beginStart() {
        start.startedAt.store(environment.uptime(), ordering: .relaxed)
        start.waiting.withLock { $0.phase = .running }
        start.isRunning.store(true, ordering: .releasing)
    }

    /// Has a request wait for the end of the start.
    package func waitForStart() -> StartWait {
        start.waiting.withLock { waiting in
            switch waiting.phase {
            case .over: return .over
            case .abandoned: return .abandoned
            case .running:
                let response = PendingResponse(revision: .max)
                waiting.responses.append(response)
                return .until(response)
            }
        }
    }

    /// Has the requests that waited run. Leases begin now: before, no stream could renew them.
    package func finishStart() {
        if isStarting { forEachSession { $0.withState { $0.startLeases() } } }
        start.isRunning.store(false, ordering: .releasing)
        runWaiting(.over)
    }

    /// Has the requests that waited run, and find that the process ends.
    package func abandonStart() { runWaiting(.abandoned) }

    private func runWaiting(_ phase: StartProgress.Phase) {
        let responses = start.waiting.withLock { waiting in
            waiting.phase = phase
            defer { waiting.responses = [] }
            return waiting.responses
        }
        PendingResponse.decide(responses, .readAgain)
    }

    /// Waits until the snapshots that are due are written.
    package func finishSnapshots() { writer?.snapshotter.finish() }

    /// Rebuilds every session of the log, several side by side. Limits of admission do not count: all
    /// of them were admitted once. Blocks until all are there.
    ///
    /// - Throws: the log's failure, or the first session that differs from its log. A session of a shared log that does
    ///   not load is left out: `follow` tries it again, and reports why it fails.
    package func openAll() throws(ReplayError) {
        guard let log else { return }
        let sessions: [LogSession]
        do throws(LogFailure) {
            sessions = try log.sessions()
        } catch {
            throw ReplayError(error)
        }
        start.sessions.store(sessions.count, ordering: .relaxed)
        let failure = Mutex<ReplayError?>(nil)
        let next = Atomic<Int>(0)
        // One at a time where addresses are limited, since each is admitted by the space that is free.
        let threads = environment.memory.space?.bytesMax == nil ? Self.openingThreads : 1
        WorkQueue.perform(threads) {
            while true {
                let position = next.add(1, ordering: .relaxed).oldValue
                guard position < sessions.count, failure.withLock({ $0 == nil }) else { return }
                do throws(ReplayError) {
                    try open(atStart: sessions[position], log)
                } catch {
                    if isShared { continue }
                    failure.withLock { if $0 == nil { $0 = error } }
                }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// The log's reads take turns anyway, and most of the time goes into replaying.
    private static let openingThreads = 4

    private func open(
        atStart logSession: LogSession, _ log: any SessionLog
    ) throws(ReplayError) {
        let session = own(try Session.loadState(logSession, from: log, surroundings))
        if session.withState(\.isDeleted) { return }
        insertLoaded(session)
        start.entries.add(session.withState { $0.retained.count }, ordering: .relaxed)
        start.sessionsDone.add(1, ordering: .relaxed)
    }
}
