// The command: `AccessMatrix` goes through all cells, `AccessMatrix COUNT [SEED]` through some.

import Glibc

@main
struct Command {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
        let count = arguments.first.flatMap { $0 }.map(Int.init)
        let seed = arguments.dropFirst().first.flatMap { $0 } ?? 1
        let report = try Matrix.run(count, seed: seed)
        for finding in report.findings { print("DIFFERS \(finding)") }
        print("seed \(seed): \(report)")
        exit(report.isGood ? 0 : 1)
    }
}
