// How much memory the process has, as the system counts it.

import CMalloc
import Glibc

/// The process's memory, as the system and the allocator report it.
package enum ResidentMemory {
    private static let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    private static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Bytes of the process's resident memory; nil where the system does not say. One system call.
    package static func bytes() -> Int? { pages(inField: 1) }

    /// Bytes of the resident pages that belong to files, most of them the program's. A page of a
    /// file becomes resident at its first use. Nil where the system does not say. One system call.
    package static func fileBytes() -> Int? { pages(inField: 2) }

    /// Bytes of the pages that a field counts.
    ///
    /// - Parameter number: the field of `/proc/self/statm`, from 0.
    static func pages(inField number: Int) -> Int? {
        NumberFile.number(at: number, of: descriptor).map {
            Int(truncatingIfNeeded: $0) &* pageBytes
        }
    }

    /// Bytes that the allocator has given out, and bytes that it keeps for later. O(free blocks), with
    /// each of the allocator's locks held for its part.
    package static func allocator() -> (used: Int, kept: Int) {
        var used = 0
        var kept = 0
        traitd_malloc_figures(&used, &kept)
        return (used, kept)
    }

    /// Has the allocator give free pages back to the system.
    package static func trim() { _ = traitd_malloc_trim() }

    /// From `bytes` on, blocks are mapped by themselves and leave the process when they are freed. Where addresses
    /// are limited (RLIMIT_AS), threads share few of the pools that the allocator reserves addresses for, so that what
    /// fits does not depend on which threads have run. To be called once, before there are threads.
    package static func configureAllocator(mappingFrom bytes: Int) {
        _ = traitd_malloc_map_from(Int32(clamping: bytes))
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
            limit.rlim_cur < sharedPoolsBelow
        {
            _ = traitd_malloc_pools(poolsMax)
        }
    }

    private static let sharedPoolsBelow: rlim_t = 4_294_967_296
    private static let poolsMax: Int32 = 2
}
