// The values that a node sets. Only nodes that set something have a record, and a few that serve as
// shortcuts in deep trees ("tops").
//
// A record's block of words holds the effective values first: reading one is a count of bits,
// whatever layer it comes from. Layers and revisions are further back:
//
//   [exact mask: w words, only with a trait ≥ 64]
//   [effective value: n words][revision of each: n words]
//   only when layers mix:
//   [override mask, supplied mask, kept mask: max(w,1) words each; of all layers from the top down
//    when there is another one]
//   [shadowed values by layer from the top down, then by trait: pairs of value and revision]
//
// The mask in the record is exact for traits below 64, folded (trait modulo 64) beyond.
//
// A record is a cache line. A block of one or two values in one layer, as most nodes have, lies in
// the line itself, except in the records that need the room as tops or frames:
//
//    0  mask    8  values, node   16  width, size, flags, layer   20  generation
//   24  block of up to five words, or: added, path mask, jump, of a frame also its digest

struct Record: BitwiseCopyable {
    /// Traits that the node sets in any layer.
    var mask: UInt64 = 0
    /// The block's offset; -1 for none, or when it lies here. In the free list the next free
    /// record.
    var values: Int32 = -1
    var node: Int32
    /// Words of the exact mask at the start of the block; 0 while `mask` is exact.
    var width: UInt8 = 0
    var sizeClass: UInt8 = 0
    var flags: RecordFlags = []
    /// The only layer, unless layers mix.
    var layer: Layer = .override
    /// Of a top: rises when jumps to it become invalid. Of any: when the slot is freed.
    var generation: UInt32 = 0
    /// A small block, or what only tops and frames have.
    private var words: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)

    /// Words of a block that fits into the record.
    static let inlineWordsMax = 5
    /// Where such a block lies.
    @inline(__always)
    static var inlineOffset: Int { 24 }

    init(node: Int32) {
        self.node = node
    }

    // MARK: - Tops; see Hierarchy+Tops

    /// Traits set since in the block of levels below this top.
    var added: UInt64 {
        get { words.0 }
        set { words.0 = newValue }
    }

    /// Traits set strictly between this top and `jump`.
    var pathMask: UInt64 {
        get { words.1 }
        set { words.1 = newValue }
    }

    /// The next top above; -1 when not known.
    var jump: Int32 {
        get { Int32(truncatingIfNeeded: words.2) }
        set { words.2 = words.2 & ~0xFFFF_FFFF | UInt64(UInt32(bitPattern: newValue)) }
    }

    /// `generation` of the record at `jump` when this was found out.
    var jumpGeneration: UInt32 {
        get { UInt32(truncatingIfNeeded: words.2 >> 32) }
        set { words.2 = words.2 & 0xFFFF_FFFF | UInt64(newValue) << 32 }
    }

    // MARK: - Frames, which have the same words for themselves; see Hierarchy+Frames

    /// The frame above; 0 for the defaults.
    var above: Int32 {
        get { jump }
        set { jump = newValue }
    }

    /// How many nodes, frames and undo entries refer to the frame.
    var references: UInt32 {
        get { jumpGeneration }
        set { jumpGeneration = newValue }
    }

    /// Traits set in the frames above.
    var traitsAbove: UInt64 {
        get { words.1 }
        set { words.1 = newValue }
    }

    /// The serial of the node whose values the frame holds; see `LayoutNode`.
    var serial: UInt64 {
        get { words.0 >> 16 }
        set { words.0 = newValue << 16 | words.0 & 0xFFFF }
    }

    /// Frames from here up to the defaults, at most 65,535.
    var depth: Int {
        get { Int(truncatingIfNeeded: words.0 & 0xFFFF) }
        set { words.0 = words.0 & ~0xFFFF | UInt64(truncatingIfNeeded: min(newValue, 0xFFFF)) }
    }

    /// The digest of what the frame shows.
    var digest: StateDigest {
        get { StateDigest(full: words.3, content: words.4) }
        set { (words.3, words.4) = (newValue.full, newValue.content) }
    }
}

struct RecordFlags: OptionSet, BitwiseCopyable {
    var rawValue: UInt8

    static let top = RecordFlags(rawValue: 1)
    /// Several layers are present.
    static let mixed = RecordFlags(rawValue: 2)
    static let free = RecordFlags(rawValue: 4)
    /// A frame, see `LayoutState`.
    static let frame = RecordFlags(rawValue: 8)
    /// Of a mixed record: there are masks for all layers, not only for the usual three.
    static let layered = RecordFlags(rawValue: 16)
    /// The block lies in the record.
    static let inline = RecordFlags(rawValue: 32)
}

/// A value in a record, unpacked.
struct RecordEntry: BitwiseCopyable, Equatable {
    var trait: UInt16
    var layer: Layer
    var word: UInt64
    var revision: Int64
}

/// A stored value: the word and the revision that set it.
struct StoredValue: BitwiseCopyable, Hashable {
    var word: UInt64
    var revision: Int64
}

/// A bit for a trait in a folded mask.
@inline(__always)
func foldedBit(_ trait: UInt16) -> UInt64 { 1 &<< UInt64(trait & 63) }
