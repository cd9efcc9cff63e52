// Everything that reading a hierarchy needs, in one list: what is missing here is missing in every
// snapshot. The undo log, the journal, the indices of names and what only telling needs stay out.

/// A hierarchy at one moment: plain numbers as they were, arenas as copies under way.
struct SnapshotParts: Sendable {
    let propagation: Propagation
    let limits: HierarchyLimits
    let sizes: StructureSizes
    let revision: Int64
    let definitions: TraitDefinitions
    let sums: StateDigest

    let hot: ArenaCopy<NodeHot>
    let recordIndices: ArenaCopy<Int32>
    let links: ArenaCopy<NodeLinks>
    let heights: ArenaCopy<UInt8>
    let extras: ArenaCopy<NodeExtra>
    let identifiers: IdentifierStore.Copy
    let labels: ArenaCopy<String?>
    let freeNode: Int32
    let freeExtra: Int32
    let nodeCount: Int
    let deadCount: Int
    let bridgedCount: Int
    let levels: LevelBounds

    let records: ArenaCopy<Record>
    let blocks: BlockArena.Copy
    let freeRecord: Int32
    let topCount: Int
    let values: ArenaCopy<TraitValue>
    let traits: ArenaCopy<TraitSlot>

    let registrations: ArenaCopy<Registration>
    let wideTraits: ArenaCopy<TraitSet?>
    let registrationNames: IdentifierStore.Copy
    let freeRegistration: Int32
    let firstRegistration: Int32
    let lastRegistration: Int32
    let nextOrder: UInt64
    let registrationCount: Int
    let watchCount: Int
    let watchNodes: ArenaCopy<WatchNode>
    let freeWatchNode: Int32

    let scopes: ArenaCopy<Scope?>
    let scopeCount: Int
    let coveringScopeCount: Int
    let hiddenCount: Int
    let dynamicAsks: ArenaCopy<DynamicAsk?>
    /// Few nodes have any, so this is shared until the next one is set.
    let contentLimits: [Int32: ContentSizeLimits]

    let layout: LayoutParts?

    /// Arenas that are written most come first: their owner then saves least.
    var copies: [any DeferredCopy] {
        let layout: [any DeferredCopy] = layout.map { [$0.nodes] } ?? []
        return [
            links, heights, records, blocks.words, hot, recordIndices, identifiers.slots,
            identifiers.long.words, extras, labels, values, traits, watchNodes, registrations,
            registrationNames.slots, registrationNames.long.words, wideTraits, scopes,
            dynamicAsks,
        ] + layout
    }
}

/// What a layout hierarchy has besides.
struct LayoutParts: Sendable {
    let nodes: ArenaCopy<LayoutNode>
    let serial: UInt64
    let tick: UInt64
    let structureTick: UInt64
    let frameCount: Int
    let gone: [UInt64: GoneNode]
}

extension LayoutState {
    func beginCopy(_ state: SnapshotState) -> LayoutParts {
        LayoutParts(
            nodes: nodes.beginCopy(state), serial: serial, tick: tick,
            structureTick: structureTick, frameCount: frameCount, gone: gone)
    }

    convenience init(_ parts: LayoutParts) {
        self.init()
        nodes = Arena(parts.nodes)
        serial = parts.serial
        tick = parts.tick
        structureTick = parts.structureTick
        frameCount = parts.frameCount
        gone = parts.gone
    }
}

extension Hierarchy {
    func parts(_ state: SnapshotState) -> SnapshotParts {
        SnapshotParts(
            propagation: propagation, limits: limits, sizes: sizes, revision: revision,
            definitions: definitions, sums: sums, hot: hot.beginCopy(state),
            recordIndices: recordIndices.beginCopy(state), links: links.beginCopy(state),
            heights: heights.beginCopy(state),
            extras: extras.beginCopy(state), identifiers: identifiers.beginCopy(state),
            labels: labels.beginCopy(state), freeNode: freeNode, freeExtra: freeExtra,
            nodeCount: nodeCount, deadCount: deadCount, bridgedCount: bridgedCount, levels: levels,
            records: records.beginCopy(state), blocks: blocks.beginCopy(state),
            freeRecord: freeRecord, topCount: topCount, values: pool.beginCopy(state),
            traits: traits.beginCopy(state), registrations: registrations.beginCopy(state),
            wideTraits: wideTraits.beginCopy(state),
            registrationNames: registrationNames.beginCopy(state),
            freeRegistration: freeRegistration, firstRegistration: firstRegistration,
            lastRegistration: lastRegistration, nextOrder: nextOrder,
            registrationCount: registrationCount, watchCount: watchCount,
            watchNodes: watchNodes.beginCopy(state), freeWatchNode: freeWatchNode,
            scopes: scopeCells.beginCopy(state), scopeCount: scopeCount,
            coveringScopeCount: coveringScopeCount, hiddenCount: hiddenCount,
            dynamicAsks: dynamicAsks.beginCopy(state), contentLimits: contentLimits,
            layout: layout?.beginCopy(state))
    }

    func endClosedCopies() {
        hot.endClosedCopies()
        recordIndices.endClosedCopies()
        links.endClosedCopies()
        heights.endClosedCopies()
        extras.endClosedCopies()
        identifiers.endClosedCopies()
        labels.endClosedCopies()
        records.endClosedCopies()
        blocks.endClosedCopies()
        pool.endClosedCopies()
        traits.endClosedCopies()
        registrations.endClosedCopies()
        wideTraits.endClosedCopies()
        registrationNames.endClosedCopies()
        watchNodes.endClosedCopies()
        scopeCells.endClosedCopies()
        dynamicAsks.endClosedCopies()
        layout?.nodes.endClosedCopies()
    }
}
