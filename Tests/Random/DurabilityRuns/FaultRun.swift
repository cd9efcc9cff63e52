// Calls of the disk that fail, at random: flushes, writes, short writes, no room. Whatever was answered
// with success is there after a power cut.

import SQLiteLog
import SeededRandom
import SessionLog
import SessionScripts

package enum FaultRun {
    /// - Throws: what was lost, or is there and should not be.
    package static func run(seed: UInt64) throws -> RunOutcome {
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let disk = try Disk(folder)
        var outcome = RunOutcome()
        let workload: Workload
        do {
            let log = try disk.open { $0.flushAttemptsMax = 3 }
            workload = Workload(log, seed: random.next())
            workload.run(steps: 10) { false }
            for _ in 0..<4 {
                plant(on: disk, &random)
                workload.run(steps: 12) { log.trouble != nil }
            }
            disk.leaveRoom(nil)
            outcome.refusals = workload.refusals.values.reduce(0, +)
            // Whether the process ends or the power fails.
            workload.finish()
            if random.chance(70) { disk.cut(seed: random.next()) }
            log.end(copies: false)
        }
        outcome.commits = workload.commits
        outcome.checks = 1
        let after = try Disk(folder).open()
        try workload.check(after, seed: seed)
        after.end()
        return outcome
    }

    private static func plant(on disk: Disk, _ random: inout SeededRandom) {
        let nth = 1 + random.below(30)
        switch random.below(6) {
        case 0: disk.fail(.flush, nth: nth, times: 1, with: Disk.flushError)
        case 1: disk.fail(.flush, nth: nth, times: 3, with: Disk.flushError)
        case 2: disk.fail(.flush, nth: nth, times: -1, with: Disk.flushError)
        case 3: disk.leaveRoom(random.below(200_000))
        case 4: disk.fail(.write, nth: nth, times: 1 + random.below(3))
        default: disk.fail(.shortWrite, nth: nth, times: 1, with: Disk.full)
        }
    }
}
