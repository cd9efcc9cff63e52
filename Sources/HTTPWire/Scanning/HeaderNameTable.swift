// Recognises a field name in a few instructions: one hash of its length and two letters, one
// comparison in whole words.

/// The known field names as a hash table. Built once from `HeaderName`; never changed or freed.
struct HeaderNameTable: @unchecked Sendable {
    // Unchecked, because pointers are not Sendable: nothing writes through these after `init`.
    /// For each hash the name there, or 0xFF.
    private let slots: UnsafePointer<UInt8>
    /// For each name its length, then its bytes with the case bit set.
    private let lengths: UnsafePointer<UInt8>
    private let texts: UnsafeRawPointer

    private static let slotCount = 256
    private static let textBytes = 32
    private static let caseBits: UInt64 = 0x2020_2020_2020_2020

    init() {
        let count = HeaderName.allCases.count
        let slots = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.slotCount)
        slots.initialize(repeating: 0xFF, count: Self.slotCount)
        let lengths = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        lengths.initialize(repeating: 0, count: count)
        let texts = UnsafeMutablePointer<UInt8>.allocate(capacity: count * Self.textBytes)
        texts.initialize(repeating: 0, count: count * Self.textBytes)
        for name in HeaderName.allCases {
            let text = UnsafeBufferPointer(
                start: name.name.utf8Start, count: name.name.utf8CodeUnitCount)
            let index = Int(name.rawValue)
            lengths[index] = UInt8(text.count)
            for position in text.indices {
                texts[index * Self.textBytes + position] = text[position] | 0x20
            }
            var slot = Self.hash(text.count, text[0], text[text.count - 1])
            while slots[slot] != 0xFF { slot = (slot + 1) % Self.slotCount }
            slots[slot] = name.rawValue
        }
        self.slots = UnsafePointer(slots)
        self.lengths = UnsafePointer(lengths)
        self.texts = UnsafeRawPointer(texts)
    }

    @inline(__always)
    private static func hash(_ length: Int, _ first: UInt8, _ last: UInt8) -> Int {
        let mixed = length &* 11 &+ Int(first | 0x20) &* 3 &+ Int(last | 0x20) &* 7
        return mixed & (slotCount &- 1)
    }

    /// The name's number, or `nil` when it is none of ours. `start..<stop` is not empty and holds
    /// neither controls nor white space; with those excluded, setting the case bit makes only
    /// letters equal, so a match is a valid token too.
    @inline(__always)
    func find(_ bytes: WireBytes, from start: Int, to stop: Int) -> UInt8? {
        let length = stop &- start
        var slot = Self.hash(length, bytes[start], bytes[stop &- 1])
        while true {
            let index = slots[slot]
            if index == 0xFF { return nil }
            if Int(lengths[Int(index)]) == length, matches(Int(index), bytes, start, length) {
                return index
            }
            slot = (slot &+ 1) & (Self.slotCount &- 1)
        }
    }

    @inline(__always)
    private func matches(_ index: Int, _ bytes: WireBytes, _ start: Int, _ length: Int) -> Bool {
        let text = texts + index &* Self.textBytes
        if length < 8 {
            let kept = (1 as UInt64) &<< (UInt64(length) &* 8) &- 1
            let wanted = UInt64(littleEndian: text.loadUnaligned(as: UInt64.self))
            return (bytes.word(at: start) | Self.caseBits) & kept == wanted
        }
        var offset = 0
        while true {
            let wanted = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let found = bytes.base.loadUnaligned(
                fromByteOffset: start &+ offset, as: UInt64.self)
            if found | Self.caseBits != wanted { return false }
            if offset == length &- 8 { return true }
            // The last word overlaps the one before it.
            offset = min(offset &+ 8, length &- 8)
        }
    }

    /// How many names are not where their hash says; zero, which a test asserts.
    var collisions: Int {
        HeaderName.allCases.filter { name in
            let text = name.name
            let last = text.utf8Start[text.utf8CodeUnitCount - 1]
            let slot = Self.hash(text.utf8CodeUnitCount, text.utf8Start[0], last)
            return slots[slot] != name.rawValue
        }.count
    }
}
