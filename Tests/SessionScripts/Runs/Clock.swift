// A clock that a run moves, and random numbers from its seed.

import SeededRandom
import Synchronization
import TraitSessions

package final class Clock: Sendable {
    private let time = Mutex<Int64>(1_800_000_000_000)

    package init() {}

    package var now: Int64 { time.withLock { $0 } }

    package func move(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }

    package func environment(seed: UInt64) -> SessionEnvironment {
        let random = RandomSource(seed: seed)
        return SessionEnvironment(
            now: { [self] in time.withLock { $0 } }, random: { random.next() })
    }

    private final class RandomSource: Sendable {
        private let state: Mutex<SeededRandom>

        init(seed: UInt64) { state = Mutex(SeededRandom(seed: seed)) }

        func next() -> UInt64 { state.withLock { $0.next() } }
    }
}
