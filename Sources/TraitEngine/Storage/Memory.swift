// The memory of arenas. A large arena reserves addresses far beyond its size, and the system
// provides pages as they are touched. So it grows without copying, where the allocator would copy
// or zero megabytes within one operation. Where addresses are limited, it reserves little and copies.

import Limits

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

enum Memory {
    /// From this size on, blocks are whole pages of their own. Growing into them costs a fault for
    /// each page, once; the allocator maps blocks of this size too.
    static let mappedBytesMin = 131_072
    /// From this size on, zeroed blocks ask for huge pages.
    static let hugePagesMin = 4_194_304
    /// The first bytes of a growing block, which have small pages.
    static let smallPagesBytes = 524_288
    /// The size of a large page, and its alignment.
    static let largePageBytes = 2_097_152
    private static let pageBytes = 4_096
    /// The least that a growing block reserves: more than any arena needs under the default limits.
    private static let reservedBytesMin = 134_217_728

    /// Where blocks of no bytes are. Nothing reads or writes there.
    nonisolated(unsafe) private static let nowhere = allocateZeroed(64, alignment: 64)

    /// A block of at least `bytes`, zeroed when `isZeroed`. One of no bytes takes no memory.
    static func allocate(_ bytes: Int, isZeroed: Bool) -> UnsafeMutableRawPointer {
        if bytes == 0 { return nowhere }
        let block =
            bytes >= mappedBytesMin ? map(bytes) : isZeroed ? calloc(bytes, 1) : malloc(bytes)
        guard let block else { MemoryRefusal.end(bytes) }
        return block
    }

    /// A zeroed block, for `deallocate`, that begins at a multiple of `alignment`.
    static func allocateZeroed(_ bytes: Int, alignment: Int) -> UnsafeMutableRawPointer {
        if bytes >= mappedBytesMin {
            guard let block = map(bytes) else { MemoryRefusal.end(bytes) }
            #if canImport(Glibc)
                // Where one access after the other goes anywhere, most of the time goes into
                // finding the page.
                if bytes >= hugePagesMin { madvise(block, bytes, MADV_HUGEPAGE) }
            #endif
            return block
        }
        var block: UnsafeMutableRawPointer?
        guard posix_memalign(&block, alignment, bytes) == 0, let block else {
            MemoryRefusal.end(bytes)
        }
        memset(block, 0, bytes)
        return block
    }

    /// A larger block with the same content. Answers its size too, which may be much larger.
    ///
    /// - Parameters:
    ///   - wanted: the size to have where addresses are limited; at least `needed`.
    ///   - reserve: maps a block of at least so many bytes, or answers nil.
    static func grow(
        _ block: UnsafeMutableRawPointer, from old: Int, to needed: Int, wanted: Int,
        reserve: (Int) -> UnsafeMutableRawPointer? = mapGrowing
    ) -> (block: UnsafeMutableRawPointer, bytes: Int) {
        if wanted < mappedBytesMin {
            guard let block = realloc(old == 0 ? nil : block, wanted) else {
                MemoryRefusal.end(wanted)
            }
            return (block, wanted)
        }
        for size in sizes(needed: max(needed, mappedBytesMin), wanted: wanted) {
            guard let target = reserve(size) else { continue }
            target.copyMemory(from: block, byteCount: old)
            deallocate(block, old)
            return (target, size)
        }
        MemoryRefusal.end(needed)
    }

    /// The sizes to try, the best first.
    private static func sizes(needed: Int, wanted: Int) -> [Int] {
        let modest = [pages(wanted), pages(needed)]
        return Reserving.isAmple ? [pages(max(reservedBytesMin, wanted * 8))] + modest : modest
    }

    private static func pages(_ bytes: Int) -> Int { (bytes + pageBytes - 1) & ~(pageBytes - 1) }

    static func deallocate(_ block: UnsafeMutableRawPointer, _ bytes: Int) {
        if bytes == 0 { return }
        if bytes >= mappedBytesMin {
            giveBack(block, bytes)
            munmap(block, bytes)
            Reserving.count(-mappings(of: bytes))
        } else {
            free(block)
        }
    }

    /// Gives a large block back slice by slice: giving many megabytes back at once blocks every thread that needs
    /// new memory.
    private static func giveBack(_ block: UnsafeMutableRawPointer, _ bytes: Int) {
        guard bytes > 2 * largePageBytes else { return }
        var start = 0
        while start < bytes {
            let end = min(bytes, start + largePageBytes)
            discard(block, start..<end, of: bytes)
            start = end
        }
    }

    /// Gives back the pages that lie wholly in a part of a block; they read as zero afterwards.
    static func discard(_ block: UnsafeMutableRawPointer, _ range: Range<Int>, of bytes: Int) {
        guard bytes >= mappedBytesMin else { return }
        let start = (range.lowerBound + pageBytes - 1) / pageBytes * pageBytes
        let end = range.upperBound / pageBytes * pageBytes
        if end > start { madvise(block + start, end - start, MADV_DONTNEED) }
    }

    /// Large pages speed up reads in random order, which else wait for page tables too. The
    /// beginning of a block has small pages, so that a small hierarchy takes no more memory than
    /// it uses. Nil where the system refuses the block.
    private static func mapGrowing(_ bytes: Int) -> UnsafeMutableRawPointer? {
        #if canImport(Glibc)
            guard isReservation(bytes) else { return map(bytes) }
            guard let start = mapUncounted(bytes + largePageBytes) else { return nil }
            let toLarge = largePageBytes - Int(bitPattern: start) & (largePageBytes - 1)
            let unused = (toLarge - smallPagesBytes) & (largePageBytes - 1)
            let block = start + unused
            if unused > 0 { munmap(start, unused) }
            munmap(block + bytes, largePageBytes - unused)
            madvise(block + smallPagesBytes, bytes - smallPagesBytes, MADV_HUGEPAGE)
            Reserving.count(mappings(of: bytes))
            return block
        #else
            return map(bytes)
        #endif
    }

    /// Nil where the system refuses the block.
    private static func map(_ bytes: Int) -> UnsafeMutableRawPointer? {
        guard let block = mapUncounted(bytes) else { return nil }
        Reserving.count(mappings(of: bytes))
        return block
    }

    private static func mapUncounted(_ bytes: Int) -> UnsafeMutableRawPointer? {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let block = mmap(nil, bytes, PROT_READ | PROT_WRITE, Int32(flags), -1, 0)
        return block == MAP_FAILED ? nil : block
    }

    /// Whether a block has the size of those that reserve far more than they need.
    private static func isReservation(_ bytes: Int) -> Bool { bytes >= reservedBytesMin }

    /// The large and the small pages of a reservation are two mappings.
    private static func mappings(of bytes: Int) -> Int { isReservation(bytes) ? 2 : 1 }
}
