// The changes that wait for iteration. Bounded, so that a loop that is slow or never runs costs little memory.

/// A queue of changes. Beyond its capacity, in changes or in bytes, the oldest two changes of a pair merge into one, so
/// the queue has at most ``capacity`` changes of ``bytesMax``, or one for each pair if these are more. Applied one after
/// the other, its changes always give the newest values.
package struct ChangeQueue: Sendable {
    private struct Pair: Hashable, Sendable {
        let node: String
        let trait: String
    }
    private struct Entry: Sendable {
        var change: TraitChange
        let bytes: Int
        /// The neighbours in the queue.
        var before: Int?
        var after: Int?
        /// The next change of the same pair.
        var successor: Int?
    }

    package let capacity: Int
    package let bytesMax: Int
    private var bytes = 0
    /// Changes by their number, linked in their order.
    private var entries: [Int: Entry] = [:]
    private var first: Int?
    private var last: Int?
    private var newest: [Pair: Int] = [:]
    private var number = 0
    /// No change before this one has a successor.
    private var cursor = 0

    package init(capacity: Int = 10_000, bytesMax: Int = 64 << 20) {
        (self.capacity, self.bytesMax) = (capacity, bytesMax)
    }

    package var count: Int { entries.count }

    /// Complexity: O(1) amortized while the queue is full or is not read, and O(n) in the bytes of the values.
    package mutating func append(_ change: TraitChange) {
        let pair = Pair(node: change.node, trait: change.trait)
        let predecessor = newest[pair]
        // The previous value is that of the change before, which has counted it.
        let size = change.current?.canonicalBytes.count ?? 0
        entries[number] = Entry(change: change, bytes: size, before: last)
        bytes += size
        if let last { entries[last]?.after = number } else { first = number }
        (last, newest[pair]) = (number, number)
        if let predecessor {
            entries[predecessor]?.successor = number
            cursor = min(cursor, predecessor)
        }
        number += 1
        while entries.count > capacity || bytes > bytesMax, mergeOldest() {}
    }

    /// Takes the oldest change. Complexity: O(1).
    package mutating func popFirst() -> TraitChange? {
        guard let first, let entry = entries[first] else { return nil }
        remove(first, entry)
        return entry.change
    }

    private mutating func remove(_ number: Int, _ entry: Entry) {
        entries[number] = nil
        bytes -= entry.bytes
        if let before = entry.before {
            entries[before]?.after = entry.after
        } else {
            first = entry.after
        }
        if let after = entry.after {
            entries[after]?.before = entry.before
        } else {
            last = entry.before
        }
        let pair = Pair(node: entry.change.node, trait: entry.change.trait)
        if newest[pair] == number { newest[pair] = nil }
        if cursor == number { cursor = entry.after ?? self.number }
    }

    /// Merges the oldest change that has a successor into that one, and drops both if nothing is left of them. False if
    /// no change has a successor.
    private mutating func mergeOldest() -> Bool {
        while let entry = entries[cursor] {
            guard let successor = entry.successor, let later = entries[successor] else {
                cursor = entry.after ?? number
                continue
            }
            remove(cursor, entry)
            let merged = TraitChange(
                node: later.change.node, trait: later.change.trait,
                previous: entry.change.previous, current: later.change.current,
                revision: later.change.revision)
            entries[successor]?.change = merged
            if merged.previous?.canonical == merged.current?.canonical,
                let dropped = entries[successor]
            {
                remove(successor, dropped)
            }
            return true
        }
        return false
    }
}
