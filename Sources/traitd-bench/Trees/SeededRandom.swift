// A small generator whose whole run follows from one printed number.

/// SplitMix64.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// 0 …< bound.
    mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(max(bound, 1)))
    }

    mutating func chance(percent: Int) -> Bool { below(100) < percent }

    /// So many different numbers of 0 …< bound, in random order.
    mutating func distinct(_ count: Int, below bound: Int) -> [Int] {
        if count * 3 > bound { return Array((0..<bound).shuffled(using: &self).prefix(count)) }
        var seen = Set<Int>()
        var numbers: [Int] = []
        while numbers.count < count {
            let number = below(bound)
            if seen.insert(number).inserted { numbers.append(number) }
        }
        return numbers
    }
}
