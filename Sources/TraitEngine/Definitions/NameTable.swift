// Finds traits, sets and sessions by the bytes of a name in a request, without making a String.

/// Open addressing over names that lie one after the other in an arena.
package struct NameTable: Sendable {
    private struct Entry: Sendable {
        var hash: UInt32
        var offset: Int32
        /// Below 0 for a name that was removed.
        var count: Int32
        var target: Int32
    }

    private var slots: [Int32]
    private var entries: [Entry] = []
    private var arena: [UInt8] = []
    /// Entries of removed names.
    private var removedCount = 0
    /// Names come from outside: without the seed a client cannot choose names that collide.
    private let seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        slots = []
    }

    /// The target stored for `name`, if any. O(length of the name).
    package func target(of name: UnsafeRawBufferPointer) -> Int32? {
        find(name)?.entry.target
    }

    @inline(__always)
    private func find(_ name: UnsafeRawBufferPointer) -> (slot: Int, entry: Entry)? {
        if slots.isEmpty { return nil }
        let hash = Self.hash(name, seed: seed)
        let mask = slots.count &- 1
        var slot = Int(hash) & mask
        while true {
            let position = slots[slot]
            if position < 0 { return nil }
            let entry = entries[Int(position)]
            if entry.hash == hash, entry.count == name.count, isEqual(entry, name) {
                return (slot, entry)
            }
            slot = (slot &+ 1) & mask
        }
    }

    package func target(of name: String) -> Int32? {
        var name = name
        return name.withUTF8 { target(of: UnsafeRawBufferPointer($0)) }
    }

    /// Adds a name that is not there yet.
    package mutating func insert(_ name: String, target: Int32) {
        var name = name
        name.withUTF8 { bytes in
            let hash = Self.hash(UnsafeRawBufferPointer(bytes), seed: seed)
            insert(bytes, hash: hash, target: target)
        }
    }

    private mutating func insert(_ name: some Collection<UInt8>, hash: UInt32, target: Int32) {
        if (entries.count + 1) * 2 > slots.count { grow() }
        let offset = Int32(arena.count)
        arena.append(contentsOf: name)
        let count = Int32(arena.count) - offset
        place(Int32(entries.count), hash: hash)
        entries.append(Entry(hash: hash, offset: offset, count: count, target: target))
    }

    /// Adds a trait's key and identifier.
    mutating func insert(_ definition: TraitDefinition, _ trait: TraitIndex) {
        insert(definition.key, target: Int32(trait.rawValue))
        if let identifier = definition.identifier {
            insert(identifier, target: Int32(trait.rawValue))
        }
    }

    /// Removes a name, if it is there. Amortised O(length of the name).
    package mutating func remove(_ name: String) {
        var name = name
        guard let slot = name.withUTF8({ find(UnsafeRawBufferPointer($0))?.slot }) else { return }
        entries[Int(slots[slot])].count = -1
        removedCount += 1
        close(slot)
        if removedCount > 16, removedCount * 2 > entries.count { compact() }
    }

    /// Removes a trait's key and identifier.
    mutating func remove(_ definition: TraitDefinition) {
        remove(definition.key)
        if let identifier = definition.identifier { remove(identifier) }
    }

    /// Empties a slot and moves those up that were placed behind it because it was taken.
    private mutating func close(_ emptied: Int) {
        let mask = slots.count - 1
        var hole = emptied
        var slot = (hole + 1) & mask
        while slots[slot] >= 0 {
            let home = Int(entries[Int(slots[slot])].hash) & mask
            // As far from its home as from the hole, or farther: the hole lies on its way.
            if (slot - home) & mask >= (slot - hole) & mask {
                slots[hole] = slots[slot]
                hole = slot
            }
            slot = (slot + 1) & mask
        }
        slots[hole] = -1
    }

    /// Drops what removed names left. O(names).
    private mutating func compact() {
        var kept = NameTable(seed: seed)
        for entry in entries where entry.count >= 0 {
            let bytes = arena[Int(entry.offset)..<Int(entry.offset + entry.count)]
            kept.insert(bytes, hash: entry.hash, target: entry.target)
        }
        self = kept
    }

    private mutating func place(_ position: Int32, hash: UInt32) {
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = position
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: max(16, slots.count * 2))
        for (position, entry) in entries.enumerated() where entry.count >= 0 {
            place(Int32(position), hash: entry.hash)
        }
    }

    // Not by `memcmp`: for a call of the C library the arrays would be retained.
    @inline(__always)
    private func isEqual(_ entry: Entry, _ name: UnsafeRawBufferPointer) -> Bool {
        arena.withUnsafeBytes { arena in
            guard let base = arena.baseAddress else { return name.isEmpty }
            let known = UnsafeRawBufferPointer(
                start: base + Int(entry.offset), count: name.count)
            var position = 0
            while position &+ 8 <= name.count {
                let word = name.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                if word != known.loadUnaligned(fromByteOffset: position, as: UInt64.self) {
                    return false
                }
                position &+= 8
            }
            return IdentifierKey.tail(name, from: position)
                == IdentifierKey.tail(known, from: position)
        }
    }

    /// Eight bytes a step, folded by the high half of a 128-bit product.
    private static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt32 {
        var state = seed ^ 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
        var position = 0
        while position &+ 8 <= bytes.count {
            state = mix(state ^ bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            position &+= 8
        }
        state = mix(state ^ IdentifierKey.tail(bytes, from: position))
        return UInt32(truncatingIfNeeded: state ^ state >> 32)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
