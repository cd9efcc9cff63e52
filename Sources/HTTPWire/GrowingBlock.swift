// The bytes of a request that comes in many pieces.

import Background
import CMalloc
import Glibc

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
