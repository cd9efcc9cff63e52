// What is stored for registrations and watches, and for the nodes at or above them.
//
// Watch nodes are linked among themselves, a thin copy of the tree's upper part: telling a
// commit walks only where something is watched, and not past a nearer override.

/// A registration or a watch.
struct Registration: BitwiseCopyable {
    /// Its traits, folded (trait modulo 64): exact while all are below 64.
    var mask: UInt64
    /// The order in which registrations were made.
    var order: UInt64
    /// The revision of the commit that made it; of a watch the revision at the time.
    var createdRevision: Int64
    var node: Int32
    // Neighbours on the same node, in no order.
    var next: Int32 = -1
    var previous: Int32 = -1
    // Neighbours among all registrations, in their order; not for watches.
    var laterRegistration: Int32 = -1
    var earlierRegistration: Int32 = -1
    /// The slot of its traits if there are some from 64 on; -1.
    var wide: Int32 = -1
    /// For a watch, how many asked for it; 0 for registrations; below 0 for those that name
    /// colours or images, and for hidden ones.
    var references: Int32 = 0
    var state: State = .alive

    enum State: UInt8, BitwiseCopyable {
        case alive
        /// Ended by a commit that is not yet acknowledged.
        case ended
        /// In the free list.
        case free
    }

    var isWatch: Bool { references > 0 }
}

/// A node with a registration or watch at or below it: a cache line, all that a walk looks at
/// where there is only one of them.
struct WatchNode: BitwiseCopyable {
    /// Traits watched here or deeper; may have bits too many, never too few.
    var below: UInt64 = 0
    /// Traits watched here; likewise.
    var own: UInt64 = 0
    /// A copy of the mask of the node's record.
    var overrides: UInt64 = 0
    /// The order of the only registration or watch on the node, whose traits are below 64 and are
    /// `own`; 0 when there is none, another one, or when it is hidden.
    var onlyOrder: UInt64 = 0
    var node: Int32
    var parent: Int32 = -1
    /// First child among watch nodes, in no order; of a node with many the top of their groups.
    var first: Int32 = -1
    /// The next child of the parent; where it has many, this one's slot in their groups.
    var next: Int32 = -1
    var previous: Int32 = -1
    /// First registration or watch on the node.
    var firstRegistration: Int32 = -1
    /// Children among watch nodes.
    var childCount: Int32 = 0
    var flags: WatchFlags = []
}

struct WatchFlags: OptionSet, BitwiseCopyable {
    var rawValue: UInt8

    /// The transaction changed the node, and that was not compared yet.
    static let pending = WatchFlags(rawValue: 1)
    /// The children are in groups, see `WatchGroups`.
    static let grouped = WatchFlags(rawValue: 2)
    /// Bits of `below` may stand for traits from 64 on, so the node's values hide none of them.
    static let folded = WatchFlags(rawValue: 4)
}
