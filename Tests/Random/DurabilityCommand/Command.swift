// Runs power cuts, failing calls and damage by the thousand, on all processors. Made for a release build
// with assertions, as `.ci/checked` makes it:
//
//     RunDurability [--cuts 20] [--faults 50] [--flips 200] [--seed 1]

import DurabilityRuns
import Glibc
import SeededRandom

@main struct Command {
    private static let names = ["--cuts", "--faults", "--flips", "--seed"]

    static func main() async {
        var options = [20, 50, 200, 1]
        var rest = CommandLine.arguments.dropFirst()
        while let name = rest.popFirst() {
            guard let place = names.firstIndex(of: name),
                let value = rest.popFirst().flatMap(Int.init), value >= 0
            else {
                print("RunDurability: what is \(name)?")
                exit(2)
            }
            options[place] = value
        }
        let seed = UInt64(options[3])
        var isGood = await run("Power cuts", seed..<seed + UInt64(options[0])) {
            try PowerCutRun.run(seed: $0)
        }
        isGood =
            await run("Failing disks", seed..<seed + UInt64(options[1])) {
                try FaultRun.run(seed: $0)
            } && isGood
        isGood = flip(options[2], seed: seed) && isGood
        exit(isGood ? 0 : 1)
    }

    private static func run(
        _ name: String, _ seeds: Range<UInt64>,
        _ body: @escaping @Sendable (UInt64) throws -> RunOutcome
    ) async -> Bool {
        let start = seconds
        var sum = RunOutcome()
        var failed = 0
        await withTaskGroup(of: (UInt64, Result<RunOutcome, any Error>).self) { group in
            var next = seeds.lowerBound
            func add() {
                guard next < seeds.upperBound else { return }
                let seed = next
                next += 1
                group.addTask { (seed, Result { try body(seed) }) }
            }
            for _ in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) { add() }
            for await (seed, result) in group {
                switch result {
                case .success(let outcome):
                    sum.commits += outcome.commits
                    sum.checks += outcome.checks
                    sum.refusals += outcome.refusals
                case .failure(let error):
                    failed += 1
                    print("\(name): seed \(seed): \(error)")
                    fflush(nil)
                }
                add()
            }
        }
        print(
            "  \(name): \(seeds.count) seeds, \(sum.checks) starts, \(sum.commits) commits, "
                + "\(sum.refusals) refused")
        print(
            "Suite \"\(name)\" \(failed == 0 ? "passed" : "failed") after "
                + "\(rounded(seconds - start)) seconds, \(seeds.count - failed) of \(seeds.count) parts"
        )
        return failed == 0
    }

    private static func flip(_ count: Int, seed: UInt64) -> Bool {
        let start = seconds
        var isGood = true
        var survived = 0
        var refused = 0
        do {
            try DamageRun.forge()
            for isOpen in [false, true] {
                let run = try DamageRun(seed: seed, isOpen: isOpen)
                var random = SeededRandom(seed: seed)
                for _ in 0..<count / 2 {
                    do {
                        try run.flip(&random)
                    } catch {
                        isGood = false
                        print("Damage: \(error)")
                    }
                }
                try run.truncateEverywhere()
                survived += run.survived
                refused += run.refused
            }
        } catch {
            isGood = false
            print("Damage: \(error)")
        }
        print("  Damage: \(count) bits, \(survived) survived, \(refused) refused by name")
        print(
            "Suite \"Damage\" \(isGood ? "passed" : "failed") after "
                + "\(rounded(seconds - start)) seconds, \(isGood ? 1 : 0) of 1 parts")
        return isGood
    }

    private static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func rounded(_ seconds: Double) -> Double {
        (seconds * 1_000).rounded() / 1_000
    }
}
