// Damages the files of a log, bit by bit and by cutting them off. Made for a release build with assertions, as
// `.ci/checked` makes it:
//
//     RunDurability [--flips 200] [--seed 1]

import DurabilityRuns
import Glibc
import SeededRandom

@main struct Command {
    static func main() {
        var options = ["--flips": 200, "--seed": 1]
        var rest = CommandLine.arguments.dropFirst()
        while let name = rest.popFirst() {
            guard options[name] != nil, let value = rest.popFirst().flatMap(Int.init), value >= 0
            else {
                print("RunDurability: what is \(name)?")
                exit(2)
            }
            options[name] = value
        }
        let isGood = flip(options["--flips"] ?? 0, seed: UInt64(options["--seed"] ?? 0))
        let seconds = Double(clock()) / Double(CLOCKS_PER_SEC)
        print(
            "Suite \"Damage\" \(isGood ? "passed" : "failed") after \(seconds) seconds, "
                + "\(isGood ? 1 : 0) of 1 parts")
        exit(isGood ? 0 : 1)
    }

    private static func flip(_ count: Int, seed: UInt64) -> Bool {
        var isGood = true
        var (survived, refused) = (0, 0)
        do {
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
        return isGood
    }
}
