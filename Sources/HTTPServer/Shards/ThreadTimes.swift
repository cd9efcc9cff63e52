// For how long a thread had a processor, and how long it was ready to run while the system ran others. On a
// machine with more work than processors a turn takes longer by the clock than the shard's own work does;
// without these figures the two look alike.

import Glibc
import Ledger

/// Reads what Linux counts for the calling thread.
///
/// Confined to its shard, which Dispatch may run on another thread each time.
struct ThreadTimes: ~Copyable {
    private var descriptor: Int32 = -1
    private var thread = pthread_t()

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// For how long the thread was ready and the system ran others: nanoseconds since the thread began
    /// (proc_pid_schedstat(5): the second number of `/proc/thread-self/schedstat`); nil where the system
    /// does not say. One system call, and some more on another thread than before.
    mutating func waited() -> UInt64? {
        if thread == pthread_self(), let known = NumberFile.number(at: 1, of: descriptor) {
            return known
        }
        // A thread may have the identity of one that has ended.
        reopen()
        return NumberFile.number(at: 1, of: descriptor)
    }

    /// For how long the thread had a processor: nanoseconds since the thread began. A hypervisor that stops
    /// the machine in between is not noticed. One system call.
    func ran() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    private mutating func reopen() {
        if descriptor >= 0 { close(descriptor) }
        thread = pthread_self()
        descriptor = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
    }
}
