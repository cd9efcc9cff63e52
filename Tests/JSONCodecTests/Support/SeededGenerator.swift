// Random tests must be repeatable: each prints its seed, and TEST_SEED sets it.

import Glibc

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    /// Takes the seed from the environment or from chance, and prints it with the test's name.
    static func make(_ name: String) -> SeededGenerator {
        var seed = UInt64.random(in: .min ... .max)
        if let text = getenv("TEST_SEED"), let given = UInt64(String(cString: text)) {
            seed = given
        }
        print("\(name): TEST_SEED=\(seed)")
        return SeededGenerator(seed: seed)
    }

    init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word &>> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word &>> 31)
    }
}
