// The clock of deadlines. On a machine that is busy with other work a wait of a few milliseconds takes seconds,
// so the clock goes as much slower as a thread of this process waits for a processor. .ci/lib/pace.py does the
// same for checks in Python.

import Dispatch
import Foundation

/// Seconds that go by as fast as this process gets processor time that it wants.
final class Pace: @unchecked Sendable {
    static let shared = Pace()

    // Confinement: the variables are touched only while `lock` is held.
    private let lock = NSLock()
    private var passed = 0.0
    private var measured = DispatchTime.now()
    private var slowness = 1.0

    private static let intervalSeconds = 0.25
    /// Long enough for a turn of other threads in between.
    private static let sampleSeconds = 0.005

    private init() {
        let thread = Thread { [self] in
            let pause = DispatchSemaphore(value: 0)
            while true {
                _ = pause.wait(timeout: .now() + Self.intervalSeconds)
                measure()
            }
        }
        thread.stackSize = 1 << 19
        thread.start()
    }

    var seconds: Double { lock.withLock { read() } }

    /// Until the next measurement the clock goes on for two intervals, so it stands while its thread has no
    /// processor.
    private func read() -> Double {
        passed + min(measured.secondsSince, 2 * Self.intervalSeconds) / slowness
    }

    /// Computes for a while, and compares the time of the thread with the time that went by.
    private func measure() {
        let start = DispatchTime.now()
        let used = Self.threadSeconds
        while Self.threadSeconds - used < Self.sampleSeconds {}
        let found = max(1, start.secondsSince / Self.sampleSeconds)
        lock.withLock {
            passed = read()
            measured = .now()
            // One sample may wait for a processor by chance.
            slowness += (found - slowness) / 2
        }
    }

    private static var threadSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension DispatchTime {
    fileprivate var secondsSince: Double {
        Double(DispatchTime.now().uptimeNanoseconds - uptimeNanoseconds) / 1e9
    }
}
