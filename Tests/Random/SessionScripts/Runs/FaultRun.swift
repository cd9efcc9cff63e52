// Random writes to a session whose log fails, waits and is written to by another store: after each
// round every answer is decided, and the session is what its log rebuilds.

import SeededRandom
import SessionLog
import SessionLogTestSupport
import SessionViews
import TraitSessions

package struct FaultRun {
    package let seed: UInt64
    package private(set) var tally: [String: Int] = [:]

    package init(seed: UInt64) { self.seed = seed }

    /// What went wrong; nil when nothing did.
    package mutating func run(roundCount: Int = 25) -> String? {
        do {
            try play(roundCount)
            return nil
        } catch {
            return "faults, seed \(seed): \(error)"
        }
    }

    private mutating func play(_ roundCount: Int) throws {
        var generator = ScriptGenerator(seed: seed)
        let base = MemoryLog()
        let failing = FailingLog(base)
        let delaying = DelayingLog(failing, isHolding: false)
        let clock = Clock()
        let environment = clock.environment(seed: seed)
        let store = SessionStore(
            limits: Stage.limits, environment: environment,
            log: seed % 2 == 0 ? failing as any SessionLog : delaying)
        let other = Client(
            SessionStore(limits: Stage.limits, environment: environment, log: base))
        let client = Client(store)
        let session = try client.create("demo", generator.creation())
        let its = try other.create("demo", "{}")
        for round in 0..<roundCount {
            clock.move(by: 10)
            addFaults(to: failing, &generator.random)
            if seed % 2 == 1 { delaying.hold() }
            var answers: [Client.Answer] = []
            for _ in 0..<1 + generator.random.below(4) {
                let write = generator.next(session) { attempt in
                    // A dry run would wait for the log, too.
                    if case .transaction(let list) = attempt.form { list.count < 3 } else { true }
                }
                answers.append(client.send(write, to: session))
            }
            if generator.random.chance(25) {
                let foreign = generator.next(its) { _ in false }
                _ = other.sendAndWait(foreign, to: its)
                count("foreign")
            }
            delaying.release()
            try settle(answers)
            try compare(session, round)
        }
    }

    private func addFaults(to log: FailingLog, _ random: inout SeededRandom) {
        switch random.below(6) {
        case 0: log.add(.refused())
        case 1: log.add(.unknown(written: true))
        case 2: log.add(.unknown(written: false))
        case 3: log.add(.conflict(LogConflict(head: 1)))
        default: break
        }
    }

    private mutating func settle(_ answers: [Client.Answer]) throws {
        var waiting: [PendingResponse] = []
        for answer in answers {
            switch answer {
            case .done: count("answered at once")
            case .refused: count("refused")
            case .pending(let response): waiting.append(response)
            }
        }
        for decision in Wait.until(waiting) {
            switch decision {
            case .pending: throw Differs("an answer was left undecided")
            case .released: count("released")
            case .refused(let error):
                try expect(error.code != .internalError, "internal error: \(error.detail)")
                count("refused later")
            case .readAgain: count("read again")
            }
        }
    }

    private func compare(_ session: Session, _ round: Int) throws {
        // What the other store wrote last comes with the next conflict at the latest.
        try session.catchUp()
        let replica = try Session.load(
            LogSession(name: session.name, uid: session.uid), from: known(session.log),
            limits: Stage.limits, environment: session.environment)
        try expect(
            replica.digest == session.digest && replica.head == session.head,
            "round \(round): the session is at \(session.head), \(session.digest); its log at "
                + "\(replica.head), \(replica.digest)")
        try expectEqual(
            Dump.bytes(of: session), Dump.bytes(of: replica), "session and log")
    }

    private mutating func count(_ what: String) { tally[what, default: 0] += 1 }
}
