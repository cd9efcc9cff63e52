// One run: what it is asked to do, and what it has found out so far.

import Glibc
import SeededRandom

/// A case found something other than what it was going to time.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// What all cases share.
final class Bench {
    let settings: Settings
    let ticks: Ticks
    private(set) var measurements: [Measurement] = []
    /// Where in `measurements` a figure stands.
    private var positions: [Figure: Int] = [:]
    /// The pass over all cases that is under way, from 1.
    private var pass = 0
    /// Measurements that this run leaves out, each with the reason.
    private(set) var skipped: [(name: String, reason: String)] = []
    private var caches: Caches?
    private var core: CoreProbe?
    /// What the naive engine was compared in.
    var agreement = Agreement()
    /// What came of waiting for the core.
    private(set) var waits = Waits()

    init(_ settings: Settings) {
        self.settings = settings
        ticks = .calibrated()
        core = settings.isQuick ? nil : CoreProbe(ticks)
    }

    /// Goes through the cases as often as asked for: what else happens on a machine lasts for
    /// seconds, and would be the whole of a figure that is taken once.
    func run(_ cases: [any BenchCase.Type]) throws {
        for number in 1...settings.passes {
            pass = number
            if settings.passes > 1 { print("pass \(pass) of \(settings.passes)") }
            for benchCase in cases { try benchCase.run(self) }
        }
    }

    /// Takes the repetitions of a figure; those of all passes count alike.
    func record(_ name: String, _ subject: Subject, _ unit: Unit, _ values: [Double]) {
        let figure = Figure(name: name, subject: subject)
        let position = positions[figure] ?? measurements.count
        if position == measurements.count {
            positions[figure] = position
            measurements.append(
                Measurement(name: name, subject: subject, unit: unit, sample: Sample(values)))
        } else {
            measurements[position].sample.add(values)
        }
        if pass == settings.passes { print(measurements[position].line) }
        fflush(nil)
    }

    func skip(_ name: String, _ reason: String) {
        if pass < settings.passes { return }
        skipped.append((name, reason))
        print("\(name): skipped, \(reason)")
    }

    /// Pushes everything out of the processor's caches; in a quick run nothing depends on it.
    func emptyCaches() {
        if settings.isQuick { return }
        let caches = caches ?? Caches()
        self.caches = caches
        caches.empty()
    }

    /// A generator for one purpose, the same in every run with the same seed.
    func random(_ purpose: UInt64) -> SeededRandom {
        SeededRandom(seed: settings.seed &* 0x9E37_79B9_7F4A_7C15 &+ purpose)
    }

    /// So many repetitions, or three in a quick run, each begun on a free core.
    @inline(__always)
    func repeated(_ count: Int, _ body: (Int) throws -> Double) rethrows -> [Double] {
        try (0..<settings.repetitions(count)).map { number in
            awaitCore()
            return try body(number)
        }
    }

    /// The same after one more that warms up and does not count.
    @inline(__always)
    func repeatedWarm(_ count: Int, _ body: (Int) throws -> Double) rethrows -> [Double] {
        _ = try body(0)
        return try repeated(count) { try body($0 + 1) }
    }

    /// Waits until the core is free, for a second at most: what is measured next is the engine and
    /// not what another machine does on the same core. In a quick run it goes on at once.
    func awaitCore() {
        guard core != nil else { return }
        if core?.isFree() == true {
            waits.free += 1
            return
        }
        let start = Ticks.monotonicNanoseconds()
        var elapsed: UInt64 = 0
        while elapsed < Waits.nanosecondsMax, waits.nanoseconds < Waits.allNanosecondsMax {
            let isFree = core?.isFree() == true
            elapsed = Ticks.monotonicNanoseconds() - start
            if isFree {
                waits.waited += 1
                waits.nanoseconds += elapsed
                return
            }
        }
        waits.nanoseconds += elapsed
        waits.shared += 1
    }
}

/// How often a repetition began on a free core, had to wait for it, or began on a shared one.
struct Waits {
    var free = 0
    var waited = 0
    var shared = 0
    var nanoseconds: UInt64 = 0

    /// For one repetition.
    static let nanosecondsMax: UInt64 = 1_000_000_000
    /// In one run: where cores are never free there is no use in waiting for one.
    static let allNanosecondsMax: UInt64 = 300_000_000_000
}

private struct Figure: Hashable {
    let name: String
    let subject: Subject
}

extension Measurement {
    /// `resolve.one.isolated   wide, 1000 nodes   12.3 ns (11.9 … 12.0 … 12.8 … 15.1), 41`
    var line: String {
        let spread = [sample.min, sample.lowerQuartile, sample.upperQuartile, sample.max]
            .map(\.readable).joined(separator: " … ")
        let value = "\(sample.median.readable) \(unit.rawValue)"
        return "\(name.padded(28)) \(subject.text.padded(66)) \(value.padded(12)) (\(spread)), "
            + "\(sample.count) times"
    }
}

extension String {
    /// At least so wide.
    func padded(_ width: Int) -> String {
        count >= width ? self : self + String(repeating: " ", count: width - count)
    }
}
