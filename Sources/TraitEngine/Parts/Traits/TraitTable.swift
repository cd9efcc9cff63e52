// The engine's data of each trait besides its definition: how values become words, and counts.

struct TraitSlot: BitwiseCopyable {
    /// The raw values from 0 to 63 that are cases: setting one of them reads no definition, which
    /// takes 350 of the 2,300 instructions of a commit.
    var cases: UInt64 = 0
    var defaultWord: UInt64
    /// Overrides and supplied values of this trait on nodes that are not deleted.
    var values: Int32 = 0
    /// Kept values of this trait on nodes that are not deleted.
    var kept: Int32 = 0
    /// Registrations and scopes that name it.
    var registrations: Int32 = 0
    /// Watches that name it.
    var watches: Int32 = 0
    /// Values of it in frames.
    var shown: Int32 = 0
    var coding: ValueCoding
    /// How values become words in the digest: as the definition says, whatever `coding` is.
    var hashed: ValueCoding
}

/// How a trait's value becomes a word.
enum ValueCoding: UInt8, BitwiseCopyable {
    case bool
    case nullableBool
    case integer
    case double
    case nullableDouble
    /// A position in the pool.
    case pooled
}

/// By trait; slots of deleted traits stay until their index is used again.
struct TraitTable: ~Copyable {
    private var slots: Arena<TraitSlot>
    /// The defaults' words, side by side.
    private var defaults: PlainBuffer<UInt64>
    /// The hashes of the traits' keys, for the digest.
    private var hashes: PlainBuffer<UInt64>
    /// Rises when a node begins or ceases to set a trait.
    private(set) var valueVersion: UInt64

    init() {
        slots = Arena(minimumCapacity: TraitDefinitions.customStart)
        defaults = PlainBuffer(minimumCapacity: TraitDefinitions.customStart)
        hashes = PlainBuffer(minimumCapacity: TraitDefinitions.customStart)
        valueVersion = 0
    }

    init(copying other: inout TraitTable, _ copies: inout SnapshotCopies) {
        slots = Arena(copying: &other.slots, &copies)
        defaults = PlainBuffer(copying: other.defaults)
        hashes = PlainBuffer(copying: other.hashes)
        valueVersion = other.valueVersion
    }

    @inline(__always)
    subscript(trait: UInt16) -> TraitSlot { slots[Int32(trait)] }

    @inline(__always)
    func isPooled(_ trait: UInt16) -> Bool { slots[Int32(trait)].coding == .pooled }

    /// The hash of the trait's key.
    @inline(__always)
    func hash(of trait: UInt16) -> UInt64 { hashes.view[Int(trait)] }

    /// The defaults' words by trait; valid until a trait is added.
    var defaultWords: UnsafeBufferPointer<UInt64> { UnsafeBufferPointer(defaults.view) }

    var indices: Range<UInt16> { 0..<UInt16(truncatingIfNeeded: slots.count) }
    var heldBytes: Int { slots.heldBytes }

    /// A slot for one more index.
    mutating func append() {
        _ = slots.append(TraitSlot(defaultWord: 0, coding: .integer, hashed: .integer))
        defaults.append(0)
        hashes.append(0)
    }

    /// A trait is defined. Nothing of it is there yet.
    mutating func set(_ trait: UInt16, _ slot: TraitSlot, hash: UInt64) {
        slots[Int32(trait)] = slot
        defaults.view[Int(trait)] = slot.defaultWord
        hashes.view[Int(trait)] = hash
    }

    /// The trait has another key.
    mutating func setHash(_ trait: UInt16, _ hash: UInt64) { hashes.view[Int(trait)] = hash }

    /// A trait has another definition. Its counts stay.
    mutating func redefine(_ trait: UInt16, as new: TraitSlot) {
        var slot = slots[Int32(trait)]
        slot.cases = new.cases
        slot.defaultWord = new.defaultWord
        slot.coding = new.coding
        slot.hashed = new.hashed
        slots[Int32(trait)] = slot
        defaults.view[Int(trait)] = new.defaultWord
    }

    @inline(__always)
    mutating func countValue(_ trait: UInt16, _ layer: Layer, _ amount: Int32) {
        if layer == .kept {
            slots[Int32(trait)].kept &+= amount
        } else {
            slots[Int32(trait)].values &+= amount
            valueVersion &+= 1
        }
    }

    mutating func countShown(_ trait: UInt16, _ amount: Int32) {
        slots[Int32(trait)].shown &+= amount
    }

    mutating func countRegistration(_ trait: UInt16, _ amount: Int32, isWatch: Bool) {
        if isWatch {
            slots[Int32(trait)].watches += amount
        } else {
            slots[Int32(trait)].registrations += amount
        }
    }

    /// The first thing wrong; nil when all is well. O(traits).
    var fault: String? {
        let isWhole =
            slots.count == defaults.count && slots.count == hashes.count
            && indices.allSatisfy { self[$0].defaultWord == defaults[Int($0)] }
        return isWhole ? nil : "a default has two words"
    }
}
