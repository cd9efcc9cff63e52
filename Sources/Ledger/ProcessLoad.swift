// Whether the process has little to do. Work for which other threads have to wait is done then, if it can
// be put off.

import Dispatch
import Glibc

struct ProcessLoad {
    /// The load is low while the process uses less than one part in this many of one processor.
    static let lowPart: UInt64 = 10

    /// Whether the process used little processor time between the last two measurements. False before
    /// there are two.
    private(set) var isLow = false
    private var last: (time: UInt64, used: UInt64)?

    /// One system call.
    mutating func measure() {
        var used = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 else { return }
        note(
            used: UInt64(used.tv_sec) &* 1_000_000_000 &+ UInt64(used.tv_nsec),
            at: DispatchTime.now().uptimeNanoseconds)
    }

    /// - Parameters:
    ///   - used: nanoseconds that all threads of the process have had a processor.
    ///   - time: nanoseconds of a clock that never goes back.
    mutating func note(used: UInt64, at time: UInt64) {
        if let last { isLow = (used &- last.used) < (time &- last.time) / Self.lowPart }
        last = (time, used)
    }
}
