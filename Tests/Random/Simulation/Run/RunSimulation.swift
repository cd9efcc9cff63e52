// Runs worlds of replicas, clients and faults, one process for each seed:
//
//     RunSimulation [--first 1] [--seeds 250] [--seconds 30] [--jobs 1] [--twice 20]
//     RunSimulation --seed 7 [--faults 3,9] [--clients 12]
//
// A seed that finds something is run again with fewer faults and clients as long as it finds something, and the last of
// these runs is shown with the end of its trace.

import CLocks
import Glibc
import SimulatedWorld

@main struct RunSimulation {
    static func main() {
        let arguments = Arguments()
        if arguments.isWorld { runWorld(arguments) }
        let campaign = Campaign(arguments)
        exit(campaign.run() ? 0 : 1)
    }

    /// The one world of this process.
    private static func runWorld(_ arguments: Arguments) -> Never {
        var limit = rlimit(rlim_cur: Arguments.secondsMax, rlim_max: Arguments.secondsMax + 1)
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
        limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        let world = World(arguments.world)
        present = world
        traitd_locks_ask { RunSimulation.present?.giveWay() }
        world.run()
        print("trace \(String(world.traceHash, radix: 16))")
        for (name, count) in world.tally.counts.sorted(by: { $0.key < $1.key }) {
            print("count \(count) \(name)")
        }
        fflush(nil)
        // What killed replicas had is not released.
        _exit(0)
    }

    nonisolated(unsafe) private static var present: World?
}

struct Arguments {
    /// Seconds of processor time after which a world counts as an endless loop.
    static let secondsMax: UInt = 60

    var world = WorldOptions()
    var isWorld = false
    var first: UInt64 = 1
    var seeds: UInt64 = 250
    var seconds = Double.infinity
    var jobs = 1
    /// How many seeds are run twice.
    var twice: UInt64 = 20
    /// Whether the arguments name one seed.
    var isOne = false
    /// How many seeds have to reach all that is counted.
    static let seedsForAll: UInt64 = 250

    init() {
        var rest = CommandLine.arguments.dropFirst()
        while let name = rest.popFirst() {
            if name == "--world" {
                isWorld = true
                continue
            }
            let text = rest.popFirst() ?? ""
            switch (name, UInt64(text)) {
            case ("--seed", let value?):
                (first, seeds, isOne, world.seed) = (value, 1, true, value)
            case ("--first", let value?): first = value
            case ("--seeds", let value?): seeds = value
            case ("--seconds", let value?): seconds = Double(value)
            case ("--jobs", let value?) where value > 0: jobs = Int(value)
            case ("--twice", let value?): twice = value
            case ("--clients", let value?): world.clients = Int(value)
            case ("--trace", let value?): world.traceLines = Int(value)
            case ("--faults", _):
                world.faults = Set(text.split(separator: ",").compactMap { Int($0) })
            default:
                print("RunSimulation: what is \(name) \(text)?")
                exit(2)
            }
        }
    }
}
