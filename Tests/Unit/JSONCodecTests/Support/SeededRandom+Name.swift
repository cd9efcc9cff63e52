// Random tests must be repeatable: each prints its seed, and TEST_SEED sets it.

import Glibc
import SeededRandom

extension SeededRandom {
    /// Takes the seed from the environment or from chance, and prints it with the test's name.
    static func make(_ name: String) -> SeededRandom {
        let given = getenv("TEST_SEED").flatMap { UInt64(String(cString: $0)) }
        let seed = given ?? UInt64.random(in: .min ... .max)
        print("\(name): TEST_SEED=\(seed)")
        return SeededRandom(seed: seed)
    }
}
