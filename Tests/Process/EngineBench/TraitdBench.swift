// The command: what to measure, on which trees, and where the figures go.

import ArgumentParser

@main
struct TraitdBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "traitd-bench",
        abstract: "Measures traitd's engine.",
        discussion: """
            Before the engine is compared with a naive one, both go through random commits, and \
            the run ends if they disagree. Figures are medians, with the lowest, both quartiles \
            and the highest in brackets.
            """)

    @Option(parsing: .upToNextOption, help: "How many nodes the trees have.")
    var sizes = [1_000, 10_000, 100_000, 1_000_000]

    @Option(
        parsing: .upToNextOption,
        help: "The trees' shapes. Chains are 10,000 nodes deep at most, whatever the sizes.")
    var shapes = Shape.allCases

    @Flag(help: "Whether everything runs, not how fast: 1,000 nodes, three repetitions.")
    var quick = false

    @Option(help: "How often to go through everything; figures are medians of all passes.")
    var passes = 1

    @Option(help: "Write the figures to a file as JSON.", completion: .file())
    var json: String?

    @Option(help: "Only the cases in whose name, or in one of whose figures' names, this is.")
    var filter = ""

    @Option(help: "What the random trees, reads and scripts follow from.")
    var seed: UInt64 = 1

    @Option(help: "A release build of traitd, to measure how fast it loads a file.")
    var server: String?

    @Option(help: "The machine and the compiler as JSON, for the report.")
    var machine = "{}"

    @Flag(help: "List the names of all figures and end.")
    var list = false

    @Option(help: .hidden)
    var memoryProbe: String?

    @Option(help: .hidden)
    var hotPath: HotPath?

    @Option(help: .hidden)
    var count = 1_000

    func validate() throws {
        if sizes.contains(where: { !(100...4_000_000).contains($0) }) {
            throw ValidationError("--sizes go from 100 to 4000000.")
        }
        if !(1...100).contains(passes) { throw ValidationError("--passes go from 1 to 100.") }
        if sizes.isEmpty || shapes.isEmpty {
            throw ValidationError("--sizes and --shapes need at least one.")
        }
    }

    func run() throws {
        if let memoryProbe {
            guard let probe = MemoryProbe(argument: memoryProbe) else {
                throw ValidationError("--memory-probe takes what the bench passes itself.")
            }
            return try probe.run()
        }
        if let hotPath { return try hotPath.run(count) }
        if list {
            for name in BenchCases.all.flatMap({ $0.measures }) { print(name) }
            return
        }
        let settings = Settings(
            sizes: quick ? [1_000] : sizes.sorted(), shapes: shapes, isQuick: quick, seed: seed,
            passes: passes, serverPath: server)
        print("seed \(seed)")
        let bench = Bench(settings)
        let cases = BenchCases.all.filter { $0.matches(filter) }
        if cases.isEmpty { throw ValidationError("No case is called '\(filter)'. Try --list.") }
        try bench.run(cases)
        try checkComplete(cases, bench)
        let waits = bench.waits
        print(
            "\nthe core was free for \(waits.free) repetitions, \(waits.waited) waited for it, "
                + "\(waits.shared) shared it")
        Bar.printVerdicts(on: bench.measurements)
        if let json {
            let report = Report(
                machine: machine, settings: settings, measurements: bench.measurements,
                skipped: bench.skipped, agreement: bench.agreement, waits: bench.waits)
            try report.write(to: json)
        }
    }

    /// A case that silently measures nothing would pass for ever.
    private func checkComplete(_ cases: [any BenchCase.Type], _ bench: Bench) throws {
        let there = Set(bench.measurements.map(\.name) + bench.skipped.map(\.name))
        let missing = cases.flatMap { $0.measures }.filter { !there.contains($0) }
        if !missing.isEmpty, shapes == Shape.allCases {
            throw BenchError("not measured: \(missing.joined(separator: ", "))")
        }
    }
}
