// The stored data of a node of a layout hierarchy.

struct LayoutNode: BitwiseCopyable {
    /// The frame that the node shows; 0 for the defaults.
    var shown: Int32 = 0
    /// First child with marks at or below it; -1 for none.
    var first: Int32 = -1
    // Neighbours in the list of the trait parent; a first one's previous is the last.
    var next: Int32 = -1
    var previous: Int32 = -1
    /// Distinguishes nodes that have the same index one after the other.
    var serial: UInt64 = 0
    /// `LayoutClock.updates` when the node last took another frame.
    var changed: UInt64 = 0
    /// `LayoutClock.updates` when the node was last updated; 0 after a move.
    var seen: UInt64 = 0
    var flags: LayoutFlags = []
    /// Frames in use that hold the node's own values.
    var frames: Int32 = 0
}

/// A node that was reclaimed while frames with its values are in use.
struct GoneNode: Sendable {
    let name: String
    var frames: Int32
}

/// A node, distinct from those that had its index before or get it later.
struct LayoutNodeKey: BitwiseCopyable {
    let node: Int32
    let serial: UInt64
}

struct LayoutFlags: OptionSet, BitwiseCopyable {
    var rawValue: UInt8

    /// Its inputs changed since its last update.
    static let marked = LayoutFlags(rawValue: 1)
    /// It took another frame. Children that were not updated since have not seen it.
    static let outdated = LayoutFlags(rawValue: 2)
    /// In the list of its trait parent.
    static let linked = LayoutFlags(rawValue: 4)
    /// Among `OpenLayoutChanges.noted`.
    static let noted = LayoutFlags(rawValue: 8)
    /// Among `OpenLayoutChanges.written`.
    static let written = LayoutFlags(rawValue: 16)

    /// Flags that undo restores.
    static let state: LayoutFlags = [.marked, .outdated]
}
