// Keeping the digest: code that changes a fact removes the old fact from the sums and adds the new.
// Undoing restores the sums that were there before, so nothing that undoes a change counts facts.

extension Hierarchy {
    /// The digest of the present state; within a transaction that of its operations so far. Follows
    /// from names, values, order and revisions: not from indices, hash seeds, watches, caches, nor
    /// from when something was acknowledged or reclaimed. O(1), and O(definitions) once after they
    /// changed.
    package var digest: StateDigest {
        let definitions = parts.digest.definitions ?? definitionsDigest()
        parts.digest.setDefinitions(definitions)
        return total(parts.digest.sums, definitions)
    }

    private func total(_ sums: StateDigest, _ definitions: StateDigest) -> StateDigest {
        var digest = sums
        digest.add(definitions)
        digest.full &+= FactHash.mix(
            FactHash.start(.revision), UInt64(bitPattern: revision))
        return digest
    }

    /// The digest computed from every fact there is, for the invariants. O(everything).
    package func recomputedDigest() -> StateDigest { total(recomputedSums(), definitionsDigest()) }

    /// The sums of all facts but those of definitions and of the revision. O(everything).
    func recomputedSums() -> StateDigest {
        var sums = StateDigest()
        for node in livingNodes {
            let name = nameHash(node)
            sums.add(ownFacts(of: node, name))
            sums.add(orderFact(node, name))
        }
        for registration in registrations() {
            sums.add(registrationFact(registration.rawValue))
            sums.add(registrationOrderFact(registration.rawValue))
        }
        var earlier: Int32 = -1
        for scope in parts.scopes.inOrder {
            sums.add(scopeFact(scope))
            sums.add(scopeOrderFact(scope, behind: earlier))
            earlier = scope
        }
        return sums
    }

    /// All facts of a node whose name has the hash `name`, except its place among its siblings.
    /// O(values of the node).
    @inline(__always)
    func ownFacts(of node: Int32, _ name: UInt64) -> StateDigest {
        var facts = nodeFact(node, name)
        let record = recordIndex(of: node)
        if record >= 0, parts.records[record].mask != 0 {
            transaction.entries.removeAll(keepingCapacity: true)
            recordReader.entries(record, into: &transaction.entries)
            for entry in transaction.entries {
                facts.add(
                    valueFact(name, entry.trait, entry.layer, entry.word, entry.revision))
            }
        }
        if let layout { facts.add(shownFact(node, name, layout)) }
        if !parts.contentLimits.isEmpty, let fact = contentSizeFact(node) { facts.add(fact) }
        return facts
    }

    /// A value of the node was replaced, added or removed.
    @inline(__always)
    func countChange(
        _ node: Int32, _ trait: UInt16, _ layer: Layer, from old: StoredValue?,
        to new: StoredValue?
    ) {
        let name = nameHash(node)
        if let old {
            parts.digest.remove(valueFact(name, trait, layer, old.word, old.revision))
        }
        if let new { parts.digest.add(valueFact(name, trait, layer, new.word, new.revision)) }
    }

    /// Makes a change of what `nodeFact` says.
    @inline(__always)
    func changingFact(of node: Int32, _ change: () -> Void) {
        parts.digest.remove(nodeFact(node))
        change()
        parts.digest.add(nodeFact(node))
    }

    /// Makes a change of what the node shows, or of its marks.
    @inline(__always)
    func changingShown(_ node: Int32, _ layout: LayoutState, _ change: () -> Void) {
        parts.digest.remove(shownFact(node, layout))
        change()
        parts.digest.add(shownFact(node, layout))
    }

    /// Recomputes the digests of frames after a trait was deleted or its deletion undone.
    func changeFrameDigests(countsNodes: Bool) {
        guard let layout else { return }
        let nodes = countsNodes ? livingNodes : []
        for node in nodes { parts.digest.remove(shownFact(node, layout)) }
        refreshFrameDigests()
        for node in nodes { parts.digest.add(shownFact(node, layout)) }
    }
}
