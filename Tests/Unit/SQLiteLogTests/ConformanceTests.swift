// The rules of SessionLog, run against the log on disk.

import DurabilityRuns
import SQLiteLog
import SessionLog
import SessionLogTestSupport
import Testing

@Suite("The log on disk")
struct SQLiteConformanceTests {
    @Test("Every log keeps the rules", arguments: SessionLogConformance.rules)
    func conformance(rule: SessionLogConformance.Rule) throws {
        var folders: [TemporaryFolder] = []
        try rule.check(
            SessionLogConformance {
                folders.append(try TemporaryFolder())
                var options = SQLiteLogOptions()
                options.snapshotPartBytes = 3
                options.minFreeDiskBytes = 0
                return try SQLiteLog(path: folders[folders.count - 1].path, options: options)
            })
    }
}
