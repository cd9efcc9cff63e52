// Many seeds, some of them at a time; what they reached, and what the first one found.

import Glibc
import SimulatedWorld

final class Campaign {
    private let arguments: Arguments
    private var tally = Tally()
    private var seconds = 0.0
    private var done: UInt64 = 0
    private let began = Campaign.now

    init(_ arguments: Arguments) { self.arguments = arguments }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns whether nothing was found.
    func run() -> Bool {
        guard runSeeds(), arguments.isOne || runTwice() else { return false }
        let commits = tally.counts["commits acknowledged"] ?? 0
        let hourly = Double(commits) / max(seconds, 0.001) * 3_600 / 1e6
        print(
            "simulation: seeds \(arguments.first) to \(arguments.first + max(done, 1) - 1), \(commits) commits acknowledged, \(tenths(seconds)) s of processor time, \(tenths(hourly)) million an hour and core"
        )
        let counts = tally.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print(counts.joined(separator: ", "))
        let missing = Tally.needed.filter { tally.counts[$0] == nil }
        if done >= Arguments.seedsForAll, !missing.isEmpty {
            print("simulation: never reached: \(missing.joined(separator: ", "))")
            return false
        }
        return true
    }

    private func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }

    private func runSeeds() -> Bool {
        var running: [WorldProcess] = []
        var next = arguments.first
        let end = arguments.first + arguments.seeds
        while true {
            let isTime = Self.now - began < arguments.seconds
            while running.count < arguments.jobs, next < end, isTime {
                var options = arguments.world
                options.seed = next
                running.append(WorldProcess(options))
                next += 1
            }
            if running.isEmpty { return true }
            var waiting = running.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
            poll(&waiting, nfds_t(waiting.count), -1)
            for (place, process) in running.enumerated().reversed()
            where waiting[place].revents != 0 {
                guard let report = process.take() else { continue }
                running.remove(at: place)
                done += 1
                seconds += report.seconds
                tally.add(report.tally)
                if report.isClean { continue }
                print("\(tenths(seconds)) s: \(report.finding)")
                fflush(nil)
                var shrinking = Shrinking(process.options, report)
                shrinking.run()
                return false
            }
        }
    }

    /// Runs some seeds again: a seed has one trace.
    private func runTwice() -> Bool {
        let end = arguments.first + min(arguments.twice, done)
        for seed in arguments.first..<end {
            var options = arguments.world
            options.seed = seed
            let (first, again) = (WorldProcess.run(options), WorldProcess.run(options))
            guard let trace = first.trace, trace == again.trace else {
                print(
                    "simulation: seed \(seed) has two traces: \(first.trace ?? "none") and \(again.trace ?? "none")"
                )
                return false
            }
        }
        return true
    }
}

/// Looks for the fewest faults and clients with which a seed still finds something.
private struct Shrinking {
    private var best: WorldOptions
    private var report: WorldReport
    private var runs = 0

    /// Runs of one seed.
    private static let runsMax = 120

    init(_ options: WorldOptions, _ report: WorldReport) {
        best = options
        self.report = report
    }

    mutating func run() {
        shrinkFaults()
        while best.clients > 1 {
            var fewer = best
            fewer.clients -= max(1, best.clients / 3)
            if !finds(fewer) { break }
        }
        best.traceLines = 60
        print(WorldProcess.run(best).output)
        print("RunSimulation \(WorldProcess.words(best).joined(separator: " "))    (\(runs) runs)")
    }

    private mutating func shrinkFaults() {
        let all = Fault.all(seed: best.seed, within: World.busyTime).map(\.number)
        var faults = all.filter { best.faults?.contains($0) ?? true }
        var size = faults.count
        while size > 0 {
            var start = 0
            while start < faults.count {
                var fewer = best
                let rest = faults[..<start] + faults[min(start + size, faults.count)...]
                fewer.faults = Set(rest)
                if finds(fewer) { faults = Array(rest) } else { start += size }
            }
            size = size == 1 ? 0 : (size + 1) / 2
        }
    }

    private mutating func finds(_ options: WorldOptions) -> Bool {
        if runs == Self.runsMax { return false }
        runs += 1
        let next = WorldProcess.run(options)
        if next.isClean { return false }
        (best, report) = (options, next)
        return true
    }
}
