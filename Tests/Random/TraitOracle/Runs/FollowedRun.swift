// One random script whose commits are followed: by hierarchies that acknowledge at other moments,
// and by ones that were made from the facts of a snapshot. All must notify the same, in the same
// order, and have the same digest at each revision.

import TraitEngine

/// A script that grows from its seed, with followers.
struct FollowedRun {
    private enum Acknowledging {
        case never
        case withLeader
        case atOnce
    }

    private struct Follower {
        let name: String
        let driver: EngineDriver
        let acknowledging: Acknowledging
    }

    private let seed: UInt64
    private let stepCount: Int
    private var generator: ScriptGenerator
    private var lockstep: Lockstep
    private var followers: [Follower] = []
    private(set) var restoredCount = 0
    private(set) var comparedCount = 0
    private var record: [String] = []

    init(seed: UInt64, _ plan: ScriptGenerator.Plan, stepCount: Int) {
        self.seed = seed
        self.stepCount = stepCount
        generator = ScriptGenerator(seed: seed, plan: plan)
        let propagation: Propagation = seed % 4 == 3 ? .legacy : .unified
        let updates: UpdateMode = seed % 8 < 4 ? .layout : .immediate
        let sizes: StructureSizes = seed % 2 == 0 ? .tiny : .init()
        lockstep = Lockstep(propagation: propagation, updates: updates, sizes: sizes)
        lockstep.thoroughEvery = 10
        for (name, acknowledging) in [
            ("the one that never acknowledges", Acknowledging.never),
            ("the one that acknowledges at once", .atOnce),
        ] {
            let driver = EngineDriver(propagation: propagation, updates: updates)
            followers.append(
                Follower(name: name, driver: driver, acknowledging: acknowledging))
        }
    }

    /// The failure; nil when all agree.
    mutating func run() -> String? {
        do {
            for number in 0..<stepCount {
                let step =
                    switch number {
                    case 0: generator.start()
                    case 1: generator.populate(lockstep.oracle)
                    default: generator.next(lockstep.oracle)
                    }
                try take(step)
                if number % 20 == 19 { try restore() }
            }
            try restore()
            for follower in followers {
                try follower.driver.compareEverything(with: lockstep.oracle)
            }
            return nil
        } catch {
            return "seed \(seed)\n\(error)\n" + record.joined(separator: "\n")
        }
    }

    private var leader: EngineDriver? { lockstep.engine }

    private mutating func take(_ step: Step) throws {
        guard let leader else { return }
        // Watches are no part of the state, but keep traits from being deleted.
        switch step {
        case .watch, .unwatch: return
        case .undo where lockstep.oracle.undoableCount == 0: return
        default: break
        }
        record.append("\(step)")
        let outcome = try lockstep.take(step)
        for (position, follower) in followers.enumerated().reversed() {
            switch step {
            case .transaction(let operations, let keep):
                let told = try follower.driver.follow(operations, keep)
                if told != outcome {
                    throw Mismatch(
                        what: "commit of \(follower.name)",
                        engine: told.map { "\($0)" } ?? "none",
                        rules: outcome.map { "\($0)" } ?? "none")
                }
                if follower.acknowledging == .atOnce { follower.driver.acknowledge([]) }
            case .undo:
                if follower.driver.hierarchy.unacknowledgedCount == 0 {
                    followers.remove(at: position)
                    continue
                }
                follower.driver.undo()
            case .acknowledge:
                if follower.acknowledging == .withLeader { follower.driver.acknowledge([]) }
            case .watch, .unwatch: break
            }
            let (its, wanted) = (follower.driver.hierarchy.digest, leader.hierarchy.digest)
            if its != wanted {
                throw Mismatch(
                    what: "digest of \(follower.name) after \(step)", engine: "\(its)",
                    rules: "\(wanted)")
            }
            comparedCount += 1
        }
    }

    /// Adds a follower that was made from the facts of a snapshot.
    private mutating func restore() throws {
        guard let origin = leader?.hierarchy else { return }
        let frozen = try origin.snapshot().materialize()
        if frozen.digest != origin.digest || frozen.recomputedDigest() != frozen.digest {
            throw Mismatch(
                what: "digest of a snapshot", engine: "\(frozen.digest)",
                rules: "\(origin.digest)")
        }
        let restored = try frozen.restored(
            hashSeed: seed &* 31, sizes: restoredCount % 2 == 0 ? .tiny : .init())
        let driver = EngineDriver(restored)
        if restored.digest != origin.digest {
            throw Mismatch(
                what: "digest of the restored one", engine: "\(restored.digest)",
                rules: "\(origin.digest)")
        }
        try driver.compareEverything(with: lockstep.oracle)
        restoredCount += 1
        let isLate = restoredCount % 2 == 0
        if followers.count > 5 { followers.remove(at: 2) }
        followers.append(
            Follower(
                name: "the one restored at \(restored.revision)", driver: driver,
                acknowledging: isLate ? .never : .withLeader))
    }
}

extension EngineDriver {
    /// Applies what a leader applied; nil when it was refused or rolled back.
    fileprivate func follow(_ operations: [Operation], _ keep: Bool) throws -> Outcome? {
        hierarchy.begin()
        for operation in operations {
            do {
                try apply(operation)
            } catch is MissingName {
                // Left out by the leader, too.
            } catch is OperationError {
                hierarchy.rollback()
                return nil
            }
        }
        if keep { return commit() }
        hierarchy.rollback()
        return nil
    }
}
