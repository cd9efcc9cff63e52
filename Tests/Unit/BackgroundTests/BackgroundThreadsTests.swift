// Threads behind the event loops: order, turns, and their end.

import Dispatch
import Synchronization
import Testing

@testable import Background

#if canImport(Glibc)
    import Glibc
#endif

@Suite
struct BackgroundThreadsTests {
    /// What happened, in order.
    private final class Record: Sendable {
        private let lines = Mutex([String]())

        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    @Test("One thread carries out work in its order, and others have their turn between two calls")
    func turns() {
        let threads = BackgroundThreads(count: 1)
        let record = Record()
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        threads.run {
            gate.wait()
            return false
        }
        let left = Mutex(2)
        threads.run {
            record.add("long")
            return left.withLock { left in
                left -= 1
                return left > 0
            }
        }
        threads.run {
            record.add("short")
            return false
        }
        threads.run {
            record.add("last")
            return false
        }
        gate.signal()
        // Behind the second call of the long one, which is behind all that came before that.
        threads.run {
            threads.run {
                done.signal()
                return false
            }
            return false
        }
        done.wait()
        #expect(record.all == ["long", "short", "last", "long"])
    }

    @Test("As many pieces as there are threads run at once")
    func together() {
        let threads = BackgroundThreads(count: 3)
        threads.prepare()
        let (arrived, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<3 {
            threads.run {
                arrived.signal()
                gate.wait()
                return false
            }
        }
        for _ in 0..<3 { arrived.wait() }
        for _ in 0..<3 { gate.signal() }
    }

    private final class Caller: Sendable {}

    @Test("A caller that has had little begins at once, though another one has taken all threads")
    func spare() {
        let threads = BackgroundThreads(count: 1)
        let (first, second) = (Caller(), Caller())
        let (begun, gate, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        threads.run(for: first) { _ in
            begun.signal()
            gate.wait()
            return false
        }
        begun.wait()
        threads.run(for: second) { _ in
            done.signal()
            return false
        }
        done.wait()
        gate.signal()
    }

    @Test(
        "Work that offers its turn is interrupted by that of a caller that has had less, and goes on"
    )
    func interrupted() {
        let threads = BackgroundThreads(count: 1)
        let callers = (0..<3).map { _ in Caller() }
        let isOver = Mutex(false)
        let (begun, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // Both take all threads that there are, and end when the third one has had its turn.
        for caller in callers.prefix(2) {
            threads.run(for: caller) { turn in
                begun.signal()
                while !isOver.withLock({ $0 }) { _ = turn.offer() }
                done.signal()
                return false
            }
        }
        for _ in 0..<2 { begun.wait() }
        threads.run(for: callers[2]) { _ in
            isOver.withLock { $0 = true }
            return false
        }
        for _ in 0..<2 { done.wait() }
    }

    @Test("Only so many items of one caller have begun; the others wait until one ends")
    func begun() {
        let threads = BackgroundThreads(count: 1)
        let caller = Caller()
        let isOver = Mutex(false)
        let calls = [0, 1, 2].map { _ in DispatchSemaphore(value: 0) }
        let done = DispatchSemaphore(value: 0)
        let record = Record()
        for number in 0..<3 {
            threads.run(for: caller, begunMax: 2) { _ in
                record.add("\(number)")
                calls[number].signal()
                if !isOver.withLock({ $0 }) { return true }
                done.signal()
                return false
            }
        }
        // All three have come. In ten calls of each that has begun, the third would have had its turn.
        for _ in 0..<10 { for number in 0..<2 { calls[number].wait() } }
        #expect(Set(record.all) == ["0", "1"])
        isOver.withLock { $0 = true }
        for _ in 0..<3 { done.wait() }
        #expect(record.all.contains("2"))
    }

    @Test("Work that was given before the threads' owner went is carried out")
    func ending() {
        let done = DispatchSemaphore(value: 0)
        do {
            let threads = BackgroundThreads(count: 2)
            for _ in 0..<100 {
                threads.run {
                    done.signal()
                    return false
                }
            }
        }
        for _ in 0..<100 { done.wait() }
    }

    #if os(Linux)
        @Test(
            "A thread that has work waits for a processor, where it would take it from an event loop"
        )
        func policy() {
            let threads = BackgroundThreads(count: 1)
            let found = Mutex<Int32>(-1)
            let done = DispatchSemaphore(value: 0)
            threads.run {
                found.withLock { $0 = sched_getscheduler(0) }
                done.signal()
                return false
            }
            done.wait()
            #expect(found.withLock { $0 } == BackgroundThreads.policy)
        }
    #endif
}
