// Random writes to one session through two or three stores over one log. Each store gets the entries of the others
// late, twice, out of order, or not at all. In the end it gets everything, and all stores have the same session.

import Dispatch
import Glibc
import JSONCodec
import SeededRandom
import SessionLog
import SessionLogTestSupport
import SessionViews
import TraitSessions

package struct ReplicaRun {
    package let seed: UInt64
    package private(set) var tally: [String: Int] = [:]

    /// Makes the log of one replica, over what all of them share.
    private let makeLog: (() throws -> any SessionLog)?

    /// - Parameter makeLog: nil for one log in memory, which all stores use.
    package init(seed: UInt64, makeLog: (() throws -> any SessionLog)? = nil) {
        self.seed = seed
        self.makeLog = makeLog
    }

    /// A store over its own view of the log.
    private final class Replica {
        let hostile: HostileLog
        let delaying: DelayingLog
        let client: Client
        var session: Session
        var listeners: [Listener] = []

        init(
            _ base: any SessionLog, seed: UInt64, number: UInt64, _ clock: Clock, _ body: String
        ) throws {
            hostile = HostileLog(base, seed: seed &* 31 &+ number)
            // Of one replica the answers come late, of the others the appends themselves.
            delaying = DelayingLog(
                hostile, delay: number == 1 ? .answer : .write, isHolding: false)
            let store = SessionStore(
                limits: Stage.limits, environment: clock.environment(seed: seed &+ number),
                log: delaying)
            client = Client(store)
            try store.follow()
            session = try client.create("demo", body)
        }

        /// The session that requests find.
        var found: Session? {
            client.store.page(after: nil, limit: .max).first { $0.name == "demo" }
        }

        /// Gets what the log has by now, whoever has appended it.
        func level() {
            var question = LogQuestion()
            question.wantsAllHeads = true
            let isAnswered = DispatchSemaphore(value: 0)
            hostile.confirm(question) { _ in isAnswered.signal() }
            isAnswered.wait()
            hostile.tellAll()
            client.store.finishFollowing()
        }

        func listen() throws {
            for listener in listeners { listener.close() }
            listeners = [
                try Listener(session, .session, from: "1"),
                try Listener(session, .session, .serverSentEvents, from: "1"),
            ]
        }
    }

    /// What went wrong; nil when nothing did.
    package mutating func run(roundCount: Int = 20) -> String? {
        do {
            try play(roundCount)
            return nil
        } catch {
            return "replicas, seed \(seed): \(error)"
        }
    }

    private mutating func play(_ roundCount: Int) throws {
        var generator = ScriptGenerator(seed: seed)
        let base = MemoryLog(
            maxBatchEntries: seed % 3 == 0 ? 2 : .max, maxBatchBytes: seed % 5 == 0 ? 600 : .max,
            appendsAtATime: 1 + Int(seed % 2))
        let clock = Clock()
        let body = generator.creation()
        var replicas: [Replica] = []
        for number in 0..<2 + seed % 2 {
            replicas.append(
                try Replica(
                    makeLog?() ?? base, seed: seed, number: number, clock,
                    number == 0 ? body : "{}"))
        }
        for replica in replicas { try replica.listen() }
        var acknowledged: Set<Int64> = []
        for round in 0..<roundCount {
            clock.move(by: Int64(generator.random.below(40)) - 10)
            try write(to: replicas, &generator, &acknowledged)
            if generator.random.chance(30) { try compare(replicas, round) }
            if generator.random.chance(4) {
                try compare(replicas, round)
                try makeAgain(replicas, generator.creation(), &generator.random)
                acknowledged = []
                count("deleted and made again")
            }
        }
        try compare(replicas, roundCount)
        for replica in replicas { for listener in replica.listeners { listener.close() } }
    }

    /// One round: some stores get writes at once, whose appends or answers are held for a while.
    private mutating func write(
        to replicas: [Replica], _ generator: inout ScriptGenerator,
        _ acknowledged: inout Set<Int64>
    ) throws {
        var answers: [(answer: Client.Answer, isDryRun: Bool)] = []
        for replica in replicas {
            if generator.random.chance(60) { replica.delaying.hold() }
            for _ in 0..<generator.random.below(4) {
                let write = generator.next(replica.session) { attempt in
                    if case .transaction(let list) = attempt.form { list.count < 3 } else { true }
                }
                answers.append((replica.client.send(write, to: replica.session), write.dryRun))
            }
        }
        if generator.random.chance(30) {
            try confirm(generator.random.pick(replicas), replicas, &generator.random)
        }
        for replica in replicas.shuffled(using: &generator.random) {
            replica.hostile.tellSome()
            if generator.random.chance(50) { replica.client.store.finishFollowing() }
            replica.delaying.release()
        }
        var waiting: [(response: PendingResponse, isDryRun: Bool)] = []
        for (answer, isDryRun) in answers {
            switch answer {
            case .done(let outcome): count(outcome.isUnchanged ? "unchanged" : "dry run")
            case .refused: count("refused")
            case .pending(let response): waiting.append((response, isDryRun))
            }
        }
        for ((response, isDryRun), decision) in zip(waiting, Wait.until(waiting.map(\.response))) {
            switch decision {
            case .pending: throw Differs("an answer was left undecided")
            case .released:
                if let error = response.refusal {
                    try expect(error.code != .internalError, "internal error: \(error.detail)")
                    count("refused for a pending write")
                    continue
                }
                guard let outcome = response.outcome, !outcome.isUnchanged, !isDryRun else {
                    count("released without a commit")
                    continue
                }
                count("acknowledged")
                try expect(
                    acknowledged.insert(outcome.revision).inserted,
                    "two writes were acknowledged as revision \(outcome.revision)")
            case .refused(let error):
                try expect(error.code != .internalError, "internal error: \(error.detail)")
                count("refused later")
            case .readAgain: count("read again")
            }
        }
    }

    /// A confirmed answer of one store shows what any store has acknowledged before, whatever is held.
    private mutating func confirm(
        _ reader: Replica?, _ replicas: [Replica], _ random: inout SeededRandom
    ) throws {
        let reader = try known(reader)
        let newest = replicas.map(\.session.acknowledged).max() ?? 0
        var question = LogQuestion()
        switch random.below(3) {
        case 0: question.wantsAllHeads = true
        case 1: question.wantsList = true
        default: break
        }
        question.names = ["demo", "none"]
        let confirmations = try known(reader.client.store.confirmations)
        let response = confirmations.response(to: question)
        guard case .readAgain = Wait.until([response])[0] else {
            throw Differs("a confirmation ended with \(response.decision)")
        }
        try expect(
            reader.found === reader.session && reader.session.acknowledged >= newest,
            "a confirmed store is at \(reader.session.acknowledged), another one was at \(newest)")
        count("confirmed")
    }

    /// Delivers everything to each store, and compares them with each other and with what the log rebuilds.
    private mutating func compare(_ replicas: [Replica], _ round: Int) throws {
        for replica in replicas { while replica.delaying.isAppending { sched_yield() } }
        for replica in replicas { replica.level() }
        count("compared")
        let first = replicas[0].session
        let loaded = try Session.load(
            LogSession(name: first.name, uid: first.uid), from: replicas[0].delaying,
            limits: Stage.limits, environment: first.environment)
        let dump = Dump.bytes(of: loaded)
        for (number, replica) in replicas.enumerated() {
            let session = replica.session
            try expect(
                replica.found === session,
                "round \(round): store \(number) has another session")
            try expect(
                session.digest == loaded.digest && session.head == loaded.head,
                "round \(round): store \(number) is at \(session.head), \(session.digest); the log at "
                    + "\(loaded.head), \(loaded.digest)")
            try expectEqual(Dump.bytes(of: session), dump, "store \(number) and the log")
            for listener in replica.listeners { listener.drain() }
        }
        // The first record says when the stream was opened.
        for place in replicas[0].listeners.indices {
            let records = replicas[0].listeners[place].records.dropFirst()
            for (number, replica) in replicas.enumerated().dropFirst() {
                try expect(
                    replica.listeners[place].records.dropFirst().elementsEqual(records),
                    "round \(round): store \(number) sends other records than the first store")
            }
        }
        let times = try replicas[0].delaying.tail(
            of: LogSession(name: first.name, uid: first.uid), after: 0, limit: .max
        ).map(\.time)
        try expect(times == times.sorted(), "times go back: \(times)")
    }

    /// One store deletes the session, and one makes it again.
    private func makeAgain(
        _ replicas: [Replica], _ body: String, _ random: inout SeededRandom
    ) throws {
        let deleting = try known(random.pick(replicas))
        try expect(
            try deleting.client.delete(deleting.session),
            "the end of the session was not acknowledged")
        for replica in replicas { while replica.delaying.isAppending { sched_yield() } }
        // The others may get the new session before the old one's end.
        if random.chance(50) { for replica in replicas { replica.level() } }
        let making = random.chance(50) ? deleting : replicas[0]
        making.level()
        making.session = try making.client.create("demo", body)
        while making.delaying.isAppending { sched_yield() }
        for replica in replicas {
            replica.level()
            guard let session = replica.found else {
                throw Differs("a store lacks the new session")
            }
            replica.session = session
            try replica.listen()
        }
    }

    private mutating func count(_ what: String) { tally["replica " + what, default: 0] += 1 }
}
