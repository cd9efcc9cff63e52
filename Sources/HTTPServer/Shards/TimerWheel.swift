// Deadlines that cost nothing for each request: moving one to later is a store in its owner; the
// wheel finds out when it comes by, and files it anew.
//
//   bucket  0    1    2    3  …  4095          one bucket = 2^24 ns, about 17 ms
//           │    │    └─ slot 7 ⇄ slot 2        a revolution = about 69 s
//           └─ slot 1
//
// A deadline beyond a revolution is filed at its end, and filed anew when that comes.

/// A hashed timing wheel over connection slots; each slot is filed once at most.
struct TimerWheel {
    static let tickShift: UInt64 = 24
    private static let bucketCount = 4_096
    private static let none: Int32 = -1

    private var heads = ContiguousArray<Int32>(repeating: none, count: bucketCount)
    /// One bit for each bucket that is not empty.
    private var occupied = ContiguousArray<UInt64>(repeating: 0, count: bucketCount / 64)
    private var links = ContiguousArray<Link>()
    /// Every bucket up to this tick has been emptied.
    private var currentTick: UInt64

    private struct Link {
        var next = TimerWheel.none
        var previous = TimerWheel.none
        /// When the wheel comes by; `.max` when not filed.
        var tick = UInt64.max
    }

    init(now: UInt64) {
        currentTick = now >> Self.tickShift
    }

    /// Makes room for a slot. Amortised O(1).
    mutating func addSlot(_ slot: Int) {
        while links.count <= slot { links.append(Link()) }
    }

    /// Makes the wheel visit the slot no later than at the first tick after `deadline`. O(1).
    @inline(__always)
    mutating func file(_ slot: Int, deadline: UInt64) {
        if deadline >> Self.tickShift < links[slot].tick { refile(slot, deadline) }
    }

    private mutating func refile(_ slot: Int, _ deadline: UInt64) {
        let wanted = max((deadline >> Self.tickShift) &+ 1, currentTick &+ 1)
        let tick = min(wanted, currentTick &+ UInt64(Self.bucketCount) &- 1)
        if links[slot].tick <= tick { return }
        remove(slot)
        let bucket = Self.bucket(tick)
        let head = heads[bucket]
        links[slot] = Link(next: head, previous: Self.none, tick: tick)
        if head >= 0 { links[Int(head)].previous = Int32(truncatingIfNeeded: slot) }
        heads[bucket] = Int32(truncatingIfNeeded: slot)
        occupied[bucket >> 6] |= 1 << UInt64(bucket & 63)
    }

    /// Without effect when it is not filed. O(1).
    mutating func remove(_ slot: Int) {
        let link = links[slot]
        guard link.tick != .max else { return }
        let bucket = Self.bucket(link.tick)
        if link.next >= 0 { links[Int(link.next)].previous = link.previous }
        if link.previous >= 0 {
            links[Int(link.previous)].next = link.next
        } else {
            heads[bucket] = link.next
            if link.next < 0 { occupied[bucket >> 6] &= ~(1 << UInt64(bucket & 63)) }
        }
        links[slot] = Link()
    }

    /// Removes every slot whose tick has come. The owner of a slot checks whether its deadline has
    /// passed. O(1) within a tick, else O(ticks passed + slots due).
    mutating func advance(to now: UInt64, due: inout ContiguousArray<Int32>) {
        let target = now >> Self.tickShift
        guard target > currentTick else { return }
        let steps = min(target &- currentTick, UInt64(Self.bucketCount))
        for step in 1...steps {
            let bucket = Self.bucket(currentTick &+ step)
            while heads[bucket] >= 0 {
                due.append(heads[bucket])
                remove(Int(heads[bucket]))
            }
        }
        currentTick = target
    }

    /// When the wheel has to be advanced next, in nanoseconds; `nil` when nothing is filed.
    /// O(buckets / 64).
    func nextDeadline() -> UInt64? {
        let first = Self.bucket(currentTick &+ 1)
        var word = first >> 6
        var bits = occupied[word] & (.max << UInt64(first & 63))
        for _ in 0...occupied.count {
            if bits != 0 {
                let bucket = word << 6 | bits.trailingZeroBitCount
                let distance = (bucket &- first) & (Self.bucketCount &- 1)
                return (currentTick &+ 1 &+ UInt64(distance)) << Self.tickShift
            }
            word = (word &+ 1) & (occupied.count &- 1)
            bits = occupied[word]
        }
        return nil
    }

    private static func bucket(_ tick: UInt64) -> Int { Int(tick & UInt64(bucketCount &- 1)) }
}
