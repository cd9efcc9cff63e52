// Two ways to time a read. In a plain loop the processor starts the next read while the last one
// still waits for memory, which a busy server with one read a request never sees; a load fence
// around every read shows what one costs by itself.

import CFence

extension Ticks {
    /// Nanoseconds a read takes by itself: one of each of these numbers, a load fence around
    /// each. The fence costs some nanoseconds, which stay in.
    @inline(__always)
    func isolated(_ range: Range<Int>, _ read: (Int) -> UInt64) -> Double {
        var sum: UInt64 = 0
        let elapsed = time {
            for position in range {
                sum &+= read(position)
                bench_fence()
            }
        }
        consume(sum)
        return elapsed / Double(range.count)
    }

    /// Nanoseconds a read takes among others: one of each of these numbers in a plain loop.
    @inline(__always)
    func overlapping(_ range: Range<Int>, _ read: (Int) -> UInt64) -> Double {
        var sum: UInt64 = 0
        let elapsed = time {
            for position in range { sum &+= read(position) }
        }
        consume(sum)
        return elapsed / Double(range.count)
    }
}
