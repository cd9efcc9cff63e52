// Large blocks of memory for event loops. Mapping or unmapping a large block can take milliseconds while
// another thread that changes its mappings is not running.

import Glibc

package enum LargeBlock {
    /// From this size on the allocator gets each block from the system, and gives it back when the block
    /// is freed; see `ResidentMemory.configureAllocator`.
    package static let bytesMin = 262_144

    /// The system gives back about so many bytes in a tenth of a millisecond.
    private static let sliceBytes = 524_288
    /// The system rounds up what it gives back to whole pages, so that a page taken for smaller than it is
    /// would take the memory behind the block with it.
    package static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Frees what `malloc` or `realloc` gave, of at least so many bytes. An event loop leaves a large block to
    /// another thread.
    package static func free(_ storage: UnsafeMutableRawPointer?, bytes: Int) {
        guard bytes >= bytesMin, let storage else { return Glibc.free(storage) }
        let address = UInt(bitPattern: storage)
        Disposal.run { freeHere(UnsafeMutableRawPointer(bitPattern: address), bytes: bytes) }
    }

    /// Does the same on this thread, so that the memory is free afterwards.
    package static func freeHere(_ storage: UnsafeMutableRawPointer?, bytes: Int) {
        if let storage { giveBackPages(of: storage, bytes: bytes) }
        Glibc.free(storage)
    }

    /// Gives the whole pages of a block back slice by slice. Giving megabytes back at once blocks every
    /// thread that needs new memory.
    private static func giveBackPages(of storage: UnsafeMutableRawPointer, bytes: Int) {
        guard bytes > 2 * sliceBytes else { return }
        let unit = UInt(pageBytes)
        var next = (UInt(bitPattern: storage) + unit - 1) / unit * unit
        let end = (UInt(bitPattern: storage) + UInt(bytes)) / unit * unit
        while next < end {
            let count = min(Int(end - next), sliceBytes)
            // A failure only means that the end of the block has more to do.
            _ = madvise(UnsafeMutableRawPointer(bitPattern: next), count, MADV_DONTNEED)
            next += UInt(count)
        }
    }

    /// Gives back a block of `mmap` on another thread.
    package static func unmap(_ start: UnsafeMutableRawPointer, bytes: Int) {
        let address = UInt(bitPattern: start)
        Disposal.run {
            guard let start = UnsafeMutableRawPointer(bitPattern: address) else { return }
            giveBackPages(of: start, bytes: bytes)
            munmap(start, bytes)
        }
    }
}
