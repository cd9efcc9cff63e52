// A few of the flipped bits that `.ci/checked RunDurability` makes by the thousand.

import DurabilityRuns
import SeededRandom
import Testing

@Suite("Damage")
struct DamageTests {
    @Test("A flipped bit is survived or named", arguments: [true, false])
    func flips(isOpen: Bool) throws {
        let run = try DamageRun(seed: 1, isOpen: isOpen)
        var random = SeededRandom(seed: 1)
        for _ in 0..<20 { try run.flip(&random) }
        #expect(run.survived + run.refused == 20)
    }
}
