// The memory of arenas. A large arena reserves addresses far beyond its size, and the system
// provides pages as they are touched. So it grows without copying, where the allocator would copy
// or zero megabytes within one operation.

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
    /// So much of a growing block has small pages.
    static let smallPagesBytes = 524_288
    /// A large page, and what it has to begin at a multiple of.
    static let largePageBytes = 2_097_152
    private static let pageBytes = 4_096
    /// What a growing block reserves at least: more than any arena of the default limits needs.
    private static let reservedBytesMin = 134_217_728

    /// A block of at least `bytes`, zeroed when `isZeroed`.
    static func allocate(_ bytes: Int, isZeroed: Bool) -> UnsafeMutableRawPointer {
        if bytes >= mappedBytesMin { return map(bytes) }
        let block = isZeroed ? calloc(bytes, 1) : malloc(bytes)
        guard let block else { preconditionFailure("out of memory") }
        return block
    }

    /// A zeroed block, for `deallocate`, that begins at a multiple of `alignment`.
    static func allocateZeroed(_ bytes: Int, alignment: Int) -> UnsafeMutableRawPointer {
        if bytes >= mappedBytesMin {
            let block = map(bytes)
            #if canImport(Glibc)
                // Where one access after the other goes anywhere, most of the time goes into
                // finding the page.
                if bytes >= hugePagesMin { madvise(block, bytes, MADV_HUGEPAGE) }
            #endif
            return block
        }
        var block: UnsafeMutableRawPointer?
        guard posix_memalign(&block, alignment, bytes) == 0, let block else {
            preconditionFailure("out of memory")
        }
        memset(block, 0, bytes)
        return block
    }

    /// A larger block with the same content. Answers its size too, which may be much larger.
    static func grow(
        _ block: UnsafeMutableRawPointer, from old: Int, to needed: Int
    ) -> (block: UnsafeMutableRawPointer, bytes: Int) {
        if needed < mappedBytesMin {
            guard let block = realloc(block, needed) else { preconditionFailure("out of memory") }
            return (block, needed)
        }
        let reserved = (max(reservedBytesMin, needed * 8) + pageBytes - 1) & ~(pageBytes - 1)
        let target = mapGrowing(reserved)
        target.copyMemory(from: block, byteCount: old)
        deallocate(block, old)
        return (target, reserved)
    }

    static func deallocate(_ block: UnsafeMutableRawPointer, _ bytes: Int) {
        if bytes >= mappedBytesMin {
            giveBack(block, bytes)
            munmap(block, bytes)
        } else {
            free(block)
        }
    }

    /// Gives a large block back slice by slice: at once, many megabytes keep all threads waiting that need new
    /// memory meanwhile.
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
    /// it uses.
    private static func mapGrowing(_ bytes: Int) -> UnsafeMutableRawPointer {
        #if canImport(Glibc)
            let start = map(bytes + largePageBytes)
            let toLarge = largePageBytes - Int(bitPattern: start) & (largePageBytes - 1)
            let unused = (toLarge - smallPagesBytes) & (largePageBytes - 1)
            let block = start + unused
            if unused > 0 { munmap(start, unused) }
            munmap(block + bytes, largePageBytes - unused)
            if bytes > smallPagesBytes {
                madvise(block + smallPagesBytes, bytes - smallPagesBytes, MADV_HUGEPAGE)
            }
            return block
        #else
            return map(bytes)
        #endif
    }

    private static func map(_ bytes: Int) -> UnsafeMutableRawPointer {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let block = mmap(nil, bytes, PROT_READ | PROT_WRITE, Int32(flags), -1, 0)
        guard let block, block != MAP_FAILED else { preconditionFailure("out of memory") }
        return block
    }
}
