// Memory that ends where nothing is mapped: one byte read too far ends the process.

import Glibc

/// One page run for copies of inputs. Confined to the thread that fuzzes.
final class PageEnd {
    private let capacity: Int
    private let end: UnsafeMutableRawPointer
    private let mapping: UnsafeMutableRawPointer
    private static let page = 4_096

    /// - Parameter capacity: the longest copy, in bytes.
    init(capacity: Int) {
        let pages = (max(1, capacity) + Self.page - 1) / Self.page
        let size = (pages + 1) * Self.page
        let map = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let map, map != MAP_FAILED else { preconditionFailure("no memory for a page end") }
        mapping = map
        end = map + pages * Self.page
        self.capacity = pages * Self.page
        precondition(mprotect(end, Self.page, PROT_NONE) == 0, "no guard page")
    }

    deinit { munmap(mapping, capacity + Self.page) }

    /// A copy of the bytes that ends at the guard; valid until the next one.
    func place(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        precondition(bytes.count <= capacity, "longer than the page end")
        let start = end - bytes.count
        if let base = bytes.baseAddress { memmove(start, base, bytes.count) }
        return UnsafeRawBufferPointer(start: start, count: bytes.count)
    }
}
