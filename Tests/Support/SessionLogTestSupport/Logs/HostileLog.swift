// A shared log as one process sees it over a bad network: what others append is delivered late, twice, in
// another order, or not at all.

import SeededRandom
import SessionLog
import Synchronization

/// Passes on what the log below delivers when the test says so. Every process has one of its own over the same log.
package final class HostileLog: LogWrapper {
    package let base: any SessionLog
    private let state: Mutex<State>

    private struct State {
        var random: SeededRandom
        var held: [(session: LogSession, entries: [LogEntry])] = []
        /// Sessions of which something was never delivered.
        var lost: Set<LogSession> = []
        var follower: (any LogFollower)?
        var confirmations = 0
    }

    /// The follower that the log below knows.
    private final class Relay: LogFollower {
        private let log: HostileLog

        init(_ log: HostileLog) { self.log = log }

        func appended(_ entries: [LogEntry], to session: LogSession, isOwn: Bool) {
            log.state.withLock { state in
                switch state.random.below(10) {
                case 0: state.lost.insert(session)
                case 1: state.held += [(session, entries), (session, entries)]
                // Several entries in several pieces, the last ones first.
                case 2: state.held += entries.reversed().map { (session, [$0]) }
                default: state.held.append((session, entries))
                }
            }
        }

        func lostTrack(of session: LogSession) {
            log.state.withLock { _ = $0.lost.insert(session) }
        }
    }

    package init(_ base: any SessionLog, seed: UInt64) {
        self.base = base
        state = Mutex(State(random: SeededRandom(seed: seed)))
    }

    /// One follower at a time.
    package func follow(_ follower: any LogFollower) -> LogSubscription {
        state.withLock { $0.follower = follower }
        let below = Mutex(Optional(base.follow(Relay(self))))
        return LogSubscription { [weak self] in
            below.withLock { $0 = nil }
            self?.state.withLock { $0.follower = nil }
        }
    }

    /// Delivers what is held before the answer.
    package func confirm(
        _ question: LogQuestion, then: @escaping @Sendable (Result<LogHeads, LogFailure>) -> Void
    ) {
        base.confirm(question) { [self] heads in
            tellAll()
            then(heads)
            state.withLock { $0.confirmations += 1 }
        }
    }

    /// How many confirmations were answered.
    package var confirmations: Int { state.withLock(\.confirmations) }

    // MARK: - What the test says

    /// Delivers some of what is held, in any order.
    package func tellSome() {
        let (follower, told) = state.withLock { state in
            state.held.shuffle(using: &state.random)
            let count = state.random.below(state.held.count + 1)
            defer { state.held.removeFirst(count) }
            return (state.follower, Array(state.held.prefix(count)))
        }
        for (session, entries) in told { follower?.appended(entries, to: session, isOwn: false) }
    }

    /// Delivers everything that is held, and names the sessions of which something is lost.
    package func tellAll() {
        let (follower, told, lost) = state.withLock { state in
            state.held.shuffle(using: &state.random)
            defer { (state.held, state.lost) = ([], []) }
            return (state.follower, state.held, state.lost)
        }
        for (session, entries) in told { follower?.appended(entries, to: session, isOwn: false) }
        for session in lost { follower?.lostTrack(of: session) }
    }
}
