// The scheduler: order by seed, time, conditions, and the faults of processes.

import SeededRandom
import Testing

@testable import Simulated

@Suite("The scheduler of simulated threads")
struct SchedulerTests {
    @Test("The hash of a trace does not depend on whether its text is kept")
    func hash() {
        let (kept, dropped) = (Trace(keepsText: true), Trace())
        for trace in [kept, dropped] {
            trace.note(1, "fault", 2)
            trace.note(2, "request", Array("a text of more than eight bytes".utf8))
        }
        #expect(kept.hash == dropped.hash && dropped.text.isEmpty)
        dropped.note(2, "request", Array("a text of more than eight bytez".utf8))
        kept.note(2, "request", Array("a text of more than eight bytes".utf8))
        #expect(kept.hash != dropped.hash)
    }

    @Test("Numbers of one purpose do not depend on those of another, nor a process on others")
    func streams() {
        var faults = SeededRandom(seed: 7, for: "faults")
        var clients = SeededRandom(seed: 7, for: "clients")
        #expect(faults.next() != clients.next())
        func drawn(with other: Bool) -> UInt64 {
            let scheduler = Scheduler(seed: 3)
            if other {
                let process = scheduler.makeProcess("other")
                scheduler.start("", in: process, isClient: true) { _ = scheduler.random() }
            }
            var number: UInt64 = 0
            scheduler.start("", in: scheduler.makeProcess("one"), isClient: true) {
                number = scheduler.random()
            }
            #expect(scheduler.run() == .finished)
            return number
        }
        #expect(drawn(with: true) == drawn(with: false))
    }

    @Test("A deadlock is found at once, with what each thread waits for")
    func deadlock() {
        let scheduler = Scheduler(seed: 1)
        let process = scheduler.makeProcess("replica 2")
        scheduler.start("reader", in: process, isClient: true) {
            _ = scheduler.wait(until: .max) { false }
        }
        guard case .deadlock(let report) = scheduler.run() else {
            Issue.record("no deadlock")
            return
        }
        #expect(report.contains("replica 2: thread 1 'reader', a client, waits for ever"))
        #expect(report.split(separator: "\n").count > 2, "\(report)")
    }

    @Test("A client that is not through at the limit is late")
    func limit() {
        let scheduler = Scheduler(seed: 1)
        let process = scheduler.makeProcess("one")
        scheduler.start("endless", in: process, isClient: true) {
            while true { _ = scheduler.wait(until: scheduler.nanoseconds + 1_000) { false } }
        }
        guard case .late(let report) = scheduler.run(until: 1_000_000) else {
            Issue.record("not late")
            return
        }
        #expect(report.contains("endless") && scheduler.now <= 1_000_000, "\(report)")
    }

    // MARK: - Faults

    @Test("Threads of a killed process never run again, and those of others do")
    func kill() {
        let scheduler = Scheduler(seed: 2)
        let (one, other) = (scheduler.makeProcess("one"), scheduler.makeProcess("other"))
        var counts = [0, 0]
        for (index, process) in [one, other].enumerated() {
            for _ in 0..<4 {
                scheduler.start("", in: process, isClient: index == 0) {
                    while true {
                        counts[index] += 1
                        _ = scheduler.wait(until: scheduler.nanoseconds + 10_000) { false }
                        scheduler.giveWay(perMille: 500)
                    }
                }
            }
        }
        scheduler.start("", in: other, isClient: true) {
            _ = scheduler.wait(until: 1_000_000) { false }
            scheduler.kill(one)
            let then = counts
            _ = scheduler.wait(until: 2_000_000) { false }
            #expect(counts[0] == then[0] && counts[1] > then[1] && then[0] > 0)
        }
        // The killed clients keep nothing waiting.
        #expect(scheduler.run() == .finished)
        #expect(one.threadCount == 0 && one.isKilled)
    }

    @Test("A process can kill itself")
    func suicide() {
        let scheduler = Scheduler(seed: 2)
        let process = scheduler.makeProcess("one")
        var isBehind = false
        scheduler.start("", in: process, isClient: true) {
            scheduler.kill(process)
            isBehind = true
        }
        #expect(scheduler.run() == .finished)
        #expect(!isBehind)
    }

    @Test("A stopped process does nothing until it goes on, and then knows what it missed")
    func stop() {
        let scheduler = Scheduler(seed: 2)
        let (one, other) = (scheduler.makeProcess("one"), scheduler.makeProcess("other"))
        var flag = false
        var times: [UInt64] = []
        scheduler.start("busy", in: one, isClient: true) {
            while scheduler.now < 9_000_000 {
                times.append(scheduler.now)
                scheduler.giveWay(perMille: 1_000)
            }
        }
        scheduler.start("waits", in: one, isClient: true) {
            #expect(scheduler.wait(until: .max) { flag })
            #expect(scheduler.now > 5_000_000)
        }
        scheduler.start("sleeps", in: one, isClient: true) {
            #expect(!scheduler.wait(until: 2_000_000) { false })
            #expect(scheduler.now > 5_000_000)
        }
        scheduler.start("", in: other, isClient: true) {
            _ = scheduler.wait(until: 1_000_000) { false }
            scheduler.stop(one)
            _ = scheduler.wait(until: 3_000_000) { false }
            flag = true
            scheduler.changed()
            _ = scheduler.wait(until: 5_000_000) { false }
            scheduler.resume(one)
        }
        #expect(scheduler.run() == .finished)
        #expect(!times.contains { $0 > 1_010_000 && $0 < 5_000_000 })
        #expect(times.contains { $0 > 5_000_000 })
    }

    @Test("A third of the threads of a process can be stalled")
    func stall() {
        let scheduler = Scheduler(seed: 2)
        let process = scheduler.makeProcess("one")
        var counts = [Int](repeating: 0, count: 30)
        for index in counts.indices {
            scheduler.start("", in: process) {
                while true {
                    counts[index] += 1
                    _ = scheduler.wait(until: scheduler.nanoseconds + 10_000) { false }
                }
            }
        }
        var random = SeededRandom(seed: 5, for: "faults")
        scheduler.start("", in: scheduler.makeProcess("other"), isClient: true) {
            scheduler.stallThird(of: process, &random)
            let then = counts
            _ = scheduler.wait(until: 3_000_000) { false }
            let stalled = zip(counts, then).count { $0 == $1 }
            #expect(stalled > 3 && stalled < 20, "\(stalled)")
            scheduler.endStall(of: process)
            _ = scheduler.wait(until: 6_000_000) { false }
            #expect(!counts.contains(0))
        }
        #expect(scheduler.run() == .finished)
    }

    @Test("The wall clock of a process jumps, and its uptime does not")
    func clocks() {
        let scheduler = Scheduler(seed: 2)
        let one = scheduler.makeProcess("one", uptimeAhead: 500, wallAhead: -200_000_000)
        let right = scheduler.makeProcess("right")
        var wall: [Int64] = []
        scheduler.start("", in: one, isClient: true) {
            wall.append(scheduler.wallNanoseconds)
            let before = scheduler.nanoseconds
            one.wallAhead += 3_000_000_000
            wall.append(scheduler.wallNanoseconds)
            #expect(scheduler.nanoseconds == before && before == scheduler.now + 500)
        }
        #expect(scheduler.run() == .finished)
        scheduler.start("", in: right, isClient: true) { wall.append(scheduler.wallNanoseconds) }
        #expect(scheduler.run() == .finished)
        #expect(wall[1] - wall[0] == 3_000_000_000)
        #expect(wall[2] - wall[0] == 200_000_000 + Int64(Scheduler.step))
    }
}
