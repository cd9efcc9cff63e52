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

    /// Has blocks from `bytes` on mapped by themselves, so that they leave the process when they are freed. Where
    /// addresses are scarce, threads share few of the pools that the allocator reserves addresses for: what fits does
    /// not depend on which threads have run then. To be called once, before there are threads.
    ///
    /// - Parameter addressesMax: bytes that the process may map at most; nil without a limit.
    package static func configureAllocator(mappingFrom bytes: Int, addressesMax: Int?) {
        _ = traitd_malloc_map_from(Int32(clamping: bytes))
        if let addressesMax, addressesMax < sharedPoolsBelow { _ = traitd_malloc_pools(poolsMax) }
    }

    private static let sharedPoolsBelow = 4_294_967_296
    private static let poolsMax: Int32 = 2
}
