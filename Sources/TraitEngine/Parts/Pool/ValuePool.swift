// Values that do not fit into a word. Equal values share one entry, so inside the engine every
// comparison of values compares words.

/// Reference-counted values: strings, structures, integers that may be null.
///
/// Each holder of a word has one reference: records, undo entries, definitions (for the default).
struct ValuePool: ~Copyable {
    private var values: Arena<TraitValue>
    /// By position: how many refer to the value; of a free position the complement of the next.
    private var references = Arena<Int64>()
    private var firstFree: Int64 = Self.none
    private var index = HashIndex()
    /// Bytes of the values beyond their places.
    private(set) var contentBytes = 0

    private static let none = Int64(Int32.max)

    init() { values = Arena() }

    /// A pool to read from: the values keep their words, nothing is counted.
    init(copying other: inout ValuePool, _ copies: inout SnapshotCopies) {
        values = Arena(copying: &other.values, &copies)
    }

    private static func hash(_ value: TraitValue) -> UInt64 {
        UInt64(truncatingIfNeeded: value.hashValue)
    }

    private func position(of value: TraitValue, _ hash: UInt64) -> Int32? {
        let values = values.reader
        return index.find(hash) { values[$0] == value }
    }

    /// The word of a value, with one more reference. O(size of the value).
    mutating func retain(_ value: TraitValue) -> UInt64 {
        let hash = Self.hash(value)
        if let position = position(of: value, hash) {
            references[position] += 1
            return UInt64(position)
        }
        let position: Int32
        if firstFree == Self.none {
            position = values.append(value)
            _ = references.append(1)
        } else {
            position = Int32(truncatingIfNeeded: firstFree)
            firstFree = ~references[position]
            values[position] = value
            references[position] = 1
        }
        index.insert(hash, position)
        contentBytes &+= value.contentBytes
        return UInt64(position)
    }

    /// The word of a value, if something holds it. Takes no reference.
    func word(of value: TraitValue) -> UInt64? {
        position(of: value, Self.hash(value)).map { UInt64($0) }
    }

    mutating func retain(_ word: UInt64) {
        references[Int32(truncatingIfNeeded: word)] += 1
    }

    mutating func release(_ word: UInt64) {
        let position = Int32(truncatingIfNeeded: word)
        precondition(references[position] > 0, "a value was released once too often")
        references[position] -= 1
        if references[position] > 0 { return }
        index.remove(Self.hash(values[position]), position)
        contentBytes &-= values[position].contentBytes
        values[position] = .null
        references[position] = ~firstFree
        firstFree = Int64(position)
    }

    subscript(word: UInt64) -> TraitValue { values[Int32(truncatingIfNeeded: word)] }

    /// Bytes that it takes of the process's memory, about. O(1).
    var heldBytes: Int {
        values.heldBytes + references.heldBytes + index.byteCount + contentBytes
    }

    /// How many values are held.
    var count: Int { index.count }

    /// Reference counts by word, for the invariants.
    var referenceCounts: [UInt64: Int] {
        var counts: [UInt64: Int] = [:]
        for position in 0..<Int32(truncatingIfNeeded: references.count)
        where references[position] > 0 {
            counts[UInt64(position)] = Int(references[position])
        }
        return counts
    }
}

extension TraitValue {
    /// Bytes that the value takes beyond its place, about. O(fields).
    var contentBytes: Int {
        switch self {
        // Up to 15 bytes lie in the place itself; others have a header, and the allocator's.
        case .string(let string), .json(let string):
            string.utf8.count > 15 ? string.utf8.count &+ 48 : 0
        case .structure(let fields):
            fields.reduce(48) { $0 &+ MemoryLayout<TraitValue>.stride &+ $1.contentBytes }
        default: 0
        }
    }
}
