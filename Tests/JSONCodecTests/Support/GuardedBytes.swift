// Memory that ends where the process's memory ends: a reader that looks one byte too far is killed
// at once, instead of reading what happens to lie there.

import Glibc

/// A copy of bytes whose last one is directly before an unmapped page.
final class GuardedBytes {
    let bytes: UnsafeRawBufferPointer
    private let region: UnsafeMutableRawPointer
    private let regionCount: Int

    init(_ content: [UInt8]) throws {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let pages = (content.count + page - 1) / page + 1
        regionCount = (pages + 1) * page
        let mapped = mmap(
            nil, regionCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { throw Failure() }
        region = mapped
        guard mprotect(region + pages * page, page, PROT_NONE) == 0 else { throw Failure() }
        let start = region + (pages * page - content.count)
        for (offset, byte) in content.enumerated() {
            start.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        }
        bytes = UnsafeRawBufferPointer(start: start, count: content.count)
    }

    deinit {
        munmap(region, regionCount)
    }

    struct Failure: Error {}
}
