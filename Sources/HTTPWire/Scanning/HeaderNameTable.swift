// Recognises a field name in a few instructions: one hash of its length and two letters, one
// comparison in whole words.

/// The known field names as a hash table. Built once from `HeaderName`; never changed or freed.
struct HeaderNameTable: Sendable {
    // Nothing writes through these after `init`.
    /// For each hash the name there and, in the high byte, its length; or `empty`.
    nonisolated(unsafe) private let slots: UnsafePointer<UInt16>
    /// For each name its bytes with the case bit set.
    nonisolated(unsafe) private let texts: UnsafeRawPointer

    private static let empty: UInt16 = 0xFFFF
    private static let slotCount = 128
    private static let textBytes = 32
    private static let caseBits: UInt64 = 0x2020_2020_2020_2020

    init() {
        let count = HeaderName.allCases.count
        let slots = UnsafeMutablePointer<UInt16>.allocate(capacity: Self.slotCount)
        slots.initialize(repeating: Self.empty, count: Self.slotCount)
        let texts = UnsafeMutablePointer<UInt8>.allocate(capacity: count * Self.textBytes)
        texts.initialize(repeating: 0, count: count * Self.textBytes)
        for name in HeaderName.allCases {
            let text = UnsafeBufferPointer(
                start: name.name.utf8Start, count: name.name.utf8CodeUnitCount)
            let index = Int(name.rawValue)
            for position in text.indices {
                texts[index * Self.textBytes + position] = text[position] | 0x20
            }
            var slot = Self.hash(text.count, text[0], text[text.count - 1])
            while slots[slot] != Self.empty { slot = (slot + 1) % Self.slotCount }
            slots[slot] = UInt16(text.count) << 8 | UInt16(name.rawValue)
        }
        self.slots = UnsafePointer(slots)
        self.texts = UnsafeRawPointer(texts)
    }

    @inline(__always)
    private static func hash(_ length: Int, _ first: UInt8, _ last: UInt8) -> Int {
        let mixed = length &+ Int(first | 0x20) &* 5 &+ Int(last | 0x20) &* 3
        return mixed & (slotCount &- 1)
    }

    /// The name's number, or `nil` when it is no `HeaderName`. `start..<stop` is not empty and holds
    /// neither controls nor white space; with those excluded, setting the case bit makes only
    /// letters equal, so a match is a valid token too.
    @inline(__always)
    func find(_ bytes: WireBytes, from start: Int, to stop: Int) -> UInt8? {
        let length = stop &- start
        var slot = Self.hash(length, bytes[start], bytes[stop &- 1])
        while true {
            let entry = slots[slot]
            if entry == Self.empty { return nil }
            if Int(entry &>> 8) == length, matches(Int(entry & 0xFF), bytes, start, length) {
                return UInt8(truncatingIfNeeded: entry)
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
            return slots[slot] & 0xFF != UInt16(name.rawValue)
        }.count
    }
}
