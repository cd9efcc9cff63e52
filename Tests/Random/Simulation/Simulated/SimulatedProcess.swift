// A process of the simulation: threads that are killed and stopped together, and its clocks.

import SeededRandom

package final class SimulatedProcess {
    package let number: Int
    package let name: String
    /// The numbers that the process draws. Those of other processes do not shift when it is left out.
    var random: SeededRandom
    var fibers: [Fiber] = []
    package internal(set) var isStopped = false
    package internal(set) var isKilled = false

    /// What the uptime of this process is ahead of the scheduler's time.
    package let uptimeAhead: UInt64
    /// What the wall clock of this process is ahead of the right time; faults change it.
    package var wallAhead: Int64

    init(
        _ number: Int, _ name: String, _ random: SeededRandom, uptimeAhead: UInt64,
        wallAhead: Int64
    ) {
        self.number = number
        self.name = name
        self.random = random
        self.uptimeAhead = uptimeAhead
        self.wallAhead = wallAhead
    }

    /// The threads that have not ended.
    package var threadCount: Int { isKilled ? 0 : fibers.count }

    func add(_ fiber: Fiber) {
        fiber.indexInProcess = fibers.count
        fibers.append(fiber)
    }

    func remove(_ fiber: Fiber) {
        let last = fibers.removeLast()
        guard last !== fiber else { return }
        fibers[fiber.indexInProcess] = last
        last.indexInProcess = fiber.indexInProcess
    }
}
