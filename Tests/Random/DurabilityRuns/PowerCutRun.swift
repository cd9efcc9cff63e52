// One power cut: random writes, a cut at a random call of the disk, and a start over what is left.

import SQLiteLog
import SeededRandom
import SessionLog
import SessionScripts

package struct RunOutcome: Sendable {
    package var commits = 0
    package var checks = 0
    package var refusals = 0

    package init() {}
}

package enum PowerCutRun {
    /// - Throws: what was lost, or is there and should not be.
    package static func run(seed: UInt64) throws -> RunOutcome {
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        var outcome = RunOutcome()
        // What one cut leaves is what the next one begins with.
        for round in 0..<2 {
            let disk = try Disk(folder)
            let workload: Workload
            do {
                let log = try disk.open()
                disk.cut(atCall: 1 + random.below(400), seed: random.next())
                workload = Workload(log, prefix: "r\(round)s", seed: random.next())
                workload.run(steps: 120) { disk.isCut }
                disk.cut(seed: random.next())
                if round == 1 { try workload.checkBefore(log) }
                workload.finish()
                log.end(copies: false)
            }
            outcome.commits += workload.commits
            let after = try Disk(folder).open()
            try workload.check(after, seed: seed)
            outcome.checks += 1
            after.end()
        }
        return outcome
    }
}

extension Workload {
    /// A log whose disk is gone must say so, and must not answer as if it had everything.
    func checkBefore(_ log: any SessionLog) throws {
        guard log.trouble == nil else { return }
        let probe = LogEntry(revision: 1, time: 0, payload: [], after: 0)
        let session = LogSession(name: "probe", uid: "probe")
        let part = LogAppend(session: session, entries: [probe], expecting: 0)
        try expect(log.append([part]) != [.appended], "a disk without power took a commit")
    }
}
