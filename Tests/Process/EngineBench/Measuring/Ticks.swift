// The one clock of all measurements: the processor's counter of constant rate, fenced, so that
// an event of fifty nanoseconds can be timed by itself.

import CFence
import Glibc

/// Converts ticks to nanoseconds.
struct Ticks {
    /// Of one tick.
    let nanoseconds: Double
    /// What two readings with nothing in between come to, in ticks.
    let overhead: UInt64

    /// Takes about 50 ms.
    static func calibrated() -> Ticks {
        let (startTime, startTicks) = (monotonicNanoseconds(), bench_ticks())
        var now = startTime
        while now - startTime < 50_000_000 { now = monotonicNanoseconds() }
        let elapsed = bench_ticks() - startTicks
        var gaps: [UInt64] = []
        for _ in 0..<1_001 {
            let first = bench_ticks()
            let second = bench_ticks()
            gaps.append(second - first)
        }
        gaps.sort()
        return Ticks(
            nanoseconds: Double(now - startTime) / Double(elapsed), overhead: gaps[500])
    }

    /// Nanoseconds that `body` takes, the reading of the clock taken off.
    @inline(__always)
    func time<E: Error>(_ body: () throws(E) -> Void) throws(E) -> Double {
        let start = bench_ticks()
        try body()
        let elapsed = bench_ticks() &- start
        return Double(elapsed > overhead ? elapsed &- overhead : 0) * nanoseconds
    }

    static func monotonicNanoseconds() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }
}

/// Where results go so that no compiler can leave out their making.
@inline(never)
func consume(_ word: UInt64) {
    if word == 0x5EED_0F_0DD_B175 { print("", terminator: "") }
}
