// Kept values: a tree that becomes detached keeps what it inherited last.

extension Hierarchy {
    /// UIKit leaves a detached object the collection it had. What the root of a detached tree
    /// inherited before the transaction is pinned there, below its own inputs; a node that gets
    /// a trait parent again inherits from it alone.
    func updateKeptValues() {
        for position in 0..<transaction.journal.touched.count {
            let before = transaction.journal.touched[position]
            let node = before.node
            if parts.nodes[node].flags.contains(.dead) || isRootKind(node) { continue }
            let isDetachedRoot = parts.nodes.parent(of: node) == 0
            let wasDetachedRoot = before.traitParent == 0
            if isDetachedRoot == wasDetachedRoot { continue }
            if isDetachedRoot {
                keep(inheritedBefore(before.traitParent), at: node)
            } else {
                dropKeptValues(at: node)
            }
        }
        // New nodes are not touched ones: a prediction goes when the node inherits by now.
        for node in transaction.lists.predicted
        where parts.nodes.parent(of: node) != 0 && !parts.nodes[node].flags.contains(.dead) {
            dropKeptValues(at: node)
        }
    }

    private func inheritedBefore(_ parent: Int32) -> [(trait: UInt16, word: UInt64)] {
        let traits = inherited(from: parent, .max, asBefore: true)
        return traits.map { ($0.rawValue, notifying.before[Int($0.rawValue)]) }
    }

    func keep(_ values: [(trait: UInt16, word: UInt64)], at node: Int32) {
        for (trait, word) in values
        where definitions.definition(at: TraitIndex(rawValue: trait)) != nil
            && storedValue(node, trait, .kept) == nil
        {
            guard let word = keptWord(word, trait) else { continue }
            let new = StoredValue(word: word, revision: revision + 1)
            change(node, trait, .kept, from: nil, to: new)
        }
    }

    func dropKeptValues(at node: Int32) {
        let record = recordIndex(of: node)
        if record < 0 { return }
        var entries: ContiguousArray<RecordEntry> = []
        recordReader.entries(record, into: &entries)
        for entry in entries where entry.layer == .kept {
            let old = StoredValue(word: entry.word, revision: entry.revision)
            change(node, entry.trait, .kept, from: old, to: nil)
        }
    }
}
