// Memory of which an event loop may have much at once. The system takes milliseconds to give such memory
// out or to take it back, when other threads whose memory changes have lost the processor.

import Background
import CMalloc
import Glibc

package enum LargeBlock {
    /// From this size on the allocator gets each block from the system, and gives it back when the block
    /// is freed; see `ResidentMemory.configureAllocator`.
    package static let bytesMin = 262_144

    /// The system gives back about so many bytes in a tenth of a millisecond.
    private static let sliceBytes = 524_288
    fileprivate static let pageBytes = 4_096

    /// Frees what `malloc` or `realloc` gave, of about so many bytes. An event loop leaves a large block to
    /// another thread.
    package static func free(_ storage: UnsafeMutableRawPointer?, bytes: Int) {
        guard bytes >= bytesMin, let storage else { return Glibc.free(storage) }
        let address = UInt(bitPattern: storage)
        Disposal.run {
            guard let storage = UnsafeMutableRawPointer(bitPattern: address) else { return }
            giveBackPages(of: storage, bytes: bytes)
            Glibc.free(storage)
        }
    }

    /// Gives the whole pages of a block back slice by slice. Given back at once, megabytes keep all threads
    /// waiting that need new memory meanwhile.
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
}

/// Bytes that grow by doubling and are never copied once they are many: an event loop would copy
/// megabytes in one turn. Small ones lie in the allocator's memory, large ones in pages of their own.
package struct GrowingBlock: ~Copyable {
    package private(set) var start: UnsafeMutableRawPointer
    package private(set) var capacity: Int
    /// How far a large block is known to be in memory.
    private var touched = 0

    package init(capacity: Int) {
        self.capacity = capacity
        start = Self.allocate(capacity)
    }

    deinit { Self.release(start, capacity) }

    /// Makes room for `wanted` bytes in all, of which the first `count` are kept. O(count) below
    /// `LargeBlock.bytesMin`, else O(pages) with a small factor.
    package mutating func grow(to wanted: Int, keeping count: Int) {
        precondition(wanted >= capacity && count <= capacity, "a block only grows")
        if capacity >= LargeBlock.bytesMin {
            guard let moved = traitd_remap(start, capacity, wanted) else {
                Self.isOutOfMemory(wanted)
            }
            start = moved
        } else {
            let larger = Self.allocate(wanted)
            memcpy(larger, start, count)
            Self.release(start, capacity)
            start = larger
        }
        capacity = wanted
    }

    /// Has the system give out the pages behind the first `count` bytes, which are in use, up to `end`. A
    /// system call that writes into new pages waits while another thread maps memory; the program's own
    /// access does not.
    package mutating func touch(behind count: Int, upTo end: Int) {
        guard capacity >= LargeBlock.bytesMin else { return }
        let end = min(end, capacity)
        let unit = LargeBlock.pageBytes
        touched = max(touched, (count + unit - 1) / unit * unit)
        while touched < end {
            start.storeBytes(of: 0, toByteOffset: touched, as: UInt8.self)
            touched += unit
        }
    }

    private static func allocate(_ bytes: Int) -> UnsafeMutableRawPointer {
        if bytes < LargeBlock.bytesMin {
            guard let block = malloc(bytes) else { isOutOfMemory(bytes) }
            return block
        }
        // The flag keeps the system from joining the block with what the allocator maps: a page fault
        // would then wait for each change of that.
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let block = mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let block, block != MAP_FAILED else { isOutOfMemory(bytes) }
        return block
    }

    private static func release(_ start: UnsafeMutableRawPointer, _ bytes: Int) {
        if bytes < LargeBlock.bytesMin { return free(start) }
        LargeBlock.unmap(start, bytes: bytes)
    }

    private static func isOutOfMemory(_ bytes: Int) -> Never {
        preconditionFailure("out of memory for a block of \(bytes) bytes")
    }
}

extension LargeBlock {
    /// Gives back a block of `mmap` on another thread.
    fileprivate static func unmap(_ start: UnsafeMutableRawPointer, bytes: Int) {
        let address = UInt(bitPattern: start)
        Disposal.run {
            guard let start = UnsafeMutableRawPointer(bitPattern: address) else { return }
            giveBackPages(of: start, bytes: bytes)
            munmap(start, bytes)
        }
    }
}
