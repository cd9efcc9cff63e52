// Lists in paths and queries, which every request has, are split on bytes.

import Glibc

extension UnsafeRawBufferPointer {
    /// Where `byte` comes first at or behind `start`, `count` when it does not come. O(bytes between).
    @inlinable
    package func firstPlace(of byte: UInt8, from start: Int) -> Int {
        guard let base = baseAddress, start < count,
            let found = memchr(base + start, Int32(byte), count &- start)
        else { return count }
        return base.distance(to: UnsafeRawPointer(found))
    }
}
