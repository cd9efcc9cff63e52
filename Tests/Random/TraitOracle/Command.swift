// Runs what is random or exhaustive and takes long, on all processors, against the engine's rules
// in their plainest form. Made for a release build with assertions, as `.ci/checked` makes it:
//
//     TraitOracle [short|snapshots|trees|scripts]…
//         [--scripts 5000] [--after 0] [--steps 200] [--seed 1] [--thorough 20]
//
// Without names it runs all of them. The options are those of the long scripts; `--after 1000`
// leaves out the first 1,000.

import Glibc

@main struct Command {
    struct Options: Sendable {
        var scripts = 5_000
        var after = 0
        var steps = 200
        var seed = 1
        var thorough = 20

        fileprivate static let names: [String: WritableKeyPath<Options, Int> & Sendable] = [
            "--scripts": \.scripts, "--after": \.after, "--steps": \.steps, "--seed": \.seed,
            "--thorough": \.thorough,
        ]
    }

    private var options = Options()
    private var names: [String] = []

    static func main() async {
        var command = Command()
        if let unknown = command.read(CommandLine.arguments.dropFirst()) {
            print("TraitOracle: what is \(unknown)?")
            exit(2)
        }
        exit(await command.run() ? 0 : 1)
    }

    /// The first argument that it does not understand.
    private mutating func read(_ arguments: ArraySlice<String>) -> String? {
        var rest = arguments
        while let name = rest.popFirst() {
            if LongSuite.names.contains(name) {
                names.append(name)
                continue
            }
            guard let option = Options.names[name], let value = rest.popFirst(),
                let number = Int(value), number >= (name == "--after" ? 0 : 1)
            else { return name }
            options[keyPath: option] = number
        }
        if names.isEmpty { names = LongSuite.names }
        return nil
    }

    /// One part after another on each processor. Whether all agree and none lacks anything.
    private func run() async -> Bool {
        let suites = names.flatMap { LongSuite.suites($0, options) }
        let parts = suites.indices.flatMap { suite in suites[suite].parts.map { (suite, $0) } }
        var results = suites.map { _ in Result() }
        var next = parts.startIndex
        await withTaskGroup(of: (Int, LongRun, ScriptOutcome, Double).self) { group in
            func start() {
                guard next < parts.endIndex else { return }
                let (suite, part) = parts[next]
                next += 1
                group.addTask {
                    let (outcome, seconds) = part.run()
                    return (suite, part, outcome, seconds)
                }
            }
            for _ in 0..<Self.processorCount { start() }
            for await (suite, part, outcome, seconds) in group {
                results[suite].add(outcome, seconds)
                if let failure = outcome.failure {
                    print("\(suites[suite].name), \(part.name): DIFFERS\n\(failure)")
                    // The others would only say the same.
                    next = parts.endIndex
                    fflush(nil)
                }
                start()
            }
        }
        return zip(suites, results).map { $1.report($0) }.allSatisfy(\.self)
    }

    /// What came of the parts of a suite.
    private struct Result {
        private var tally: [String: Int] = [:]
        private var seconds = 0.0
        private var partCount = 0
        private var isGood = true

        mutating func add(_ outcome: ScriptOutcome, _ seconds: Double) {
            tally.merge(outcome.tally) { $0 + $1 }
            self.seconds += seconds
            partCount += 1
            if outcome.failure != nil { isGood = false }
        }

        /// In the words of Swift Testing, so that one reader of times knows both.
        func report(_ suite: LongSuite) -> Bool {
            let isWhole = partCount == suite.parts.count
            let lacks = isGood && isWhole ? suite.lacks(tally) : []
            let verdict = isGood && isWhole && lacks.isEmpty ? "passed" : "failed"
            let words = tally.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            if !words.isEmpty { print("  \(suite.name): " + words.joined(separator: ", ")) }
            for lack in lacks { print("  TOO LITTLE: \(lack)") }
            let time = (seconds * 1_000).rounded() / 1_000
            print(
                "Suite \"\(suite.name)\" \(verdict) after \(time) seconds,"
                    + " \(partCount) of \(suite.parts.count) parts")
            return verdict == "passed"
        }
    }

    private static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
