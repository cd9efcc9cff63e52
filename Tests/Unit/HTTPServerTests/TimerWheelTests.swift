// The wheel must never be late and never lose a timer.

import SeededRandom
import Testing

@testable import HTTPServer

@Suite("Timer wheel")
struct TimerWheelTests {
    static let tick = UInt64(1) << TimerWheel.tickShift

    @Test("Random deadlines are all met within two ticks, and none early", arguments: 1...8)
    func randomDeadlines(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var now = random.next() >> 20
        var wheel = TimerWheel(now: now)
        var deadlines = [UInt64](repeating: .max, count: 50)
        for slot in deadlines.indices { wheel.addSlot(slot) }
        var due = ContiguousArray<Int32>()
        for _ in 0..<4_000 {
            let slot = Int(random.next() % 50)
            switch random.next() % 4 {
            case 0:
                wheel.remove(slot)
                deadlines[slot] = .max
            default:
                // From the past to three revolutions ahead.
                let time = now &- Self.tick &+ random.next() % (12_288 * Self.tick)
                deadlines[slot] = time
                wheel.file(slot, deadline: time)
            }
            let pending = deadlines.min() ?? .max
            let next = wheel.nextDeadline()
            #expect(
                pending == .max || next.map { $0 <= max(pending, now) &+ 2 * Self.tick } == true)
            now &+= random.next() % (random.next() % 8 == 0 ? 5_000 * Self.tick : 3 * Self.tick)
            wheel.advance(to: now, due: &due)
            for slot in due.map(Int.init) {
                if deadlines[slot] <= now {
                    deadlines[slot] = .max
                } else if deadlines[slot] != .max {
                    wheel.file(slot, deadline: deadlines[slot])
                }
            }
            due.removeAll()
            let latest = now > Self.tick * 2 ? now - Self.tick * 2 : 0
            #expect(deadlines.allSatisfy { $0 > latest }, "seed \(seed)")
        }
    }

    @Test("An empty wheel asks for nothing")
    func emptyWheel() {
        var wheel = TimerWheel(now: 0)
        wheel.addSlot(0)
        #expect(wheel.nextDeadline() == nil)
        wheel.file(0, deadline: 100)
        #expect(wheel.nextDeadline() == Self.tick)
        wheel.remove(0)
        #expect(wheel.nextDeadline() == nil)
    }

    @Test("Moving a deadline to later leaves it where it is filed; to earlier moves it")
    func laziness() {
        var wheel = TimerWheel(now: 0)
        wheel.addSlot(0)
        wheel.file(0, deadline: 10 * Self.tick)
        wheel.file(0, deadline: 20 * Self.tick)
        #expect(wheel.nextDeadline() == 11 * Self.tick)
        wheel.file(0, deadline: 5 * Self.tick)
        #expect(wheel.nextDeadline() == 6 * Self.tick)
    }
}
