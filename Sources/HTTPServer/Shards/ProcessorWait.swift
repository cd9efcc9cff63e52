// How long a thread was ready to run while the system ran others. On a machine with more work than
// processors a turn takes longer by the clock than the shard's own work does; without this figure the two
// look alike.

import Glibc
import Ledger

/// Reads what Linux counts for the calling thread (proc_pid_schedstat(5): the second number of
/// `/proc/thread-self/schedstat`).
///
/// Confined to its shard, which Dispatch may run on another thread each time.
struct ProcessorWait: ~Copyable {
    private var descriptor: Int32 = -1
    private var thread = pthread_t()

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Nanoseconds since the thread began; nil where the system does not tell. One system call, and some
    /// more on another thread than before.
    mutating func nanoseconds() -> UInt64? {
        if thread == pthread_self(), let known = NumberFile.number(at: 1, of: descriptor) {
            return known
        }
        // A thread may have the identity of one that has ended.
        reopen()
        return NumberFile.number(at: 1, of: descriptor)
    }

    private mutating func reopen() {
        if descriptor >= 0 { close(descriptor) }
        thread = pthread_self()
        descriptor = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
    }
}
