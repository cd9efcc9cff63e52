// RFC 8259 leaves open what a name that occurs twice means, and readers differ; so it is refused.
// Names are compared after unescaping. Few names are compared pairwise by hash, more of them
// through a table; both are a few nanoseconds a name, and the table is linear for any input that
// was not made with knowledge of the seed.

import Glibc

extension JSONParser {
    /// Above this many names the table is used.
    private static let pairwiseMax = 16

    func refuseDuplicates(first: Int, names: Int) throws(Fault) {
        if let entry = try duplicate(first: first, names: names) {
            throw Fault(.duplicateKey, at: Int(entries[entry].start), entry: entry)
        }
    }

    /// The entry of the first name that occurred before; `first` is the entry of the first name.
    private func duplicate(first: Int, names: Int) throws(Fault) -> Int? {
        if names <= Self.pairwiseMax {
            guard storage.pointee.slots.grow(to: Self.pairwiseMax) else {
                throw Fault(.outOfMemory, at: Int(entries[first].start))
            }
            return duplicatePairwise(first: first, names: names)
        }
        // At most half full. Names are fewer than 2^28, so the sum cannot overflow.
        let slotCount = 1 &<< (Int.bitWidth &- (names &* 2 &- 1).leadingZeroBitCount)
        guard storage.pointee.slots.grow(to: slotCount) else {
            throw Fault(.outOfMemory, at: Int(entries[first].start))
        }
        return duplicateInTable(first: first, names: names, slotCount: slotCount)
    }

    private func duplicatePairwise(first: Int, names: Int) -> Int? {
        let slots = storage.pointee.slots.base
        var entry = first
        for position in 0..<names {
            let slot = self.slot(entry)
            for earlier in 0..<position
            where (slots[earlier] ^ slot) &>> 32 == 0 && sameName(slots[earlier], slot) {
                return entry
            }
            slots[position] = slot
            if position &+ 1 < names { entry = nextName(after: entry) }
        }
        return nil
    }

    private func duplicateInTable(first: Int, names: Int, slotCount: Int) -> Int? {
        let slots = storage.pointee.slots.base
        slots.update(repeating: 0, count: slotCount)
        let mask = slotCount &- 1
        var entry = first
        for position in 0..<names {
            let slot = self.slot(entry)
            var index = Int(truncatingIfNeeded: slot &>> 32) & mask
            while slots[index] != 0 {
                if (slots[index] ^ slot) &>> 32 == 0, sameName(slots[index], slot) { return entry }
                index = (index &+ 1) & mask
            }
            slots[index] = slot
            if position &+ 1 < names { entry = nextName(after: entry) }
        }
        return nil
    }

    /// Half a hash above, the entry below. Never 0, since entry 0 is the root and no name.
    @inline(__always)
    private func slot(_ entry: Int) -> UInt64 {
        let hash = hashSeed(contents(entry), Int(entries[entry].payload))
        return hash & 0xFFFF_FFFF_0000_0000 | UInt64(truncatingIfNeeded: entry)
    }

    @inline(__always)
    private func contents(_ entry: Int) -> UnsafePointer<UInt8> {
        let link = Int(entries[entry].link)
        return entries[entry].kind == TapeKind.string
            ? text + link : UnsafePointer(storage.pointee.unescaped.base) + link
    }

    private func sameName(_ left: UInt64, _ right: UInt64) -> Bool {
        let left = Int(left & 0xFFFF_FFFF)
        let right = Int(right & 0xFFFF_FFFF)
        let count = Int(entries[left].payload)
        guard count == Int(entries[right].payload) else { return false }
        return memcmp(contents(left), contents(right), count) == 0
    }

    /// The name that follows; the value between them is complete.
    @inline(__always)
    func nextName(after entry: Int) -> Int {
        let value = entry &+ 1
        return entries[value].isContainer ? Int(entries[value].link) : value &+ 1
    }

    /// The earlier of `fault` and any duplicate in the objects that are still open, so that the
    /// error reported is the first one in the text, whatever came to light first.
    func earliest(_ fault: Fault) -> Fault {
        var best = fault
        var child = count
        var index = open
        while index >= 0 {
            if entries[index].kind == TapeKind.object {
                let names = namesRead(in: index, openChild: child)
                if names > 1, let entry = try? duplicate(first: index &+ 1, names: names),
                    Int(entries[entry].start) < best.offset
                {
                    best = Fault(.duplicateKey, at: Int(entries[entry].start), entry: entry)
                }
            }
            child = index
            let parent = entries[index].link
            index = parent == TapeEntry.noParent ? -1 : Int(parent)
        }
        return best
    }

    /// How many names of an open object are on the tape; `openChild` is the value not yet complete.
    private func namesRead(in object: Int, openChild: Int) -> Int {
        var names = 0
        var entry = object &+ 1
        while entry < count {
            names &+= 1
            guard entry &+ 1 < openChild else { break }
            entry = nextName(after: entry)
        }
        return names
    }
}
