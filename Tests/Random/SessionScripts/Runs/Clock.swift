// A clock that a run moves, and random numbers from its seed.

import SeededRandom
import SessionViews
import Synchronization
import TraitSessions

package final class Clock: Sendable {
    private let time = Mutex<Int64>(1_800_000_000_000)
    /// How far the time of day is ahead of the monotonic clock.
    private let ahead = Mutex<Int64>(0)

    package init() {}

    package var now: Int64 { time.withLock { $0 } }

    /// Sets the time of day ahead, as an operator may, and not the monotonic clock.
    package func set(aheadBy milliseconds: Int64) { ahead.withLock { $0 = milliseconds } }

    package func move(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }

    package func environment(seed: UInt64) -> SessionEnvironment {
        let random = RandomSource(seed: seed)
        return SessionEnvironment(
            now: { [self] in now + ahead.withLock { $0 } }, uptime: { [self] in now },
            random: { random.next() })
    }

    private final class RandomSource: Sendable {
        private let state: Mutex<SeededRandom>

        init(seed: UInt64) { state = Mutex(SeededRandom(seed: seed)) }

        func next() -> UInt64 { state.withLock { $0.next() } }
    }
}
