// The facts that the state of nodes consists of, each as its hash. Names stand for nodes and
// traits, so no index, hash seed or order of allocation enters.

extension Hierarchy {
    /// The hash of a node's name; 0 above the roots and for none. O(length).
    @inline(__always)
    func nameHash(_ node: Int32) -> UInt64 {
        node > 0 ? parts.nodes.names.withBytes(of: node) { FactHash.hash($0) } : 0
    }

    /// The node with its kind, label and controller, and its structural parent if that is not the
    /// trait parent, which is part of the order fact.
    func nodeFact(_ node: Int32) -> StateDigest { nodeFact(node, nameHash(node)) }

    /// The fact of a node whose name has the hash `name`, which is then computed once for several facts.
    @inline(__always)
    func nodeFact(_ node: Int32, _ name: UInt64) -> StateDigest {
        let link = parts.nodes[node]
        var hash = FactHash.mix(FactHash.start(.node) &+ UInt64(link.kind.rawValue), name)
        if link.extra >= 0 {
            let extra = parts.nodes.extra(at: link.extra)
            if let label = parts.nodes.label(at: extra.label) {
                hash = FactHash.mix(hash, FactHash.mix(1, FactHash.hash(label)))
            }
            if link.flags.contains(.bridged) {
                hash = FactHash.mix(hash, FactHash.mix(2, nameHash(extra.structuralParent)))
            }
            if link.kind == .view, extra.peer >= 0 {
                hash = FactHash.mix(hash, FactHash.mix(3, nameHash(extra.peer)))
            }
        }
        return StateDigest(fact: hash)
    }

    /// The node and the sibling before it, or its trait parent when it is the first child.
    @inline(__always)
    func orderFact(_ node: Int32) -> StateDigest { orderFact(node, nameHash(node)) }

    /// The fact of a node whose name has the hash `name`, which is then computed once for several facts.
    @inline(__always)
    func orderFact(_ node: Int32, _ name: UInt64) -> StateDigest {
        let previous = parts.nodes[node].previous
        let before = previous < 0 ? parts.nodes.parent(of: node) : previous
        let start = FactHash.start(.order) &+ (previous < 0 ? 1 : 0)
        return StateDigest(fact: FactHash.mix(FactHash.mix(start, name), nameHash(before)))
    }

    /// The hash of a value; words of the pool stand for what they refer to.
    @inline(__always)
    func wordHash(_ word: UInt64, _ trait: UInt16) -> UInt64 {
        parts.traits.isPooled(trait)
            ? hash(parts.pool[word], as: parts.traits[trait].hashed) : word
    }

    /// The hash of a value, whose word would be plain by another coding than the pool's.
    @inline(__always)
    func hash(_ value: TraitValue, as coding: ValueCoding) -> UInt64 {
        coding == .pooled ? FactHash.hash(value) : Self.plainWord(value, coding)
    }

    @inline(__always)
    func valueFact(
        _ name: UInt64, _ trait: UInt16, _ layer: Layer, _ word: UInt64, _ revision: Int64
    ) -> StateDigest {
        valueFact(name, trait, layer, hash: wordHash(word, trait), revision)
    }

    @inline(__always)
    func valueFact(
        _ name: UInt64, _ trait: UInt16, _ layer: Layer, hash: UInt64, _ revision: Int64
    ) -> StateDigest {
        let place = FactHash.mix(
            name &+ FactHash.start(.value) &+ UInt64(layer.rawValue),
            parts.traits.hash(of: trait))
        return StateDigest(
            fact: FactHash.mix(place, hash), revision: revision)
    }

    /// The node's frame and its marks. Whether a child has not seen its parent's new frame is no part of
    /// the fact: it follows from the parent's mark and from the child's frame.
    func shownFact(_ node: Int32, _ layout: LayoutState) -> StateDigest {
        shownFact(node, nameHash(node), layout)
    }

    /// The fact of a node whose name has the hash `name`, which is then computed once for several facts.
    func shownFact(_ node: Int32, _ name: UInt64, _ layout: LayoutState) -> StateDigest {
        let cell = layout.nodes[node]
        let marks = UInt64(cell.flags.intersection(.state).rawValue)
        let place = FactHash.mix(FactHash.start(.shown) &+ marks, name)
        let shown = frameDigest(cell.shown)
        return StateDigest(
            full: FactHash.mix(place, shown.full),
            content: FactHash.mix(place, shown.content))
    }

    func contentSizeFact(_ node: Int32) -> StateDigest? {
        guard let limits = parts.contentLimits[node] else { return nil }
        let ranks =
            UInt64(UInt32(bitPattern: limits.minimum)) << 32
            | UInt64(UInt32(bitPattern: limits.maximum))
        return StateDigest(
            fact: FactHash.mix(
                FactHash.mix(FactHash.start(.contentSize), nameHash(node)), ranks),
            revision: limits.revision)
    }

    // MARK: - Frames

    /// The digest of what a frame shows, which is stored with the frame; 0 for the defaults.
    @inline(__always)
    func frameDigest(_ frame: Int32) -> StateDigest {
        frame > 0 ? parts.records[frame].digest : StateDigest()
    }

    /// The frame's own values that are defined, whose they are, and the digest of the frame above:
    /// a frame none of whose traits is left shows what the frame above shows. O(values).
    func freshDigest(ofFrame frame: Int32, above: StateDigest) -> StateDigest {
        var entries: ContiguousArray<RecordEntry> = []
        recordReader.entries(frame, into: &entries)
        let owner = layout.map {
            ownerHash(parts.records[frame].node, parts.records[frame].serial, $0)
        }
        return digest(ofFrameOf: entries, owner: owner ?? 0, above: above)
    }

    /// The hash of the name of the node whose values a frame holds, deleted or not. O(length).
    func ownerHash(_ node: Int32, _ serial: UInt64, _ layout: LayoutState) -> UInt64 {
        if layout.nodes[node].serial == serial { return nameHash(node) }
        return layout.nodes.goneName(serial).map { FactHash.hash($0) } ?? 0
    }

    func digest(
        ofFrameOf entries: ContiguousArray<RecordEntry>, owner: UInt64, above: StateDigest
    ) -> StateDigest {
        var sum = StateDigest()
        var count: UInt64 = 0
        for entry in entries
        where definitions.definition(at: TraitIndex(rawValue: entry.trait)) != nil {
            let place = FactHash.mix(
                FactHash.start(.frameValue) &+ UInt64(entry.layer.rawValue),
                parts.traits.hash(of: entry.trait))
            sum.add(
                StateDigest(
                    fact: FactHash.mix(place, wordHash(entry.word, entry.trait)),
                    revision: entry.revision))
            count += 1
        }
        if count == 0 { return above }
        let start = FactHash.mix(FactHash.start(.frame) &+ count, owner)
        return StateDigest(
            full: FactHash.mix(FactHash.mix(start, sum.full), above.full),
            content: FactHash.mix(FactHash.mix(start, sum.content), above.content))
    }

    /// Every frame's digest by frame, from its values. O(frames and their values).
    func freshFrameDigests() -> [Int32: StateDigest] {
        var known: [Int32: StateDigest] = [:]
        for record in parts.records.indices.dropFirst()
        where parts.records[record].flags.contains(.frame) {
            var open: [Int32] = []
            var frame = record
            while frame > 0, known[frame] == nil {
                open.append(frame)
                frame = parts.records[frame].above
            }
            while let next = open.popLast() {
                let above = parts.records[next].above
                known[next] = freshDigest(
                    ofFrame: next, above: above > 0 ? known[above] ?? .init() : .init())
            }
        }
        return known
    }

    /// A trait of which frames hold values went or came back. O(frames).
    func refreshFrameDigests() {
        for (frame, digest) in freshFrameDigests() { parts.records.setDigest(frame, digest) }
    }
}
