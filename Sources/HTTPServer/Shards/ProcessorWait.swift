// How long a thread was ready to run while the system ran others. On a machine with more work than
// processors a turn takes longer by the clock than the shard's own work does; without this figure the two
// look alike.

import Glibc

/// Reads what Linux counts for the calling thread (proc_pid_schedstat(5): the second number of
/// `/proc/thread-self/schedstat`).
///
/// Confined to its shard, which Dispatch may run on another thread each time.
struct ProcessorWait: ~Copyable {
    private var descriptor: Int32 = -1
    private var thread = pthread_t()

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Nanoseconds since the thread began; nil where the system does not tell. One system call, and two
    /// more on another thread than before.
    mutating func nanoseconds() -> UInt64? {
        if descriptor < 0 || thread != pthread_self() { reopen() }
        return read()
    }

    private mutating func reopen() {
        if descriptor >= 0 { close(descriptor) }
        thread = pthread_self()
        descriptor = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
    }

    /// Allocates nothing, as a turn of one small request asks too.
    private func read() -> UInt64? {
        guard descriptor >= 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { text in
            let count = pread(descriptor, text.baseAddress, text.count, 0)
            var number: UInt64 = 0
            var spaces = 0
            for position in 0..<max(0, count) {
                if text[position] == UInt8(ascii: " ") {
                    spaces += 1
                    if spaces == 2 { return number }
                } else if spaces == 1 {
                    number = number &* 10 &+ UInt64(text[position] &- UInt8(ascii: "0"))
                }
            }
            return nil
        }
    }
}
