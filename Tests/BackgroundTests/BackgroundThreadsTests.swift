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
