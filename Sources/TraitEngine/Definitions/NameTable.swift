// Finds a trait or a set by the bytes of its name as they stand in a request, so that a lookup
// makes no String. Small (at most two names a trait), built by insertion only: removing a name
// rebuilds the table, as definitions are rarely deleted.

/// Open addressing over names that lie one after the other in an arena.
struct NameTable: Sendable {
    private struct Entry: Sendable {
        var hash: UInt32
        var offset: Int32
        var count: Int32
        var target: Int32
    }

    private var slots: [Int32]
    private var entries: [Entry] = []
    private var arena: [UInt8] = []
    /// Names come from outside: without the seed nobody can choose names that collide.
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        slots = []
    }

    /// The target stored for `name`, if any. O(length of the name).
    func target(of name: UnsafeRawBufferPointer) -> Int32? {
        if slots.isEmpty { return nil }
        let hash = Self.hash(name, seed: seed)
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let entry = entries[Int(slots[slot])]
            if entry.hash == hash, entry.count == name.count, isEqual(entry, name) {
                return entry.target
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    func target(of name: String) -> Int32? {
        var name = name
        return name.withUTF8 { target(of: UnsafeRawBufferPointer($0)) }
    }

    /// Adds a name that is not there yet.
    mutating func insert(_ name: String, target: Int32) {
        if (entries.count + 1) * 2 > slots.count { grow() }
        let offset = Int32(arena.count)
        arena.append(contentsOf: name.utf8)
        var name = name
        let hash = name.withUTF8 { Self.hash(UnsafeRawBufferPointer($0), seed: seed) }
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

    private mutating func place(_ position: Int32, hash: UInt32) {
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = position
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: max(16, slots.count * 2))
        for (position, entry) in entries.enumerated() {
            place(Int32(position), hash: entry.hash)
        }
    }

    private func isEqual(_ entry: Entry, _ name: UnsafeRawBufferPointer) -> Bool {
        arena.withUnsafeBytes { arena in
            var position = 0
            let count = name.count
            let offset = Int(entry.offset)
            while position + 8 <= count {
                let left = name.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                let right = arena.loadUnaligned(fromByteOffset: offset + position, as: UInt64.self)
                if left != right { return false }
                position += 8
            }
            while position < count {
                if name[position] != arena[offset + position] { return false }
                position += 1
            }
            return true
        }
    }

    /// Eight bytes a step, folded by the high half of a 128-bit product.
    private static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt32 {
        var state = seed ^ 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
        var position = 0
        while position + 8 <= bytes.count {
            state = mix(state ^ bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            position += 8
        }
        var tail: UInt64 = 0
        while position < bytes.count {
            tail = tail << 8 | UInt64(bytes[position])
            position += 1
        }
        state = mix(state ^ tail)
        return UInt32(truncatingIfNeeded: state ^ state >> 32)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
