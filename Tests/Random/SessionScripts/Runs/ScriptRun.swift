// One random script on a session over a log, while a second session follows the log, and others are
// loaded from it: all have to be the same, say the same and send the same.

import JSONCodec
import SeededRandom
import SessionLog
import SessionViews
import TraitEngine
import TraitSessions

package struct ScriptRun {
    package let seed: UInt64
    package let stepCount: Int
    /// After how many steps everything is compared; digests are after each.
    package let thoroughEvery: Int
    package private(set) var tally: [String: Int] = [:]
    private var writes: [Write] = []

    package init(seed: UInt64, stepCount: Int = 40, thoroughEvery: Int = 5) {
        self.seed = seed
        self.stepCount = stepCount
        self.thoroughEvery = thoroughEvery
    }

    /// What went wrong; nil when nothing did.
    package mutating func run() -> String? {
        do {
            try play()
            return nil
        } catch {
            let tail = writes.suffix(3).map { "  \($0)" }.joined(separator: "\n")
            return "seed \(seed), after \(writes.count) writes: \(error)\nthe last writes:\n\(tail)"
        }
    }

    private mutating func play() throws {
        var generator = ScriptGenerator(seed: seed)
        let stage = try Stage(seed: seed, generator.creation())
        defer { stage.close() }
        for number in 0..<stepCount {
            try takeOne(&generator, stage)
            if number % thoroughEvery == 0 { try stage.compareEverything() }
            if number % 8 == 3 { stage.listen(&generator.random) }
        }
        try stage.compareEverything()
        try stage.compareLoaded()
        try stage.compareResumed(&generator.random)
        try stage.compareExchanged(&generator.random)
        // A past that is before a snapshot, and one after it.
        try stage.leader.writeSnapshot()
        for _ in 0..<stepCount / 2 { try takeOne(&generator, stage) }
        var random = SeededRandom(seed: seed)
        try stage.comparePast(&random)
        tally = generator.tally.merging(stage.tally) { $0 + $1 }
    }

    private mutating func takeOne(_ generator: inout ScriptGenerator, _ stage: Stage) throws {
        stage.clock.move(by: Int64(generator.random.below(2_000)))
        try stage.endValues()
        let write = generator.next(stage.leader, isAccepted: stage.accepts)
        writes.append(write)
        try stage.take(write)
        stage.remember()
    }
}
