// Parts of a request are offsets into the caller's buffer, so that a parsed head owns nothing.

/// A run of bytes inside a buffer of the caller.
@usableFromInline
package struct ByteRange: Hashable, Sendable {
    @usableFromInline package var start: Int32
    @usableFromInline package var count: Int32

    package init(start: Int32, count: Int32) {
        self.start = start
        self.count = count
    }

    /// Both values come from a buffer whose size `WireLimits` bounds; larger ones are cut off.
    @inlinable
    package init(_ start: Int, _ end: Int) {
        self.start = Int32(truncatingIfNeeded: start)
        self.count = Int32(truncatingIfNeeded: end &- start)
    }

    /// The bytes, as a view into `bytes`. Empty when the range does not lie inside the buffer,
    /// which only happens when it is asked of another buffer than the one that was parsed.
    @inlinable @inline(__always)
    package func slice(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let first = Int(start)
        let size = Int(count)
        guard first >= 0, size >= 0, first &+ size <= bytes.count, let base = bytes.baseAddress
        else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: base + first, count: size)
    }
}
