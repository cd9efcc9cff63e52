// Searching in bytes, and lending them. Every request has lists in its path or query, which are split without
// strings.

import Glibc

extension UnsafeRawBufferPointer {
    /// The first offset of `byte` from `start` on; `count` when there is none. O(bytes in between).
    @inlinable
    package func firstPlace(of byte: UInt8, from start: Int) -> Int {
        guard let base = baseAddress, start < count,
            let found = memchr(base + start, Int32(byte), count &- start)
        else { return count }
        return base.distance(to: UnsafeRawPointer(found))
    }
}

extension Array where Element == UInt8 {
    /// `withUnsafeBytes` for a body whose error has a type.
    @inlinable
    package func withBytes<R, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        try withUnsafeBufferPointer { (bytes) throws(E) in try body(UnsafeRawBufferPointer(bytes)) }
    }
}
