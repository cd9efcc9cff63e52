// The state of a layout hierarchy besides its inputs: what each node showed last, and which nodes
// wait for an update. Immediate hierarchies have no such state.
//
// A node shows a *frame*: an immutable copy of the values a node had when it was updated,
// with a reference to the frame of the node it inherited from. Nodes without values share the
// frame of the node above, so a frame exists only where something is set:
//
//   scene {style}            frame 1 ─▶ nothing
//    ├─ window               shows 1
//    │   └─ view {theme}     frame 2 ─▶ 1
//    │       └─ label        shows 2
//
// Frames lie among the records, so that reading one is reading a record.
//
// Nodes with marks at or below them are linked to a tree of their own, from node 0 down: an update
// visits marked nodes and those that inherit from them.

/// A watched node that took another frame in the open transaction.
struct NotedNode: BitwiseCopyable {
    var node: Int32
    /// The frame before the transaction; the undo log holds the reference.
    var before: Int32
}

/// The first child that had not seen its parent's frame.
struct SeenChildren: BitwiseCopyable {
    let child: Int32
    let serial: UInt64
    /// `LayoutNode.changed` of the parent, which identifies its frame.
    let changed: UInt64
    /// `LayoutClock.moves` at the search: as long as nothing was moved, children only come at the end.
    let structureTick: UInt64
}

/// The changes of the open transaction.
struct OpenLayoutChanges {
    var noted: ContiguousArray<NotedNode> = []
    /// Windows and controllers that the transaction wrote to and that do not show the write yet.
    var written: ContiguousArray<Int32> = []
    /// Their inputs before the first of these writes.
    var inputs: [Int32: NodeInputs] = [:]
    /// By registration (hidden ones too) that the transaction made, or whose scope it set: the frame that its
    /// node showed then. The undo log or the node holds the reference.
    var baselines: [Int32: Int32] = [:]
    /// Frames that nodes take now notify no registration.
    var isSilent = false
}

struct LayoutClock {
    /// Counts updates of single nodes.
    var updates: UInt64 = 0
    /// Counts changes of the trait tree.
    var moves: UInt64 = 0
}

/// Caches: they follow from the rest of the state, and save time.
struct LayoutCaches {
    /// Frames as collections, made by the first read.
    private(set) var collections: [Int32: TraitCollection] = [:]
    /// The frame that was read last: siblings show the same.
    private var last: TraitCollection?
    private var lastFrame: Int32 = -1
    /// Counts changes of definitions.
    private(set) var definitionTick: UInt64 = 0
    /// By parent, the first child that has not seen its frame. Updating n children one at a time
    /// must not cost n² visits, so the search resumes here. Emptied by undo.
    var seenChildren: [Int32: SeenChildren] = [:]
    /// Children visited to find one that has not seen its parent's frame, for tests of costs.
    var lookedAtChildren = 0
    /// Two frames that are equal, with all frames above them.
    var sameFrames: (one: Int32, other: Int32) = (0, 0)

    /// Most frames that are stored as collections.
    private static let collectionsMax = 256

    mutating func collection(ofFrame frame: Int32) -> TraitCollection? {
        if lastFrame != frame { (last, lastFrame) = (collections[frame], frame) }
        return last
    }

    mutating func store(_ collection: TraitCollection, ofFrame frame: Int32) {
        if collections.count >= Self.collectionsMax { collections = [:] }
        collections[frame] = collection
        (last, lastFrame) = (collection, frame)
    }

    /// The frame is freed.
    mutating func forget(_ frame: Int32) {
        if lastFrame == frame { (last, lastFrame) = (nil, -1) }
        if !collections.isEmpty { collections[frame] = nil }
    }

    /// The definitions are about to change.
    mutating func forgetDefinitions() {
        (collections, last, lastFrame) = ([:], nil, -1)
        definitionTick += 1
    }
}

final class LayoutState {
    /// The frames that nodes show, marks, owners of frames.
    @exclusivity(unchecked) var nodes: LayoutTable
    @exclusivity(unchecked) var clock = LayoutClock()
    @exclusivity(unchecked) var changes = OpenLayoutChanges()
    /// Updates under way whose handlers may write, the outermost first.
    var updates: [TraitUpdate] = []
    @exclusivity(unchecked) var caches = LayoutCaches()

    init() {
        nodes = LayoutTable()
    }

    init(copying other: LayoutState, _ copies: inout SnapshotCopies) {
        nodes = LayoutTable(copying: &other.nodes, &copies)
        clock = other.clock
    }
}
