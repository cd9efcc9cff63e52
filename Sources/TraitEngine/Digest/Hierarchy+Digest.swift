// Keeping the digest: what changes a fact takes the old one out of the sums and adds the new one.
// Undoing restores the sums that were there before, so nothing that undoes a change counts facts.

extension Hierarchy {
    /// The digest of the present state; within a transaction that of its operations so far. Follows
    /// from names, values, order and revisions: not from indices, hash seeds, watches, caches, nor
    /// from when something was acknowledged or reclaimed. O(1), and O(definitions) once after they
    /// changed.
    package var digest: StateDigest {
        let definitions = definitionSums ?? definitionsDigest()
        definitionSums = definitions
        return total(sums, definitions)
    }

    private func total(_ sums: StateDigest, _ definitions: StateDigest) -> StateDigest {
        var digest = sums
        digest.add(definitions)
        digest.full &+= FactHash.mix(
            FactHash.start(.revision), UInt64(bitPattern: revision))
        return digest
    }

    /// The same from every fact there is, for the invariants. O(everything).
    package func recomputedDigest() -> StateDigest {
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
        for scope in scopesInOrderOfMaking() {
            sums.add(scopeFact(scope))
            sums.add(scopeOrderFact(scope, behind: earlier))
            earlier = scope
        }
        return total(sums, definitionsDigest())
    }

    /// Everything that is said of a node whose name has that hash, but its place among its
    /// siblings. O(values of the node).
    @inline(__always)
    func ownFacts(of node: Int32, _ name: UInt64) -> StateDigest {
        var facts = nodeFact(node, name)
        let record = recordIndex(of: node)
        if record >= 0, records[record].mask != 0 {
            entryScratch.removeAll(keepingCapacity: true)
            recordReader.entries(record, into: &entryScratch)
            for entry in entryScratch {
                facts.add(
                    valueFact(name, entry.trait, entry.layer, entry.word, entry.revision))
            }
        }
        if let layout { facts.add(shownFact(node, name, layout)) }
        if !contentLimits.isEmpty, let fact = contentSizeFact(node) { facts.add(fact) }
        return facts
    }

    // MARK: - Values

    /// A value of the node was replaced, added or removed.
    @inline(__always)
    func countChange(
        _ node: Int32, _ trait: UInt16, _ layer: Layer, from old: StoredValue?,
        to new: StoredValue?
    ) {
        let name = nameHash(node)
        if let old { sums.remove(valueFact(name, trait, layer, old.word, old.revision)) }
        if let new { sums.add(valueFact(name, trait, layer, new.word, new.revision)) }
    }

    // MARK: - Places

    /// Counts what `nodeFact` and `orderFact` say of a new node, without reading its name back:
    /// what was written just now, and of a large tree lies in no cache, would hold up the next one.
    @inline(__always)
    func countNew(
        _ node: Int32, _ name: UInt64, _ kind: NodeKind, behind previous: Int32, below parent: Int32
    ) {
        let before =
            previous < 0
            ? nameHash(parent) : previous == newest.node ? newest.name : nameHash(previous)
        let start = FactHash.start(.order) &+ (previous < 0 ? 1 : 0)
        sums.add(
            StateDigest(fact: FactHash.mix(FactHash.start(.node) &+ UInt64(kind.rawValue), name)))
        sums.add(StateDigest(fact: FactHash.mix(FactHash.mix(start, name), before)))
        newest = (node, name)
    }

    /// Makes a change of what `nodeFact` says.
    @inline(__always)
    func changingFact(of node: Int32, _ change: () -> Void) {
        sums.remove(nodeFact(node))
        change()
        sums.add(nodeFact(node))
    }

    /// Makes a change of what the node shows, or of its marks.
    @inline(__always)
    func changingShown(_ node: Int32, _ layout: LayoutState, _ change: () -> Void) {
        sums.remove(shownFact(node, layout))
        change()
        sums.add(shownFact(node, layout))
    }

    /// Frames forget or know again the values of a trait that was deleted or is back.
    func changeFrameDigests(countsNodes: Bool) {
        guard let layout else { return }
        let nodes = countsNodes ? livingNodes : []
        for node in nodes { sums.remove(shownFact(node, layout)) }
        refreshFrameDigests()
        for node in nodes { sums.add(shownFact(node, layout)) }
    }

    // MARK: - Scopes

    /// Scopes in the order in which they were first set. O(n log n).
    func scopesInOrderOfMaking() -> [Int32] {
        (0..<Int32(truncatingIfNeeded: scopeCells.slotCount))
            .compactMap { slot in scopeCells[slot].map { (slot, $0) } }
            .filter { $0.1.isAlive }
            .sorted { $0.1.order < $1.1.order }.map(\.0)
    }

    /// Puts a scope behind an earlier one, -1 for none, into the list of all; counts it.
    func enlistScope(_ index: Int32, behind earlier: Int32) {
        indexScope(index)
        while scopeLinks.count <= Int(index) { _ = scopeLinks.append(ScopeLink()) }
        let later = earlier < 0 ? firstScope : scopeLinks[earlier].later
        if later >= 0 { sums.remove(scopeOrderFact(later, behind: earlier)) }
        scopeLinks[index] = ScopeLink(earlier: earlier, later: later)
        if earlier < 0 { firstScope = index } else { scopeLinks[earlier].later = index }
        if later < 0 { lastScope = index } else { scopeLinks[later].earlier = index }
        if later >= 0 { sums.add(scopeOrderFact(later, behind: index)) }
        sums.add(scopeOrderFact(index, behind: earlier))
        sums.add(scopeFact(index))
    }

    /// Takes a scope out of the list; answers the one before it.
    @discardableResult
    func delistScope(_ index: Int32) -> Int32 {
        unindexScope(index)
        let link = scopeLinks[index]
        sums.remove(scopeFact(index))
        sums.remove(scopeOrderFact(index, behind: link.earlier))
        if link.later >= 0 { sums.remove(scopeOrderFact(link.later, behind: index)) }
        if link.earlier < 0 {
            firstScope = link.later
        } else {
            scopeLinks[link.earlier].later = link.later
        }
        if link.later < 0 {
            lastScope = link.earlier
        } else {
            scopeLinks[link.later].earlier = link.earlier
            sums.add(scopeOrderFact(link.later, behind: link.earlier))
        }
        return link.earlier
    }
}

/// Neighbours among all scopes, in the order in which they were first set.
struct ScopeLink: BitwiseCopyable {
    var earlier: Int32 = -1
    var later: Int32 = -1
}
