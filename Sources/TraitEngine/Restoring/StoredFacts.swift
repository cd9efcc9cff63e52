// The facts of a state that the public API does not read, in the order in which `HierarchyRestorer`
// takes them. They are needed to write a hierarchy, or a snapshot of one, as a document.

/// A value that a node or a frame holds.
package struct StoredFact: Hashable, Sendable {
    package let trait: TraitIndex
    package let layer: Layer
    package let value: TraitValue
    /// The revision that set it.
    package let revision: Int64

    package init(trait: TraitIndex, layer: Layer, value: TraitValue, revision: Int64) {
        self.trait = trait
        self.layer = layer
        self.value = value
        self.revision = revision
    }
}

extension Hierarchy {
    /// Every value that the node holds, in all layers, kept ones and those of environment keys
    /// included: in catalogue order, each trait's layers from the top down. O(values).
    package func forEachStoredValue(of node: NodeIndex, _ body: (StoredFact) -> Void) {
        let record = recordIndex(of: node.rawValue)
        if record >= 0, parts.records[record].mask != 0 { forEachFact(record, body) }
    }

    private func forEachFact(_ record: Int32, _ body: (StoredFact) -> Void) {
        var entries: ContiguousArray<RecordEntry> = []
        recordReader.entries(record, into: &entries)
        if !definitions.isCatalogueByIndex { sortByCatalogue(&entries) }
        for entry in entries {
            let trait = TraitIndex(rawValue: entry.trait)
            // Frames may hold values of a trait that was deleted.
            if definitions.definition(at: trait) == nil { continue }
            body(
                StoredFact(
                    trait: trait, layer: entry.layer, value: value(from: entry.word, of: trait),
                    revision: entry.revision))
        }
    }

    /// Scopes in the order in which they were first set. O(n log n).
    package func scopesInOrder() -> [ScopeInfo] {
        parts.scopes.inOrder.compactMap { parts.scopes[$0] }.map(info)
    }

    /// The node's limits of the content size category with the revision that set them.
    package func storedContentSizeLimits(
        of node: NodeIndex
    ) -> (minimum: String?, maximum: String?, revision: Int64)? {
        guard let limits = parts.contentLimits[node.rawValue] else { return nil }
        return (
            ContentSizeLimits.category(limits.minimum),
            ContentSizeLimits.category(limits.maximum), limits.revision
        )
    }

    /// The frames that the nodes of a layout hierarchy show; nil in an immediate one. O(nodes, frames).
    package func shownFrames() -> ShownFrames? {
        guard let layout else { return nil }
        var shown = ShownFrames()
        var numbers: [Int32: Int] = [0: 0]
        forEachNode { node, _ in
            var open: [Int32] = []
            var frame = layout.nodes[node.rawValue].shown
            while numbers[frame] == nil {
                open.append(frame)
                frame = parts.records[frame].above
            }
            while let next = open.popLast() {
                var values: [StoredFact] = []
                forEachFact(next) { values.append($0) }
                let above = numbers[parts.records[next].above] ?? 0
                if values.isEmpty {
                    numbers[next] = above
                } else {
                    let owner = Self.handle(frameNode(next, layout))
                    let deleted = deletedNode(of: next, layout).map { identifier(of: $0) }
                    shown.frames.append(
                        ShownFrame(
                            above: above, node: owner, deletedNode: deleted, values: values))
                    numbers[next] = shown.frames.count
                }
            }
            return .descend
        }
        shown.numbers = numbers
        return shown
    }

    /// The number of the frame that the node shows, and its marks. O(1).
    package func shownState(of node: NodeIndex, _ frames: ShownFrames) -> ShownState {
        guard let layout else { return ShownState(frame: 0, marks: []) }
        let cell = layout.nodes[node.rawValue]
        var marks: ShownState.Marks = []
        if cell.flags.contains(.marked) { marks.insert(.marked) }
        if cell.flags.contains(.outdated) { marks.insert(.outdated) }
        let parent = layout.nodes[parts.nodes.parent(of: node.rawValue)]
        if parent.flags.contains(.outdated), cell.seen < parent.changed { marks.insert(.unseen) }
        return ShownState(frame: frames.numbers[cell.shown] ?? 0, marks: marks)
    }
}

extension TraitDefinitions {
    /// Whether traits in the order of their indices stand in catalogue order, holders of
    /// environment values included.
    var isCatalogueByIndex: Bool { storage.ranks.isEmpty }

    /// The environment key whose values the trait holds, when it is the holder of an unbridged
    /// one. O(keys).
    package func environmentKey(heldBy trait: TraitIndex) -> String? {
        if !hidden.contains(trait) { return nil }
        return named.environmentKeys.values.first { $0.trait == trait }?.key.key
    }

    /// The trait that holds the values of an environment key, bridged or not. O(1).
    package func holder(ofEnvironmentKey key: String) -> TraitIndex? {
        named.environmentKeys[key]?.trait
    }
}

/// A frame: the values that one node had when it was updated, see `LayoutState`.
package struct ShownFrame: Hashable, Sendable {
    /// The number of the frame above, which comes before this one; 0 for the defaults.
    package let above: Int
    /// The node whose values these are; nil when it was deleted since.
    package let node: NodeIndex?
    /// The name that this node had, when it was deleted.
    package let deletedNode: String?
    package let values: [StoredFact]

    package init(
        above: Int, node: NodeIndex?, deletedNode: String? = nil, values: [StoredFact]
    ) {
        self.above = above
        self.node = node
        self.deletedNode = deletedNode
        self.values = values
    }
}

/// The frames of a layout hierarchy, numbered from 1 on in tree order, those above first.
package struct ShownFrames: Sendable {
    package fileprivate(set) var frames: [ShownFrame] = []
    /// By the engine's own number.
    fileprivate var numbers: [Int32: Int] = [:]
}

/// The frame that a node of a layout hierarchy shows, and the node's marks.
package struct ShownState: Hashable, Sendable {
    package struct Marks: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The node's inputs changed since its last update.
        package static let marked = Marks(rawValue: 1)
        /// It took another frame, which some of its children may not have seen.
        package static let outdated = Marks(rawValue: 2)
        /// It has not seen the frame that its trait parent took.
        package static let unseen = Marks(rawValue: 4)
    }

    /// The number of a frame; 0 for the defaults.
    package let frame: Int
    package let marks: Marks

    package init(frame: Int, marks: Marks) {
        self.frame = frame
        self.marks = marks
    }
}
