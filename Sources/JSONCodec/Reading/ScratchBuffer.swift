// Memory that a tape reuses from text to text. It comes from malloc, not from Swift's allocator,
// because running out of it must become an error of the text at hand and not a trap.

import Background
import Glibc

/// A growing run of trivial elements. It is owned by hand: ``deallocate()`` ends it.
@usableFromInline
struct ScratchBuffer<Element: BitwiseCopyable> {
    /// Never nil; points at one element of its own while the capacity is 0.
    @usableFromInline private(set) var base: UnsafeMutablePointer<Element>
    private(set) var capacity = 0
    private let placeholder: UnsafeMutablePointer<Element>

    init() {
        placeholder = .allocate(capacity: 1)
        base = placeholder
    }

    /// Makes room for `count` elements and keeps the present ones. False when the system refuses memory;
    /// the buffer is then unchanged.
    mutating func grow(to count: Int) -> Bool {
        guard count > capacity else { return true }
        let stride = MemoryLayout<Element>.stride
        let (bytes, overflows) = count.multipliedReportingOverflow(by: stride)
        guard !overflows, let moved = realloc(capacity == 0 ? nil : base, bytes) else {
            return false
        }
        base = moved.assumingMemoryBound(to: Element.self)
        capacity = count
        return true
    }

    /// Frees the memory if it is more than `bytes`. No reader may be left.
    @inline(__always)
    mutating func trim(to bytes: Int) {
        guard capacity > bytes / MemoryLayout<Element>.stride else { return }
        release()
    }

    private mutating func release() {
        guard capacity > 0 else { return }
        LargeBlock.freeHere(base, bytes: capacity * MemoryLayout<Element>.stride)
        base = placeholder
        capacity = 0
    }

    mutating func deallocate() {
        release()
        placeholder.deallocate()
    }
}
