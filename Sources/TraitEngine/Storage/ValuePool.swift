// Values that do not fit into a word. Equal values share one entry, so inside the engine every
// comparison of values compares words.

/// Reference-counted values: strings, structures, integers that may be null.
///
/// Everything that remembers a word of the pool holds one reference: records, undo entries,
/// definitions (for the default).
struct ValuePool {
    private struct Entry {
        var value: TraitValue
        var references: Int
    }

    private var entries: ContiguousArray<Entry> = []
    private var free: ContiguousArray<Int32> = []
    private var index: [TraitValue: Int32] = [:]

    /// The word of a value, with one more reference. O(size of the value).
    mutating func retain(_ value: TraitValue) -> UInt64 {
        if let position = index[value] {
            entries[Int(position)].references += 1
            return UInt64(position)
        }
        let entry = Entry(value: value, references: 1)
        let position: Int32
        if let slot = free.popLast() {
            position = slot
            entries[Int(slot)] = entry
        } else {
            position = Int32(truncatingIfNeeded: entries.count)
            entries.append(entry)
        }
        index[value] = position
        return UInt64(position)
    }

    /// The word of a value, if something holds it. Takes no reference.
    func word(of value: TraitValue) -> UInt64? { index[value].map { UInt64($0) } }

    mutating func retain(_ word: UInt64) {
        entries[Int(truncatingIfNeeded: word)].references += 1
    }

    mutating func release(_ word: UInt64) {
        let position = Int(truncatingIfNeeded: word)
        entries[position].references -= 1
        if entries[position].references > 0 { return }
        precondition(entries[position].references == 0, "a value was released once too often")
        index[entries[position].value] = nil
        entries[position].value = .null
        free.append(Int32(truncatingIfNeeded: position))
    }

    subscript(word: UInt64) -> TraitValue { entries[Int(truncatingIfNeeded: word)].value }

    /// How many values are held.
    var count: Int { entries.count - free.count }

    /// Reference counts by word, for the invariants.
    var referenceCounts: [UInt64: Int] {
        var counts: [UInt64: Int] = [:]
        for (position, entry) in entries.enumerated() where entry.references > 0 {
            counts[UInt64(position)] = entry.references
        }
        return counts
    }
}
