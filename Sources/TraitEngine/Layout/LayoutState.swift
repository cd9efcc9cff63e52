// What a layout hierarchy remembers besides its inputs: for each node what it showed last, and
// which nodes wait for an update. Immediate hierarchies have none of it.
//
// What a node shows is a *frame*: an immutable copy of the values a node had when it was updated,
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
// Nodes with marks at or below them are linked to a tree of their own, from node 0 down: an
// update visits what is marked and what inherits from it, nothing else.

struct LayoutNode: BitwiseCopyable {
    /// The frame that the node shows; 0 for the defaults.
    var shown: Int32 = 0
    /// First child with marks at or below it; -1 for none.
    var first: Int32 = -1
    // Neighbours in the list of the trait parent; a first one's previous is the last.
    var next: Int32 = -1
    var previous: Int32 = -1
    /// Tells apart the nodes that have one index one after the other.
    var serial: UInt64 = 0
    /// When it last took another frame.
    var changed: UInt64 = 0
    /// When it was last brought up to date.
    var seen: UInt64 = 0
    var flags: LayoutFlags = []
    /// Frames in use that hold the node's own values.
    var frames: Int32 = 0
}

struct FramePair: Equatable {
    let one: Int32
    let other: Int32

    init(_ one: Int32, _ other: Int32) {
        self.one = one
        self.other = other
    }
}

/// A node that was reclaimed while frames with its values are in use.
struct GoneNode: Sendable {
    let name: String
    var frames: Int32
}

/// A node, told apart from those that had its index before or get it later.
struct LayoutNodeKey: BitwiseCopyable {
    let node: Int32
    let serial: UInt64
}

struct LayoutFlags: OptionSet, BitwiseCopyable {
    var rawValue: UInt8

    /// Its inputs changed since it was brought up to date.
    static let marked = LayoutFlags(rawValue: 1)
    /// It took another frame, which some of its children may not have seen: those that were not
    /// brought up to date since.
    static let outdated = LayoutFlags(rawValue: 2)
    /// In the list of its trait parent.
    static let linked = LayoutFlags(rawValue: 4)
    /// Among `LayoutState.noted`.
    static let noted = LayoutFlags(rawValue: 8)

    /// What can be taken back.
    static let state: LayoutFlags = [.marked, .outdated]
}

/// A watched node that took another frame in the open transaction.
struct NotedNode: BitwiseCopyable {
    var node: Int32
    /// What it showed before the transaction; the undo log holds the reference.
    var before: Int32
}

/// The first child that had not seen its parent's frame.
struct SeenChildren: BitwiseCopyable {
    let child: Int32
    let serial: UInt64
    /// Which frame.
    let changed: UInt64
    /// As long as nothing was moved, children only come at the end.
    let structureTick: UInt64
}

final class LayoutState {
    /// By node; the one at 0 starts the tree of marks.
    @exclusivity(unchecked) var nodes: Arena<LayoutNode>
    /// Nodes made so far.
    @exclusivity(unchecked) var serial: UInt64
    /// Counts updates of single nodes.
    @exclusivity(unchecked) var tick: UInt64
    /// Counts changes of the trait tree.
    @exclusivity(unchecked) var structureTick: UInt64
    @exclusivity(unchecked) var noted: ContiguousArray<NotedNode> = []
    /// By registration or hidden one that the open transaction made, or whose scope it set: what its
    /// node showed then. The undo log or the node holds the reference.
    @exclusivity(unchecked) var baselines: [Int32: Int32] = [:]
    /// Nodes that take another frame now are not told of.
    @exclusivity(unchecked) var isSilent = false
    /// Updates under way whose handlers may write, the outermost first.
    @exclusivity(unchecked) var updates: [TraitUpdate] = []
    /// So many frames are kept as values.
    static let collectionsMax = 256
    /// Frames as values, made when asked for.
    @exclusivity(unchecked) var collections: [Int32: TraitCollection] = [:]
    /// By parent, the child up to which all have seen its frame: who updates many children one by
    /// one does not come by all of them each time. Gone when something is taken back.
    @exclusivity(unchecked) var seenChildren: [Int32: SeenChildren] = [:]
    /// Children that were looked at for whether they have seen their parent's frame.
    @exclusivity(unchecked) var lookedAtChildren = 0
    /// Two frames that hold the same, and so do those above them.
    @exclusivity(unchecked) var sameFrames: FramePair?
    /// Frames in use.
    @exclusivity(unchecked) var frameCount: Int
    /// By serial.
    @exclusivity(unchecked) var gone: [UInt64: GoneNode]

    init() {
        nodes = Arena()
        serial = 0
        tick = 0
        structureTick = 0
        frameCount = 0
        gone = [:]
        _ = nodes.append(LayoutNode())
    }

    init(copying other: LayoutState, _ copies: inout SnapshotCopies) {
        nodes = Arena(copying: &other.nodes, &copies)
        serial = other.serial
        tick = other.tick
        structureTick = other.structureTick
        frameCount = other.frameCount
        gone = other.gone
    }

    func key(of node: Int32) -> LayoutNodeKey {
        LayoutNodeKey(node: node, serial: nodes[node].serial)
    }

    func add(_ node: Int32) {
        serial += 1
        while nodes.count <= Int(node) { _ = nodes.append(LayoutNode()) }
        nodes[node] = LayoutNode(serial: serial)
    }
}
