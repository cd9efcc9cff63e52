// The clock of deadlines, which do not jump when the system's time is set.

import Glibc

/// Nanoseconds that only ever grow.
package enum MonotonicClock {
    /// The time now, in nanoseconds since an arbitrary moment (usually boot).
    package static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

extension UInt64 {
    /// A deadline that much later; never wraps.
    func advanced(by nanoseconds: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(nanoseconds)
        return overflow ? .max : sum
    }
}
