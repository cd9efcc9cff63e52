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

    /// Nil where the system refuses the memory.
    package init?(capacity: Int) {
        guard let block = Self.allocate(capacity) else { return nil }
        self.capacity = capacity
        start = block
    }

    deinit { Self.release(start, capacity) }

    /// Makes room for `wanted` bytes in all, of which the first `count` are kept. O(count) below
    /// `LargeBlock.bytesMin`, else O(pages) with a small factor.
    ///
    /// - Returns: false where the system refuses the memory; the block is as it was then.
    package mutating func grow(to wanted: Int, keeping count: Int) -> Bool {
        precondition(wanted >= capacity && count <= capacity, "a block only grows")
        if capacity >= LargeBlock.bytesMin {
            guard let moved = traitd_remap(start, capacity, wanted) else { return false }
            start = moved
        } else {
            guard let larger = Self.allocate(wanted) else { return false }
            memcpy(larger, start, count)
            Self.release(start, capacity)
            start = larger
        }
        capacity = wanted
        return true
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

    /// Copies `bytes` to `offset`, where there is room for them. O(bytes).
    package borrowing func copy(_ bytes: UnsafeRawBufferPointer, to offset: Int) {
        precondition(offset >= 0 && offset + bytes.count <= capacity, "copied past the block's end")
        if let source = bytes.baseAddress { memcpy(start + offset, source, bytes.count) }
    }

    /// A part of the block, valid as long as the block and until it grows.
    package borrowing func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity, "past the block's end")
        return UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
    }

    private static func allocate(_ bytes: Int) -> UnsafeMutableRawPointer? {
        if bytes < LargeBlock.bytesMin { return malloc(bytes) }
        // The flag keeps the system from joining the block with what the allocator maps: a page fault
        // would then wait for each change of that.
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let block = mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0)
        return block == MAP_FAILED ? nil : block
    }

    private static func release(_ start: UnsafeMutableRawPointer, _ bytes: Int) {
        if bytes < LargeBlock.bytesMin { return free(start) }
        LargeBlock.unmap(start, bytes: bytes)
    }
}
