// Reading the tree as it was before the open transaction: the same walks, with the journal's
// parents and values instead of the present ones. Deleted nodes are still there.

extension Hierarchy {
    /// The trait parent before the transaction.
    func parentBefore(_ node: Int32) -> Int32 {
        guard parts.nodes[node].flags.contains(.touched),
            let position = transaction.journal.position(of: node)
        else {
            return parts.nodes.parent(of: node)
        }
        return transaction.journal.touched[position].traitParent
    }

    /// The value that a node itself had before the transaction.
    func ownWordBefore(_ node: Int32, _ trait: UInt16) -> UInt64? {
        for layer in Layer.stored {
            if let relative = transaction.journal.value(node, trait, layer) {
                if let old = transaction.log.value(at: relative).old { return old.word }
            } else if let stored = storedValue(node, trait, layer) {
                return stored.word
            }
        }
        return nil
    }

    /// The traits whose values the transaction touched at a node.
    func traitsOfValues(_ touched: TouchedNode) -> TraitSet {
        var set = TraitSet()
        var relative = touched.firstValue
        while relative >= 0 {
            let entry = transaction.log.value(at: relative)
            set.insert(TraitIndex(rawValue: entry.trait))
            relative = entry.next
        }
        return set
    }

    /// The traits among `wanted` (folded) that some node from `start` up sets, or set before;
    /// their words go to `notifying.before` or `notifying.after`, by trait. O(depth).
    func inherited(from start: Int32, _ wanted: UInt64, asBefore: Bool) -> TraitSet {
        notifying.fit(parts.traits.indices.count)
        var found = TraitSet()
        let isExact = definitions.indexEnd <= 64
        let holding = definitions.settable.word | definitions.hidden.word
        let limit = isExact ? wanted & holding : 0
        var index = start
        while index > 0 {
            parts.nodes.levels.countWalked(1)
            let isTouched = asBefore && parts.nodes[index].flags.contains(.touched)
            collect(index, wanted, isTouched: isTouched, asBefore: asBefore, &found)
            if isExact, found.word & limit == limit { break }
            index = isTouched ? parentBefore(index) : parts.nodes.parent(of: index)
        }
        return found
    }

    private func collect(
        _ node: Int32, _ wanted: UInt64, isTouched: Bool, asBefore: Bool, _ found: inout TraitSet
    ) {
        let reader = recordReader
        let record = recordIndex(of: node)
        let hasValues = record >= 0 && reader.mask(record) & wanted != 0
        if !isTouched {
            if !hasValues { return }
            for trait in reader.traits(record) {
                if foldedBit(trait.rawValue) & wanted == 0 || !found.insert(trait) { continue }
                let word = reader.word(record, trait.rawValue)
                if asBefore {
                    notifying.before[Int(trait.rawValue)] = word
                } else {
                    notifying.after[Int(trait.rawValue)] = word
                }
            }
            return
        }
        var candidates =
            transaction.journal.position(of: node).map {
                traitsOfValues(transaction.journal.touched[$0])
            } ?? []
        if hasValues { candidates.formUnion(reader.traits(record)) }
        for trait in candidates
        where foldedBit(trait.rawValue) & wanted != 0 && !found.contains(trait) {
            guard let word = ownWordBefore(node, trait.rawValue) else { continue }
            found.insert(trait)
            notifying.before[Int(trait.rawValue)] = word
        }
    }
}
