// The names for waits and clocks, with the system behind them.

import Synchronization
import Testing

@testable import Background

@Suite("Waits and clocks")
struct MachineTests {
    @Test("A moment beyond what the clock counts is the last one, or the first, and no trap")
    func moments() {
        let last = Uptime.now + .seconds(Int64.max)
        let first = Uptime.now - .seconds(Int64.max)
        #expect(first < Uptime.now && Uptime.now < last)
        #expect(last + .seconds(Int64.max) == last)
        #expect(first.duration(to: last) > .seconds(9_000_000_000))
        #expect(Uptime.monotonic(after: .seconds(Int64.max)) > Uptime.monotonic)
        #expect(Uptime.monotonic(after: .seconds(Int64.min)) <= Uptime.monotonic)
    }

    @Test("A signal that comes before its wait ends it, each one wait")
    func signals() {
        let signal = Signal(1)
        signal.signal()
        #expect(signal.wait(until: 0))
        #expect(signal.wait(until: .max))
        #expect(!signal.wait(until: 0))
    }

    @Test("A queue does what was passed before, and then what waits for it")
    func queue() {
        let queue = WorkQueue("test")
        let order = Mutex<[Int]>([])
        for number in 0..<100 { queue.async { order.withLock { $0.append(number) } } }
        let found = queue.sync { order.withLock(\.self) }
        #expect(found == Array(0..<100))
    }
}
