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

    /// What a node shows, as a value. O(depth) in an immediate hierarchy; in a layout hierarchy
    /// O(traits) once, then shared by all nodes that show the same.
    public func shownCollection(of node: NodeIndex) -> TraitCollection {
        if let layout { return collection(ofFrame: layout.nodes[node.rawValue].shown, layout) }
        let specified = specifiedTraits(at: node).intersection(definitions.settable)
        var values: [TraitIndex: TraitValue] = [:]
        self.values(of: specified, at: node) { values[$0] = $1 }
        return TraitCollection(definitions: definitions, resolved: values)
    }

    func collection(ofFrame frame: Int32, _ layout: LayoutState) -> TraitCollection {
        if let known = layout.collections[frame] { return known }
        var values: [TraitIndex: TraitValue] = [:]
        for trait in traits(inFrame: frame).intersection(definitions.settable) {
            let found = locate(trait.rawValue, inFrame: frame)
            values[trait] = value(from: recordReader.word(found, trait.rawValue), of: trait)
        }
        let collection = TraitCollection(definitions: definitions, resolved: values)
        if layout.collections.count >= LayoutState.collectionsMax { layout.collections = [:] }
        if frame > 0 { layout.collections[frame] = collection }
        return collection
    }

    /// The steps of `chain(of:at:includeAbsent:)` without the default: the frames' values, and
    /// between them the nodes that the node inherits from now and that set nothing.
    func shownEntries(
        of trait: TraitIndex, at node: Int32, includeAbsent: Bool, _ layout: LayoutState
    ) -> [ChainEntry] {
        var frames: [Int32] = []
        var setters: Set<Int32> = []
        var frame = layout.nodes[node].shown
        while frame > 0 {
            if recordReader.sets(frame, trait.rawValue) {
                frames.append(frame)
                setters.insert(frameNode(frame, layout))
            }
            frame = parts.records[frame].above
        }
        var chain: [ChainEntry] = []
        var next = 0
        var index = includeAbsent ? node : 0
        while index > 0 {
            if let position = frames[next...].firstIndex(where: { isFrame($0, of: index, layout) })
            {
                for frame in frames[next...position] {
                    appendShown(trait, frame, to: &chain, layout)
                }
                next = position + 1
            } else if !setters.contains(index) {
                chain.append(
                    ChainEntry(
                        node: NodeIndex(rawValue: index), layer: .override, value: nil,
                        status: .absent, revision: nil))
            }
            index = parts.nodes.parent(of: index)
        }
        for frame in frames[next...] { appendShown(trait, frame, to: &chain, layout) }
        return chain
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
