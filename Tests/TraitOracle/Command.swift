// Runs thousands of random scripts on all processors. Made for a release build, where a step costs
// a hundredth of what it costs in a debug build:
//
//     TraitOracle [--scripts 5000] [--steps 200] [--seed 1] [--thorough 20]
//     TraitOracle --followed 1000 [--steps 200] [--seed 1]

import Glibc

@main struct Command {
    private var options = [
        "scripts": 5_000, "steps": 200, "seed": 1, "thorough": 20, "followed": 0,
    ]

    static func main() async {
        var command = Command()
        if let unknown = command.read(CommandLine.arguments.dropFirst()) {
            print("TraitOracle: what is \(unknown)?")
            exit(status: 2)
        }
        exit(status: await command.run() ? 0 : 1)
    }

    private static func exit(status: Int32) -> Never {
        Glibc.exit(status)
    }

    /// The first argument that it does not understand.
    private mutating func read(_ arguments: ArraySlice<String>) -> String? {
        var rest = arguments
        while let name = rest.popFirst() {
            let key = String(name.dropFirst(2))
            guard name.hasPrefix("--"), options[key] != nil, let value = rest.popFirst(),
                let number = Int(value), number > 0
            else { return name }
            options[key] = number
        }
        return nil
    }

    private func option(_ name: String) -> Int { options[name] ?? 1 }

    /// One batch after another on each processor. Whether all agree and none lacks anything.
    private func run() async -> Bool {
        if option("followed") > 0 { return await follow() }
        let batches = ScriptBatch.shares(
            of: option("scripts"), stepCount: option("steps"), first: UInt64(option("seed")),
            thoroughEvery: option("thorough"))
        var tallies: [String: [String: Int]] = [:]
        var isGood = true
        var next = batches.startIndex
        await withTaskGroup(of: (ScriptBatch, ScriptOutcome).self) { group in
            func start() {
                guard next < batches.endIndex, isGood else { return }
                let batch = batches[next]
                next += 1
                group.addTask { (batch, batch.run()) }
            }
            for _ in 0..<Self.processorCount { start() }
            for await (batch, outcome) in group {
                if let failure = outcome.failure {
                    isGood = false
                    print(failure)
                }
                print("\(batch): \(outcome.failure == nil ? "agrees" : "DIFFERS")")
                tallies[batch.plan.name, default: [:]].merge(outcome.tally) { $0 + $1 }
                start()
            }
        }
        return isGood && report(tallies, batches)
    }

    /// Scripts whose commits are followed, on all processors.
    private func follow() async -> Bool {
        let count = option("followed")
        let (first, steps) = (UInt64(option("seed")), option("steps"))
        var failures: [String] = []
        var (restored, compared) = (0, 0)
        await withTaskGroup(of: (String?, Int, Int).self) { group in
            for part in 0..<Self.processorCount {
                group.addTask {
                    var (restored, compared) = (0, 0)
                    for number in stride(from: part, to: count, by: Self.processorCount) {
                        let plans = ScriptGenerator.Plan.all[..<4]
                        var run = FollowedRun(
                            seed: first + UInt64(number), plans[number / 8 % plans.count],
                            stepCount: steps)
                        if let failure = run.run() { return (failure, restored, compared) }
                        restored += run.restoredCount
                        compared += run.comparedCount
                    }
                    return (nil, restored, compared)
                }
            }
            for await (failure, some, digests) in group {
                restored += some
                compared += digests
                if let failure { failures.append(failure) }
            }
        }
        for failure in failures { print(failure) }
        print("followed \(count) scripts of \(steps) steps from seed \(first):")
        print("  \(restored) restored, \(compared) commits and digests compared")
        return failures.isEmpty
    }

    private func report(_ tallies: [String: [String: Int]], _ batches: [ScriptBatch]) -> Bool {
        var isGood = true
        for (name, all) in Dictionary(grouping: batches, by: \.plan.name).sorted(by: {
            $0.key < $1.key
        }) {
            let scripts = all.reduce(0) { $0 + $1.count }
            let whole = ScriptBatch(
                plan: all[0].plan, first: all[0].first, count: scripts,
                stepCount: option("steps"))
            let tally = tallies[name] ?? [:]
            print("\(name): \(scripts) scripts of \(option("steps")) steps")
            for (what, number) in tally.sorted(by: { $0.key < $1.key }) {
                print("  \(number) \(what)")
            }
            for lack in whole.lacks(in: tally) {
                print("  TOO LITTLE: \(lack)")
                isGood = false
            }
        }
        return isGood
    }

    private static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
