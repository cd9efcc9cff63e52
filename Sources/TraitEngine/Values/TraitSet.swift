// Sets of traits as bits. Nearly every hierarchy has fewer than 64 traits, so the first 64 live
// inline and cost one instruction; the rest is an array that stays empty until it is needed.

/// A set of traits, any number of them, iterated in index order. Asking for one trait is O(1),
/// everything else O(words of 64 traits), which is one as long as no hierarchy has more.
///
/// Invariant: `more` has no zero word at its end, so equal sets are equal memory.
public struct TraitSet: Hashable, Sendable {
    /// Traits 0…63, trait `i` as bit `i`.
    public private(set) var word: UInt64
    /// Traits 64 and up: bit `b` of element `e` is trait `64 * (e + 1) + b`.
    private var more: [UInt64]

    public init() {
        word = 0
        more = []
    }

    /// The traits among 0…63 whose bits are set in `word`.
    public init(word: UInt64) {
        self.word = word
        more = []
    }

    public init(_ trait: TraitIndex) {
        self.init()
        insert(trait)
    }

    public init(_ traits: some Sequence<TraitIndex>) {
        self.init()
        for trait in traits { insert(trait) }
    }

    public var isEmpty: Bool { word == 0 && more.isEmpty }

    /// How many traits there are. O(words).
    public var count: Int {
        more.reduce(word.nonzeroBitCount) { $0 + $1.nonzeroBitCount }
    }

    /// How many 64-bit words the set spans; at least one.
    public var wordCount: Int { more.count + 1 }

    /// The traits `64 * position …< 64 * (position + 1)`; zero beyond the last word.
    public func word(at position: Int) -> UInt64 {
        if position == 0 { return word }
        return position > 0 && position <= more.count ? more[position - 1] : 0
    }

    /// All words folded into one (trait modulo 64): a conservative filter for any number of
    /// traits. Two sets with disjoint folds are disjoint.
    public var folded: UInt64 {
        more.isEmpty ? word : more.reduce(word, |)
    }

    public var first: TraitIndex? {
        var iterator = makeIterator()
        return iterator.next()
    }

    public func contains(_ trait: TraitIndex) -> Bool {
        let raw = Int(trait.rawValue)
        if raw < 64 { return word & (1 &<< UInt64(raw)) != 0 }
        let position = raw >> 6 - 1
        return position < more.count && more[position] & (1 &<< UInt64(raw & 63)) != 0
    }

    @discardableResult
    public mutating func insert(_ trait: TraitIndex) -> Bool {
        let raw = Int(trait.rawValue)
        let bit: UInt64 = 1 &<< UInt64(raw & 63)
        if raw < 64 {
            defer { word |= bit }
            return word & bit == 0
        }
        let position = raw >> 6 - 1
        while more.count <= position { more.append(0) }
        defer { more[position] |= bit }
        return more[position] & bit == 0
    }

    /// Whether the trait was there.
    @discardableResult
    public mutating func remove(_ trait: TraitIndex) -> Bool {
        guard contains(trait) else { return false }
        let raw = Int(trait.rawValue)
        let bit: UInt64 = 1 &<< UInt64(raw & 63)
        if raw < 64 {
            word &= ~bit
        } else {
            more[raw >> 6 - 1] &= ~bit
            trim()
        }
        return true
    }

    private mutating func trim() {
        while more.last == 0 { more.removeLast() }
    }
}

// MARK: - Algebra

extension TraitSet {
    public func intersects(_ other: TraitSet) -> Bool {
        if word & other.word != 0 { return true }
        if more.isEmpty || other.more.isEmpty { return false }
        return zip(more, other.more).contains { $0 & $1 != 0 }
    }

    public func isDisjoint(with other: TraitSet) -> Bool { !intersects(other) }

    public func isSubset(of other: TraitSet) -> Bool {
        guard word & ~other.word == 0, more.count <= other.more.count else { return false }
        return more.isEmpty || zip(more, other.more).allSatisfy { $0 & ~$1 == 0 }
    }

    public func isSuperset(of other: TraitSet) -> Bool { other.isSubset(of: self) }

    public mutating func formUnion(_ other: TraitSet) {
        word |= other.word
        if other.more.isEmpty { return }
        while more.count < other.more.count { more.append(0) }
        for position in other.more.indices { more[position] |= other.more[position] }
    }

    public mutating func formIntersection(_ other: TraitSet) {
        word &= other.word
        if more.isEmpty { return }
        if more.count > other.more.count { more.removeLast(more.count - other.more.count) }
        for position in more.indices { more[position] &= other.more[position] }
        trim()
    }

    public mutating func subtract(_ other: TraitSet) {
        word &= ~other.word
        if more.isEmpty || other.more.isEmpty { return }
        for position in 0..<Swift.min(more.count, other.more.count) {
            more[position] &= ~other.more[position]
        }
        trim()
    }

    public func union(_ other: TraitSet) -> TraitSet {
        var result = self
        result.formUnion(other)
        return result
    }

    public func intersection(_ other: TraitSet) -> TraitSet {
        var result = self
        result.formIntersection(other)
        return result
    }

    public func subtracting(_ other: TraitSet) -> TraitSet {
        var result = self
        result.subtract(other)
        return result
    }
}

// MARK: - Iteration

extension TraitSet: Sequence {
    /// Goes through the traits in index order.
    public struct Iterator: IteratorProtocol {
        private var bits: UInt64
        private var base = 0
        private var position = 0
        private let more: [UInt64]

        fileprivate init(_ word: UInt64, _ more: [UInt64]) {
            bits = word
            self.more = more
        }

        public mutating func next() -> TraitIndex? {
            while bits == 0 {
                guard position < more.count else { return nil }
                bits = more[position]
                position += 1
                base = position << 6
            }
            let bit = bits.trailingZeroBitCount
            bits &= bits &- 1
            // Every bit was inserted from a TraitIndex, so the sum fits in 16 bits.
            return TraitIndex(rawValue: UInt16(truncatingIfNeeded: base + bit))
        }
    }

    public func makeIterator() -> Iterator { Iterator(word, more) }

    public var underestimatedCount: Int { count }
}

extension TraitSet: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: TraitIndex...) {
        self.init(elements)
    }
}

extension TraitSet: CustomStringConvertible {
    public var description: String {
        "[" + map(\.description).joined(separator: ", ") + "]"
    }
}
