// Memory that ends where nothing is mapped: a reader that looks one byte too far is killed at once,
// instead of reading what happens to be there.

import Glibc

/// Pages for copies of bytes that end where the readable memory ends. Confined to one thread.
package final class GuardedBytes {
    /// The last copy.
    package private(set) var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    private let mapping: UnsafeMutableRawPointer
    private let capacity: Int
    private static let page = 4_096

    /// - Parameter capacity: the longest copy, in bytes.
    package init(capacity: Int) {
        self.capacity = (max(1, capacity) + Self.page - 1) / Self.page * Self.page
        let map = mmap(
            nil, self.capacity + Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
            0)
        guard let map, map != MAP_FAILED,
            mprotect(map + self.capacity, Self.page, PROT_NONE) == 0
        else { preconditionFailure("no guarded memory") }
        mapping = map
    }

    package convenience init(_ content: [UInt8]) {
        self.init(capacity: content.count)
        place(content)
    }

    deinit { munmap(mapping, capacity + Self.page) }

    /// A copy of the bytes that ends at the guard; valid until the next one.
    @discardableResult
    package func place(_ content: some Collection<UInt8>) -> UnsafeRawBufferPointer {
        precondition(content.count <= capacity)
        let start = mapping + capacity - content.count
        UnsafeMutableRawBufferPointer(start: start, count: content.count).copyBytes(from: content)
        bytes = UnsafeRawBufferPointer(start: start, count: content.count)
        return bytes
    }
}
