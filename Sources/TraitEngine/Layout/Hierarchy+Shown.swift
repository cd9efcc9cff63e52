// Reading what nodes of a layout hierarchy show: the same questions as elsewhere, answered from
// frames instead of the present inputs.

extension Hierarchy {
    /// Gathers from the frames that a node shows.
    func gatherShown(_ gathering: Gathering, at node: Int32, _ layout: LayoutState) {
        let reader = recordReader
        var wanted = gathering.folded
        var frame = layout.nodes[node].shown
        while frame > 0, wanted != 0 {
            let record = reader.records.pointer(frame)
            if record.pointee.mask & wanted != 0 { wanted = gathering.take(frame, reader) }
            if record.pointee.traitsAbove & wanted == 0 { return }
            frame = record.pointee.above
        }
    }

    /// The collection that a node shows. O(depth) in an immediate hierarchy; in a layout hierarchy
    /// O(traits) once, then shared by all nodes that show the same.
    public func shownCollection(of node: NodeIndex) -> TraitCollection {
        if let layout { return collection(ofFrame: layout.nodes[node.rawValue].shown, layout) }
        let specified = specifiedTraits(at: node).intersection(definitions.settable)
        var values: [TraitIndex: TraitValue] = [:]
        self.values(of: specified, at: node) { values[$0] = $1 }
        return TraitCollection(definitions: definitions, resolved: values)
    }

    /// The traits whose shown values differ at two nodes. Compares words, so the length of a value does not count.
    /// O(depth, traits that either node specifies).
    public func changedTraits(at node: NodeIndex, from other: NodeIndex) -> TraitSet {
        let traits = specifiedTraits(at: node).union(specifiedTraits(at: other))
            .intersection(definitions.settable)
        var shown: [UInt64] = []
        words(of: traits, at: node) { shown.append($1) }
        var (changed, position) = (TraitSet(), 0)
        words(of: traits, at: other) {
            if $1 != shown[position] { changed.insert($0) }
            position += 1
        }
        return changed
    }

    func collection(ofFrame frame: Int32, _ layout: LayoutState) -> TraitCollection {
        if let known = layout.caches.collection(ofFrame: frame) { return known }
        var values: [TraitIndex: TraitValue] = [:]
        for trait in traits(inFrame: frame).intersection(definitions.settable) {
            let found = locate(trait.rawValue, inFrame: frame)
            values[trait] = value(from: recordReader.word(found, trait.rawValue), of: trait)
        }
        let collection = TraitCollection(definitions: definitions, resolved: values)
        if frame > 0 { layout.caches.store(collection, ofFrame: frame) }
        return collection
    }

    // MARK: - Sources

    /// The trait's word that a node shows and what decided it. O(frames above), for a node in a
    /// detached tree O(depth).
    func shownValue(
        _ trait: UInt16, _ node: Int32, _ layout: LayoutState
    ) -> (word: UInt64, source: Source) {
        let found = locate(trait, inFrame: layout.nodes[node].shown)
        if found < 0 { return (parts.traits[trait].defaultWord, .default) }
        let (value, layer) = recordReader.effective(found, trait)
        let root = isFrame(found, of: node, layout) ? 0 : detachedRoot(of: node)
        if root > 0, !inherits(node, from: found, layout) {
            return (
                value.word,
                Source(
                    kind: .kept, node: NodeIndex(rawValue: root),
                    revision: keptRevision(root, trait, value.word))
            )
        }
        return (value.word, source(inFrame: found, layer, value.revision, layout))
    }

    /// The root of the detached tree that a node is in; 0 when the node is attached. O(depth).
    private func detachedRoot(of node: Int32) -> Int32 {
        let root = traitRoot(of: NodeIndex(rawValue: node)).rawValue
        return isRootKind(root) ? 0 : root
    }

    /// Whether a frame is of the node or of one that it inherits from now. A detached tree that was
    /// not updated since still shows frames of nodes that it inherited from. O(depth).
    private func inherits(_ node: Int32, from frame: Int32, _ layout: LayoutState) -> Bool {
        var index = node
        while index > 0 {
            if isFrame(frame, of: index, layout) { return true }
            index = parts.nodes.parent(of: index)
        }
        return false
    }

    /// The node and those that it inherits from. O(depth).
    private func path(of node: Int32) -> Set<Int32> {
        var path: Set<Int32> = []
        var index = node
        while index > 0 {
            path.insert(index)
            index = parts.nodes.parent(of: index)
        }
        return path
    }

    /// The commit that detached the tree, if its root has kept that word.
    private func keptRevision(_ root: Int32, _ trait: UInt16, _ word: UInt64) -> Int64? {
        guard let kept = storedValue(root, trait, .kept), kept.word == word else { return nil }
        return kept.revision
    }

    /// The frames that set a trait, from the node up. Of those in a detached tree that are of nodes
    /// outside it only the nearest: `kept` is that one, as the tree's `root` keeps its value.
    private func framesSetting(
        _ trait: TraitIndex, shownBy node: Int32, _ layout: LayoutState
    ) -> (frames: [Int32], kept: Int32, root: Int32) {
        let root = detachedRoot(of: node)
        let path = root > 0 ? path(of: node) : []
        var frames: [Int32] = []
        var kept: Int32 = 0
        var frame = layout.nodes[node].shown
        while frame > 0 {
            defer { frame = parts.records[frame].above }
            if !recordReader.sets(frame, trait.rawValue) { continue }
            if root > 0, !path.contains(frameNode(frame, layout)) {
                if kept > 0 { continue }
                kept = frame
            }
            frames.append(frame)
        }
        return (frames, kept, root)
    }

    /// The steps of `chain(of:at:includeAbsent:)` without the default: the frames' values, and
    /// between them the nodes that the node inherits from now and that set nothing. O(depth).
    func shownEntries(
        of trait: TraitIndex, at node: Int32, includeAbsent: Bool, _ layout: LayoutState
    ) -> [ChainEntry] {
        let (frames, kept, root) = framesSetting(trait, shownBy: node, layout)
        let setters = Set(frames.map { $0 == kept ? root : frameNode($0, layout) })
        var chain: [ChainEntry] = []
        func append(_ frame: Int32) {
            if frame == kept {
                appendKept(trait, frame, root, to: &chain)
            } else {
                appendShown(trait, frame, to: &chain, layout)
            }
        }
        var next = 0
        var index = includeAbsent ? node : 0
        while index > 0 {
            if let position = frames[next...].firstIndex(where: { isFrame($0, of: index, layout) })
            {
                frames[next...position].forEach(append)
                next = position + 1
            } else if !setters.contains(index) {
                chain.append(
                    ChainEntry(
                        node: NodeIndex(rawValue: index), layer: .override, value: nil,
                        status: .absent, revision: nil))
            }
            index = parts.nodes.parent(of: index)
        }
        frames[next...].forEach(append)
        return chain
    }

    private func appendKept(
        _ trait: TraitIndex, _ frame: Int32, _ root: Int32, to chain: inout [ChainEntry]
    ) {
        let word = recordReader.word(frame, trait.rawValue)
        let isShadowed = chain.contains { $0.status == .winner }
        chain.append(
            ChainEntry(
                node: NodeIndex(rawValue: root), layer: .kept, value: value(from: word, of: trait),
                status: isShadowed ? .shadowed : .winner,
                revision: keptRevision(root, trait.rawValue, word)))
    }

    private func appendShown(
        _ trait: TraitIndex, _ frame: Int32, to chain: inout [ChainEntry], _ layout: LayoutState
    ) {
        var entries: ContiguousArray<RecordEntry> = []
        recordReader.entries(frame, into: &entries)
        for entry in entries where entry.trait == trait.rawValue {
            let isWinner = !chain.contains { $0.status == .winner }
            chain.append(
                ChainEntry(
                    node: Self.handle(frameNode(frame, layout)), layer: entry.layer,
                    value: value(from: entry.word, of: trait),
                    status: isWinner ? .winner : .shadowed, revision: entry.revision,
                    deletedNode: deletedNode(of: frame, layout)))
        }
    }

    /// A node that loses its trait parent keeps what it inherited when it was last updated.
    func keepShown(_ node: Int32, _ layout: LayoutState) {
        let shown = layout.nodes[node].shown
        let isOwn = isFrame(shown, of: node, layout)
        var kept: [UInt16: UInt64] = [:]
        let above = isOwn ? parts.records[shown].above : shown
        for trait in traits(inFrame: above) {
            let found = locate(trait.rawValue, inFrame: above)
            kept[trait.rawValue] = recordReader.word(found, trait.rawValue)
        }
        if isOwn {
            // It was the root of a detached tree before: its frame holds the kept values.
            var entries: ContiguousArray<RecordEntry> = []
            recordReader.entries(shown, into: &entries)
            for entry in entries where entry.layer == .kept { kept[entry.trait] = entry.word }
        }
        keep(kept.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, at: node)
    }
}
