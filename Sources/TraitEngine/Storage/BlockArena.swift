// Blocks of 8-byte words in sizes of powers of two: the values of records, long identifiers.

/// An allocator of word blocks; freed blocks are taken again for blocks of the same size.
struct BlockArena: ~Copyable {
    /// Largest block: 2^classMax words.
    static let classMax = 15

    private var words: Arena<UInt64>
    /// First free block of each size, linked through the blocks' first words; -1 at the end.
    private var free: [Int32]

    init() {
        words = Arena()
        free = Self.noBlocks
    }

    /// Shared by all arenas from which no block was freed.
    private static let noBlocks = Array(repeating: Int32(-1), count: classMax + 1)

    init(copying other: inout BlockArena, _ copies: inout SnapshotCopies) {
        words = Arena(copying: &other.words, &copies)
        free = other.free
    }

    /// The smallest size class with room for `count` words.
    @inline(__always)
    static func sizeClass(for count: Int) -> UInt8 {
        count <= 1 ? 0 : UInt8(truncatingIfNeeded: Int.bitWidth - (count - 1).leadingZeroBitCount)
    }

    /// The offset of a block of `1 << sizeClass` words, whose content is undefined. O(1).
    mutating func allocate(_ sizeClass: UInt8) -> Int32 {
        let position = Int(sizeClass)
        let head = free[position]
        if head >= 0 {
            free[position] = Int32(truncatingIfNeeded: Int64(bitPattern: words[head]))
            return head
        }
        return words.append(repeating: 0, count: 1 &<< position)
    }

    mutating func release(_ offset: Int32, _ sizeClass: UInt8) {
        words[offset] = UInt64(bitPattern: Int64(free[Int(sizeClass)]))
        free[Int(sizeClass)] = offset
    }

    @inline(__always)
    subscript(offset: Int32) -> UInt64 {
        get { words[offset] }
        set { words[offset] = newValue }
    }

    var heldBytes: Int { words.heldBytes }

    var reader: Arena<UInt64>.Reader { words.reader }

    /// For writing a block of `count` words; valid until the next allocation.
    @inline(__always)
    mutating func mutablePointer(_ offset: Int32, count: Int) -> UnsafeMutablePointer<UInt64> {
        words.mutablePointer(offset, count: count)
    }

    var wordCount: Int { words.count }

    /// Words in blocks that were freed. O(free blocks), for invariants and statistics.
    var freeWordCount: Int {
        var total = 0
        for sizeClass in 0...Self.classMax {
            var block = free[sizeClass]
            while block >= 0 {
                total += 1 << sizeClass
                block = Int32(truncatingIfNeeded: Int64(bitPattern: words[block]))
            }
        }
        return total
    }
}
