// Runs random scripts on sessions and their logs, on all processors. Made for a release build with
// assertions, as `.ci/checked` makes it:
//
//     RunSessionScripts [--scripts 1000] [--after 0] [--steps 40] [--seed 1]
//
// `--after 1000` leaves out the first 1,000.

import Foundation
import SQLiteLog
import SessionScripts

@main struct Command {
    private static let names = ["--scripts", "--after", "--steps", "--seed"]
    private static let batchCount = 25

    static func main() async {
        var options = [1_000, 0, 40, 1]
        var rest = CommandLine.arguments.dropFirst()
        while let name = rest.popFirst() {
            guard let place = names.firstIndex(of: name),
                let value = rest.popFirst().flatMap(Int.init),
                value >= 0
            else {
                print("RunSessionScripts: what is \(name)?")
                exit(2)
            }
            options[place] = value
        }
        let first = UInt64(options[3] + options[1])
        let end = first + UInt64(max(0, options[0]))
        let starts = stride(from: first, to: end, by: batchCount)
        let batches = starts.map { $0..<min(end, $0 + UInt64(batchCount)) }
        exit(await run(batches, stepCount: options[2]) ? 0 : 1)
    }

    private static func run(_ batches: [Range<UInt64>], stepCount: Int) async -> Bool {
        var tally: [String: Int] = [:]
        var next = 0
        var done = 0
        var isGood = true
        let start = processSeconds
        await withTaskGroup(of: ScriptOutcome.self) { group in
            func add() {
                guard next < batches.count else { return }
                let batch = batches[next]
                next += 1
                group.addTask { outcome(of: batch, stepCount: stepCount) }
            }
            for _ in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) { add() }
            for await outcome in group {
                tally.merge(outcome.tally) { $0 + $1 }
                done += 1
                if let failure = outcome.failure {
                    isGood = false
                    next = batches.count
                    print("Session scripts: DIFFERS\n\(failure)")
                    fflush(nil)
                }
                add()
            }
        }
        let words = tally.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        print("  Session scripts: " + words.joined(separator: ", "))
        let lacks =
            isGood ? ScriptOutcome.lacks(tally, scripts: batches.reduce(0) { $0 + $1.count }) : []
        for lack in lacks { print("  TOO LITTLE: \(lack)") }
        isGood = isGood && lacks.isEmpty
        let seconds = ((processSeconds - start) * 1_000).rounded() / 1_000
        print(
            "Suite \"Session scripts\" \(isGood ? "passed" : "failed") after \(seconds) seconds,"
                + " \(done) of \(batches.count) parts")
        return isGood
    }

    /// The scripts of a batch share a log on disk.
    private static func outcome(of batch: Range<UInt64>, stepCount: Int) -> ScriptOutcome {
        var folder = Array("/tmp/traitd-scripts-XXXXXX".utf8CString)
        guard mkdtemp(&folder) != nil else { return ScriptOutcome(failure: "no folder in /tmp") }
        let path = String(decoding: folder.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            let log = try SQLiteLog(path: path)
            defer { log.end() }
            return ScriptOutcome(of: batch, stepCount: stepCount, disk: log)
        } catch {
            return ScriptOutcome(failure: "the log on disk: \(error)")
        }
    }

    private static var processSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
