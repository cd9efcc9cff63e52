// A few of the random runs that `.ci/checked RunDurability` makes by the thousand.

import DurabilityRuns
import SeededRandom
import Testing

@Suite("Power cuts, failing disks and damage")
struct RandomRunTests {
    @Test("Everything acknowledged is there after a power cut", arguments: UInt64(1)...4)
    func cuts(seed: UInt64) throws {
        _ = try PowerCutRun.run(seed: seed)
    }

    @Test("Everything acknowledged is there after calls that failed", arguments: UInt64(1)...8)
    func faults(seed: UInt64) throws {
        _ = try FaultRun.run(seed: seed)
    }

    @Test("An entry that leads to another state than it says is refused by its digest")
    func forged() throws { try DamageRun.forge() }

    @Test("A flipped bit is survived or named", arguments: [true, false])
    func flips(isOpen: Bool) throws {
        let run = try DamageRun(seed: 1, isOpen: isOpen)
        var random = SeededRandom(seed: 1)
        for _ in 0..<20 { try run.flip(&random) }
        #expect(run.survived + run.refused == 20)
    }
}
