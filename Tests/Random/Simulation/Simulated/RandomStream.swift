// Independent random numbers of one seed. What draws from its own stream does not shift the others when it is left
// out, so that a fault can be removed from a run while the clients do what they did.

import SeededRandom

extension SeededRandom {
    /// The numbers of one purpose: `schedule`, `faults`, `clients`, `requests`.
    package init(seed: UInt64, for purpose: String) {
        // FNV-1a tells the purposes apart, and one step of SplitMix64 removes the likeness of neighbouring seeds.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in purpose.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var mixed = SeededRandom(seed: seed ^ hash)
        self.init(seed: mixed.next())
    }

    /// Whether something happens whose probability is so many thousandths.
    package mutating func happens(perMille: UInt64) -> Bool { next() % 1_000 < perMille }
}
