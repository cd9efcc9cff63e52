// Reading several traits by one walk: what is still wanted, and the words found so far.

/// A set of wanted traits and their words, by trait: those of the defaults until others are found.
struct Gathering {
    private let found: UnsafeMutablePointer<UInt64>
    private let missing: UnsafeMutablePointer<UInt64>
    private let width: Int

    /// Words of scratch memory for traits that span `width` words: 64 found words for each of
    /// these, then the masks of missing traits.
    @usableFromInline
    static func scratchCount(_ width: Int) -> Int { width &* 65 }

    init(
        _ traits: borrowing TraitSet, defaults: UnsafeBufferPointer<UInt64>,
        _ scratch: UnsafeMutablePointer<UInt64>
    ) {
        width = traits.wordCount
        found = scratch
        missing = scratch + width &* 64
        for position in 0..<width { (missing + position).initialize(to: traits.word(at: position)) }
        let last = missing[width &- 1]
        precondition(
            last == 0 || width &* 64 &- 1 &- last.leadingZeroBitCount < defaults.count,
            "not a trait")
        // Each is read only if it is wanted, or written before.
        let count = min(defaults.count, width &* 64)
        guard let base = defaults.baseAddress else { return }
        found.initialize(from: base, count: count)
        (found + count).initialize(repeating: 0, count: width &* 64 &- count)
    }

    /// The traits still wanted, folded (trait modulo 64).
    var folded: UInt64 {
        var fold: UInt64 = 0
        for position in 0..<width { fold |= missing[position] }
        return fold
    }

    /// Takes the wanted values that a record has. Returns the traits that are still wanted, folded.
    @inline(__always)
    func take(_ record: Int32, _ reader: RecordReader) -> UInt64 {
        let pointer = reader.records.pointer(record)
        if pointer.pointee.width == 0, width == 1 {
            let wanted = missing[0]
            var bits = pointer.pointee.mask
            missing[0] = wanted & ~bits
            var value = reader.block(pointer)
            while bits != 0 {
                let trait = bits.trailingZeroBitCount
                // A trait that is not wanted keeps its word: selecting is cheaper than a branch.
                found[trait] = wanted &>> UInt64(trait) & 1 != 0 ? value[0] : found[trait]
                value += 1
                bits &= bits &- 1
            }
            return missing[0]
        }
        return takeWide(record, reader)
    }

    @inline(never)
    private func takeWide(_ record: Int32, _ reader: RecordReader) -> UInt64 {
        for position in 0..<width {
            var bits = reader.exactWord(record, position) & missing[position]
            missing[position] &= ~bits
            while bits != 0 {
                let bit = bits.trailingZeroBitCount
                let trait = UInt16(truncatingIfNeeded: position &* 64 &+ bit)
                found[position &* 64 &+ bit] = reader.word(record, trait)
                bits &= bits &- 1
            }
        }
        return folded
    }
}
