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
    /// The revision of the commit that made it; of a watch the revision at the time; of a hidden
    /// one that came back by undo 0.
    var createdRevision: Int64
    var node: Int32
    // Neighbours on the same node, in no order.
    var next: Int32 = -1
    var previous: Int32 = -1
    // Neighbours among all named registrations, in their order.
    var laterRegistration: Int32 = -1
    var earlierRegistration: Int32 = -1
    /// The slot of its traits if there are some from 64 on; -1.
    var wide: Int32 = -1
    var role: Role
    var state: State = .alive

    enum Role: BitwiseCopyable {
        case named
        /// A named registration with colours or images: the slot of what it names.
        case namedDynamic(Int32)
        /// A watch, and how often it was asked for.
        case watch(requests: Int32)
        /// A hidden registration of a scope.
        case scope(Int32)
        /// The hidden registration of a registration that names colours or images.
        case dynamics(Int32)
    }

    enum State: UInt8, BitwiseCopyable {
        case alive
        /// Ended by a commit that is not yet acknowledged.
        case ended
        /// In the free list.
        case free
    }

    @inline(__always)
    var isWatch: Bool { if case .watch = role { true } else { false } }

    /// Works for a scope, or for a registration that names colours or images.
    @inline(__always)
    var isHidden: Bool {
        switch role {
        case .scope, .dynamics: true
        case .named, .namedDynamic, .watch: false
        }
    }

    /// The scope that a hidden registration works for.
    var scope: Int32? { if case .scope(let scope) = role { scope } else { nil } }

    /// The slot of the colours and images that a registration names; -1 for none.
    var dynamics: Int32 { if case .namedDynamic(let slot) = role { slot } else { -1 } }

    /// Of a scope's registration the next one of the same scope; -1 for none. Shares its place with
    /// a link that hidden registrations do not need.
    var nextOfScope: Int32 {
        get { earlierRegistration }
        set { earlierRegistration = newValue }
    }
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
