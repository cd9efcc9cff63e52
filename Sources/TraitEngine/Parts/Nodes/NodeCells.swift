// The stored data of a node: structures of plain numbers in arenas, linked by index.
//
//   NodeHot     parent, what the node may set          what a read walks               4 bytes
//   Int32       the node's record                      where a read may find a value   4
//   NodeLinks   trait children, watch, extra, kind     what changes and walks need    16
//   UInt8       the height of what is below            how deep a move can lead        1
//   identifier  12 bytes, and 12.8 in the index at a load of 0.53 to 0.8               28-36
//   NodeExtra   only for controllers, their views, and nodes with a label             24
//
// There are two trees. The trait tree, down which values are inherited, is linked here. The
// structural tree differs from it only at controllers and their views: such a node is `bridged`,
// its structural parent is in its extra, and that parent lists it.

/// The part of a node that resolving reads on the way up: four bytes, so that a million nodes fit into a
/// cache. For most nodes the filter shows that their records need not be read.
struct NodeHot: BitwiseCopyable {
    /// The parent, and the filter in the low bits.
    var word: UInt32

    private static let filterWidth: UInt32 = 8
    private static let parentNone = UInt32.max >> filterWidth

    /// Nodes that the parent's bits can address, with the one above all roots.
    static let nodesMax = Int(parentNone)

    /// - Parameter parent: -1 for none.
    init(parent: Int32) {
        word = UInt32(bitPattern: parent) &<< Self.filterWidth
    }

    /// The trait parent; 0, the permanent node above all roots, for roots; -1 for that one.
    var parent: Int32 {
        get {
            let parent = word &>> Self.filterWidth
            return parent == Self.parentNone ? -1 : Int32(bitPattern: parent)
        }
        set {
            word = UInt32(bitPattern: newValue) &<< Self.filterWidth | UInt32(filter)
        }
    }

    /// The parent of a node that has one.
    @inline(__always)
    var up: Int32 { Int32(bitPattern: word &>> Self.filterWidth) }

    /// A bit for each trait that the node sets, the traits folded to eight. No bit: the node has
    /// no record. All bits: many traits, or a top.
    var filter: UInt8 {
        get { UInt8(truncatingIfNeeded: word) }
        set { word = word & ~UInt32(UInt8.max) | UInt32(newValue) }
    }

    @inline(__always)
    var hasRecord: Bool { word & UInt32(UInt8.max) != 0 }

    /// Whether the node may set one of the traits of a filter.
    @inline(__always)
    func mayHold(_ filter: UInt8) -> Bool { word & UInt32(filter) != 0 }
}

/// The filter for a folded mask of traits.
@inline(__always)
func filter(of mask: UInt64) -> UInt8 {
    var fold = mask | mask &>> 32
    fold |= fold &>> 16
    fold |= fold &>> 8
    return UInt8(truncatingIfNeeded: fold)
}

/// The filter for one trait.
@inline(__always)
func filterBit(_ trait: UInt16) -> UInt8 { 1 &<< UInt8(truncatingIfNeeded: trait & 7) }

/// Sixteen bytes, so that no node's links lie in two cache lines: numbers of 24 bits, as many as
/// there can be nodes, and eight bits beside each.
struct NodeLinks: BitwiseCopyable {
    // Above the low byte of each word, plus one where there may be none:
    // last child, next sibling (as it is), previous sibling, watch node.
    private var lastWord: UInt32
    private var nextWord: UInt32
    private var previousWord: UInt32 = 0
    private var watchWord: UInt32 = 0
    // The low byte of the first: four flags, three bits of the kind, whether it is a last child.
    // Those of the others, from the lowest: the extra, plus one.

    private static let kindShift: UInt32 = 4
    private static let kindBits: UInt32 = 0x70
    /// Instead of a kind: in the free list.
    private static let free: UInt32 = 0x70
    private static let isLast: UInt32 = 0x80

    init(next: Int32 = -1, previous: Int32 = -1, kind: NodeKind, flags: NodeFlags) {
        lastWord = UInt32(kind.rawValue) &<< Self.kindShift
        nextWord = 0
        self.next = next
        self.previous = previous
        self.flags = flags
    }

    /// Last trait child; -1 for none. The last, so that appending looks at no other child.
    @inline(__always)
    var last: Int32 {
        get { Self.optional(lastWord) }
        set { Self.setOptional(&lastWord, newValue) }
    }

    /// Next sibling; for a last child the complement of the first, which is below 0. In the free
    /// list the next free node.
    @inline(__always)
    var next: Int32 {
        get {
            // All bits of a last child's, none of another's.
            let complement = Int32(bitPattern: lastWord &<< 24) &>> 31
            return Int32(bitPattern: nextWord &>> 8) ^ complement
        }
        set {
            let complement = UInt32(bitPattern: newValue &>> 31)
            let node = UInt32(bitPattern: newValue) ^ complement
            nextWord = node &<< 8 | nextWord & 0xFF
            lastWord = lastWord & ~Self.isLast | complement & Self.isLast
        }
    }

    /// Previous sibling; -1 for a first child.
    @inline(__always)
    var previous: Int32 {
        get { Self.optional(previousWord) }
        set { Self.setOptional(&previousWord, newValue) }
    }

    /// The node's watch node; -1 when nothing at or below it is watched.
    @inline(__always)
    var watch: Int32 {
        get { Self.optional(watchWord) }
        set { Self.setOptional(&watchWord, newValue) }
    }

    /// The node's extra; -1 for none.
    @inline(__always)
    var extra: Int32 {
        get {
            let (low, middle, high) = (nextWord & 0xFF, previousWord & 0xFF, watchWord & 0xFF)
            return Int32(bitPattern: low | middle &<< 8 | high &<< 16) &- 1
        }
        set {
            let bits = UInt32(bitPattern: newValue &+ 1)
            nextWord = nextWord & ~0xFF | bits & 0xFF
            previousWord = previousWord & ~0xFF | bits &>> 8 & 0xFF
            watchWord = watchWord & ~0xFF | bits &>> 16 & 0xFF
        }
    }

    /// The kind of a node that is not in the free list.
    @inline(__always)
    var kind: NodeKind {
        let bits = (lastWord & Self.kindBits) &>> Self.kindShift
        return NodeKind(rawValue: UInt8(truncatingIfNeeded: bits)) ?? .environment
    }

    @inline(__always)
    var flags: NodeFlags {
        get {
            let isFree = lastWord & Self.kindBits == Self.free
            let flags = UInt8(truncatingIfNeeded: lastWord) & NodeFlags.stored.rawValue
            return NodeFlags(rawValue: flags | (isFree ? NodeFlags.free.rawValue : 0))
        }
        set {
            let stored = UInt32(newValue.rawValue & NodeFlags.stored.rawValue)
            lastWord = lastWord & ~UInt32(NodeFlags.stored.rawValue) | stored
            if newValue.contains(.free) { lastWord |= Self.free }
        }
    }

    @inline(__always)
    private static func optional(_ word: UInt32) -> Int32 { Int32(bitPattern: word &>> 8) &- 1 }

    @inline(__always)
    private static func setOptional(_ word: inout UInt32, _ value: Int32) {
        word = UInt32(bitPattern: value &+ 1) &<< 8 | word & 0xFF
    }
}

/// At least the levels of the trait tree below a node, unless it is `max`, which says nothing.
/// Never falls while the node is there.
enum NodeHeight {
    /// Small enough that a new node at the end of a long chain raises few heights.
    static let max: UInt8 = 63
}

struct NodeFlags: OptionSet, BitwiseCopyable {
    var rawValue: UInt8

    /// Deleted, not yet reclaimed.
    static let dead = NodeFlags(rawValue: 1)
    /// The structural parent is not the trait parent.
    static let bridged = NodeFlags(rawValue: 2)
    /// The transaction changed its place or values; see `Journal`.
    static let touched = NodeFlags(rawValue: 4)
    /// Made by the transaction.
    static let created = NodeFlags(rawValue: 8)
    /// In the free list; such a node never leaves it by losing the flag, but by being made anew.
    static let free = NodeFlags(rawValue: 16)

    /// Those that lie in bits of their own.
    fileprivate static let stored: NodeFlags = [.dead, .bridged, .touched, .created]
}

struct NodeExtra: BitwiseCopyable {
    /// For a bridged node; 0 for none.
    var structuralParent: Int32 = 0
    /// Bridged siblings with the same structural parent, in no order.
    var structuralNext: Int32 = -1
    var structuralPrevious: Int32 = -1
    /// First of the bridged nodes whose structural parent this node is.
    var structuralFirst: Int32 = -1
    /// A view's controller, a controller's view; -1 for none.
    var peer: Int32 = -1
    /// The slot of the label; -1 for none.
    var label: Int32 = -1
}
