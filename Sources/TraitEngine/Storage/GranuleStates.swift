// Which granules of an arena are copied: two bits a granule, so that the states of a million nodes
// stay in the cache.

import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The states of a copy's granules: 0 untouched, 1 claimed, 3 done, which is final.
struct GranuleStates: Sendable {
    private static let perWord = 32
    private static let lowBits: UInt64 = 0x5555_5555_5555_5555

    let count: Int
    /// Atomics, which stay until their one owner goes.
    nonisolated(unsafe) private let words: UnsafeMutablePointer<Atomic<UInt64>>

    /// O(1) from 128 KiB of states on: such memory is zeroed by the system as it is touched.
    init(_ count: Int) {
        self.count = count
        words = Memory.allocate(Self.bytes(count), isZeroed: true)
            .bindMemory(to: Atomic<UInt64>.self, capacity: Self.wordCount(count))
    }

    func deallocate() { Memory.deallocate(words, Self.bytes(count)) }

    private static func wordCount(_ count: Int) -> Int { max((count + perWord - 1) / perWord, 1) }

    private static func bytes(_ count: Int) -> Int {
        wordCount(count) * MemoryLayout<Atomic<UInt64>>.stride
    }

    var wordCount: Int { Self.wordCount(count) }

    @inline(__always)
    private static func shift(_ granule: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: granule & (perWord &- 1)) &* 2
    }

    // MARK: - One granule

    @inline(__always)
    func isDone(_ granule: Int) -> Bool {
        let word = words[granule / Self.perWord].load(ordering: .acquiring)
        return (word &>> Self.shift(granule)) & 2 != 0
    }

    /// True when the granule was untouched.
    func claim(_ granule: Int) -> Bool {
        let bit: UInt64 = 1 &<< Self.shift(granule)
        let old = words[granule / Self.perWord].bitwiseOr(bit, ordering: .acquiring).oldValue
        return old & bit == 0
    }

    func finish(_ granule: Int) {
        words[granule / Self.perWord].bitwiseOr(2 &<< Self.shift(granule), ordering: .releasing)
    }

    /// Waits until a claimed granule is done.
    func await(_ granule: Int) {
        var tries = 0
        while !isDone(granule) {
            tries += 1
            if tries > 64 { sched_yield() }
        }
    }

    // MARK: - A word of them

    /// Claims the untouched granules of a word; they are the low bits of the answer.
    func claimWord(_ word: Int) -> UInt64 {
        let missing = count - word * Self.perWord
        let all =
            missing >= Self.perWord ? Self.lowBits : Self.lowBits & (1 << UInt64(2 * missing) - 1)
        let old = words[word].bitwiseOr(all, ordering: .acquiring).oldValue
        return all & ~old
    }

    func finishWord(_ word: Int, _ claimed: UInt64) {
        words[word].bitwiseOr(claimed << 1, ordering: .releasing)
    }

    /// Neighbours among the claimed granules of a word, together.
    func forEachRun(_ word: Int, _ claimed: UInt64, _ body: (Range<Int>) -> Void) {
        // Both bits of each, so that neighbours touch.
        var bits = claimed | claimed << 1
        let first = word * Self.perWord
        while bits != 0 {
            let start = bits.trailingZeroBitCount
            let length = (~(bits >> UInt64(start))).trailingZeroBitCount
            body(first + start / 2..<first + (start + length) / 2)
            bits &= length == 64 ? 0 : ~((1 << UInt64(length) - 1) << UInt64(start))
        }
    }
}

/// Granules that were saved, one behind the other.
struct SavedGranules<Element> {
    private struct Chunk {
        var granules: UnsafeMutablePointer<Int32>
        var content: UnsafeMutablePointer<Element>
    }

    private static var chunkBits: Int { 7 }

    private let granuleBits: Int
    private var chunks: ContiguousArray<Chunk> = []
    private var count = 0

    init(_ granuleBits: Int) {
        self.granuleBits = granuleBits
    }

    /// Where the content of one more granule goes.
    mutating func append(_ granule: Int) -> UnsafeMutablePointer<Element> {
        let position = count & (1 << Self.chunkBits - 1)
        if position == 0 {
            chunks.append(
                Chunk(
                    granules: .allocate(capacity: 1 << Self.chunkBits),
                    content: .allocate(capacity: 1 << (Self.chunkBits + granuleBits))))
        }
        let chunk = chunks[chunks.count - 1]
        chunk.granules[position] = Int32(truncatingIfNeeded: granule)
        count += 1
        return chunk.content + position << granuleBits
    }

    func forEachGranule(_ body: (_ granule: Int, _ content: UnsafeMutablePointer<Element>) -> Void)
    {
        for number in 0..<count {
            let chunk = chunks[number >> Self.chunkBits]
            let position = number & (1 << Self.chunkBits - 1)
            body(Int(chunk.granules[position]), chunk.content + position << granuleBits)
        }
    }

    /// Gives the memory back; the content was moved or destroyed before.
    mutating func deallocate() {
        for chunk in chunks {
            chunk.granules.deallocate()
            chunk.content.deallocate()
        }
        chunks = []
        count = 0
    }
}
