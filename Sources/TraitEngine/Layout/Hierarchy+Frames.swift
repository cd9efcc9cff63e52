// Frames: what nodes of a layout hierarchy show, immutable and shared.

extension Hierarchy {
    // MARK: - Making

    /// The frame that follows from the node's inputs and its trait parent's frame: the node's present frame
    /// when nothing differs. The caller owns the reference.
    func freshFrame(_ node: Int32, _ layout: LayoutState) -> Int32 {
        let above = loadValues(node, layout)
        defer { releaseLimited() }
        let old = layout.nodes[node].shown
        if transaction.entries.isEmpty {
            let frame = showSame(old, above, layout) ? old : above
            retainFrame(frame)
            return frame
        }
        if isFrame(old, of: node, layout), holdsScratch(old),
            showSame(parts.records[old].above, above, layout)
        {
            retainFrame(old)
            return old
        }
        return makeFrame(node, above, layout)
    }

    /// Whether a node shows what its inputs give. O(values).
    func showsItsValues(_ node: Int32, _ layout: LayoutState) -> Bool {
        let above = loadValues(node, layout)
        defer { releaseLimited() }
        let shown = layout.nodes[node].shown
        if transaction.entries.isEmpty { return showSame(shown, above, layout) }
        return isFrame(shown, of: node, layout) && holdsScratch(shown)
            && showSame(parts.records[shown].above, above, layout)
    }

    /// Whether two frames and those above them hold the same values of the same nodes. Two frames
    /// can be equal when a change between them was reverted. O(1) for frames that differ; for
    /// others O(frames above that they do not share), once until a frame is freed.
    func showSame(_ one: Int32, _ other: Int32, _ layout: LayoutState) -> Bool {
        if one == other { return true }
        if one == 0 || other == 0
            || parts.records[one].digest != parts.records[other].digest
        {
            return false
        }
        var (left, right) = (one, other)
        while left != right, layout.caches.sameFrames != (left, right) {
            if left == 0 || right == 0 || !holdSame(left, right) { return false }
            (left, right) = (parts.records[left].above, parts.records[right].above)
        }
        layout.caches.sameFrames = (one, other)
        return true
    }

    /// Whether two frames hold the same values of the same node, whatever is above them.
    func holdSame(_ one: Int32, _ other: Int32) -> Bool {
        if parts.records[one].node != parts.records[other].node
            || parts.records[one].serial != parts.records[other].serial
        {
            return false
        }
        var (left, right) = (ContiguousArray<RecordEntry>(), ContiguousArray<RecordEntry>())
        recordReader.entries(one, into: &left)
        recordReader.entries(other, into: &right)
        return left == right
    }

    /// Loads what the node sets itself into `transaction.entries`; answers the frame above.
    func loadValues(_ node: Int32, _ layout: LayoutState) -> Int32 {
        let parent = parts.nodes.parent(of: node)
        let above = parent > 0 ? layout.nodes[parent].shown : 0
        transaction.entries.removeAll(keepingCapacity: true)
        let record = recordIndex(of: node)
        if record >= 0 { recordReader.entries(record, into: &transaction.entries) }
        if !parts.contentLimits.isEmpty {
            loadLimited(node, frameWord(contentSizeTrait, above))
        }
        return above
    }

    func holdsScratch(_ frame: Int32) -> Bool {
        var entries: ContiguousArray<RecordEntry> = []
        entries.reserveCapacity(transaction.entries.count)
        recordReader.entries(frame, into: &entries)
        return entries == transaction.entries
    }

    /// Makes a frame of `transaction.entries`.
    ///
    /// - Parameter gone: the serial of a reclaimed node whose name is stored; `node` is 0 then.
    func makeFrame(
        _ node: Int32, _ above: Int32, _ layout: LayoutState, gone: UInt64? = nil
    ) -> Int32 {
        let serial = gone ?? layout.nodes[node].serial
        let digest = digest(
            ofFrameOf: transaction.entries, owner: ownerHash(node, serial, layout),
            above: frameDigest(above))
        // A depth that is too small, beyond any tree's, only makes comparing slower.
        let frame = parts.records.makeFrame(
            node, above: above, serial: serial, depth: frameDepth(above) + 1, digest,
            transaction.entries)
        retainFrame(above)
        for entry in transaction.entries {
            if parts.traits.isPooled(entry.trait) {
                parts.pool.retain(entry.word)
            }
            parts.traits.countShown(entry.trait, 1)
        }
        layout.nodes.countFrame(of: node, serial, 1)
        return frame
    }

    // MARK: - References

    func retainFrame(_ frame: Int32) {
        if frame > 0 { parts.records.retainFrame(frame) }
    }

    /// Releases a frame, and those above that only it referred to.
    func releaseFrame(_ start: Int32, _ layout: LayoutState) {
        var frame = start
        while frame > 0 {
            if !parts.records.releaseFrame(frame) { return }
            let above = parts.records[frame].above
            freeFrame(frame, layout)
            frame = above
        }
    }

    private func freeFrame(_ frame: Int32, _ layout: LayoutState) {
        var entries: ContiguousArray<RecordEntry> = []
        recordReader.entries(frame, into: &entries)
        for entry in entries {
            if parts.traits.isPooled(entry.trait) {
                parts.pool.release(entry.word)
            }
            parts.traits.countShown(entry.trait, -1)
        }
        layout.caches.sameFrames = (0, 0)
        layout.nodes.countFrame(of: parts.records[frame].node, parts.records[frame].serial, -1)
        parts.records.free(frame)
        layout.caches.forget(frame)
    }

    // MARK: - Owners

    /// Stores the name of a deleted node that frames refer to: the node is about to lose it.
    func rememberName(of node: Int32) {
        guard let layout, layout.nodes[node].frames > 0 else { return }
        layout.nodes.storeName(of: node, parts.nodes.names.string(of: node))
    }

    /// The name of a deleted node whose values are still shown. O(length).
    public func identifier(of deleted: DeletedNode) -> String {
        layout?.nodes.goneName(deleted.serial) ?? parts.nodes.names.string(of: deleted.node)
    }

    /// The node whose values a frame holds, when it has been deleted.
    func deletedNode(of frame: Int32, _ layout: LayoutState) -> DeletedNode? {
        if frameNode(frame, layout) > 0 { return nil }
        return DeletedNode(
            node: parts.records[frame].node, serial: parts.records[frame].serial)
    }

    /// Where a value in a frame comes from.
    func source(
        inFrame frame: Int32, _ layer: Layer, _ revision: Int64, _ layout: LayoutState
    ) -> Source {
        Source(
            kind: layer, node: Self.handle(frameNode(frame, layout)), revision: revision,
            deletedNode: deletedNode(of: frame, layout))
    }

    // MARK: - Reading

    /// 0 for the frame of the defaults.
    func frameDepth(_ frame: Int32) -> Int {
        frame == 0 ? 0 : parts.records[frame].depth
    }

    /// Whether the frame holds the node's own values; not those of a node that once had its index.
    func isFrame(_ frame: Int32, of node: Int32, _ layout: LayoutState) -> Bool {
        frame > 0 && parts.records[frame].node == node
            && parts.records[frame].serial == layout.nodes[node].serial
    }

    /// The node whose values a frame holds; 0 when it has been deleted since.
    func frameNode(_ frame: Int32, _ layout: LayoutState) -> Int32 {
        let node = parts.records[frame].node
        return isFrame(frame, of: node, layout) && !parts.nodes[node].flags.contains(.dead)
            ? node : 0
    }

    /// The nearest frame that has the trait, from this one up; -1 for none.
    func locate(_ trait: UInt16, inFrame start: Int32) -> Int32 {
        let reader = recordReader
        let bit = foldedBit(trait)
        var frame = start
        while frame > 0 {
            let record = reader.records.pointer(frame)
            if record.pointee.mask & bit != 0, reader.holds(record, trait) { return frame }
            if record.pointee.traitsAbove & bit == 0 { return -1 }
            frame = record.pointee.above
        }
        return -1
    }

    /// All traits that a frame and those above it set and that are still defined, holders of
    /// environment values among them.
    func traits(inFrame start: Int32) -> TraitSet {
        var set = TraitSet()
        var frame = start
        let reader = recordReader
        while frame > 0 {
            set.formUnion(reader.traits(frame))
            frame = parts.records[frame].above
        }
        set.formIntersection(definitions.settable.union(definitions.hidden))
        return set
    }

    // MARK: - Comparing

    /// The traits that read differently in two frames, each handed over with its words, by trait.
    /// O(frames above that they do not share, traits set there).
    func compareFrames(
        _ old: Int32, _ new: Int32, _ body: (_ trait: UInt16, _ old: UInt64, _ new: UInt64) -> Void
    ) {
        var (left, right) = (old, new)
        var candidates = TraitSet()
        let reader = recordReader
        while left != right {
            let (depth, other) = (frameDepth(left), frameDepth(right))
            if depth >= other {
                candidates.formUnion(reader.traits(left))
                left = reader.records[left].above
            }
            if other >= depth {
                candidates.formUnion(reader.traits(right))
                right = reader.records[right].above
            }
        }
        for trait in candidates where definitions.definition(at: trait) != nil {
            let before = frameWord(trait.rawValue, old)
            let after = frameWord(trait.rawValue, new)
            if before != after { body(trait.rawValue, before, after) }
        }
    }

    func frameWord(_ trait: UInt16, _ frame: Int32) -> UInt64 {
        let found = locate(trait, inFrame: frame)
        return found < 0
            ? parts.traits[trait].defaultWord : recordReader.word(found, trait)
    }

    func changedTraits(_ old: Int32, _ new: Int32) -> TraitSet {
        var changed = TraitSet()
        compareFrames(old, new) { trait, _, _ in changed.insert(TraitIndex(rawValue: trait)) }
        return changed.subtracting(definitions.hidden)
    }
}
