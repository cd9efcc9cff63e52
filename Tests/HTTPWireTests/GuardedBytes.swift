// Puts bytes at the very end of a page that is followed by an unmapped one, so that a parser
// that reads a single byte too far does not survive its test.

import Glibc

/// Bytes that end where the readable memory ends.
final class GuardedBytes {
    private let mapping: UnsafeMutableRawPointer
    private let mappedBytes: Int
    private let pageEnd: UnsafeMutableRawPointer
    private var pageBytes: Int { mappedBytes - Self.page }
    private static let page = 4_096

    init(capacity: Int) {
        let pages = (capacity + Self.page - 1) / Self.page
        mappedBytes = (pages + 1) * Self.page
        let map = mmap(
            nil, mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        mapping = map!
        pageEnd = mapping + pages * Self.page
        precondition(mprotect(pageEnd, Self.page, PROT_NONE) == 0)
    }

    deinit { munmap(mapping, mappedBytes) }

    /// A copy of the bytes that ends at the guard.
    func place(_ bytes: some Collection<UInt8>) -> UnsafeRawBufferPointer {
        precondition(bytes.count <= pageBytes)
        let start = pageEnd - bytes.count
        UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyBytes(from: bytes)
        return UnsafeRawBufferPointer(start: start, count: bytes.count)
    }
}
