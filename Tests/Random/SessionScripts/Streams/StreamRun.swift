// A random script of writes, with streams of random filters. The streams are read at random speeds,
// closed and resumed while history is truncated. Each record is compared with the model.

import JSONCodec
import SeededRandom
import SessionLog
import SessionViews
import Synchronization
import TraitEngine
import TraitJSON
import TraitSessions

package struct StreamRun {
    package let seed: UInt64
    package let stepCount: Int
    package private(set) var tally: [String: Int] = [:]

    private var script: StreamScript
    private var random: SeededRandom {
        get { script.random }
        set { script.random = newValue }
    }
    private var worlds: [StreamWorld] = [StreamWorld()]
    private let clock = StreamClock()
    private let tape = JSONTape(limits: JSONLimits(depthMax: 16))

    package init(seed: UInt64, stepCount: Int = 120) {
        self.seed = seed
        self.stepCount = stepCount
        script = StreamScript(SeededRandom(seed: seed))
    }

    /// Returns the failure; nil when the run succeeded.
    package mutating func run() -> String? {
        do {
            try play()
            return nil
        } catch {
            return "stream seed \(seed), revision \(worlds.count - 1): \(error)"
        }
    }

    private mutating func play() throws {
        var limits = ServiceLimits()
        limits.retainedCommitsMax = 4 + random.below(20)
        limits.heartbeatMilliseconds = 1_000
        limits.streamLifetimeMilliseconds = 1 << 40
        limits.watchLingerMilliseconds = 5_000
        let clock = clock
        let source = Mutex(SeededRandom(seed: seed &+ 1))
        let store = SessionStore(
            limits: limits,
            environment: SessionEnvironment(
                now: { 1_800_000_000_000 + clock.time }, uptime: { clock.time },
                random: { source.withLock { $0.next() } }))
        let client = Client(store)
        let session = try client.create("demo", StreamScript.creation)
        worlds.append(StreamWorld())
        var readers: [StreamReader] = []
        defer { for reader in readers { reader.close() } }
        for _ in 0..<12 { try write(to: session, client) }
        for _ in 0..<stepCount {
            try write(to: session, client)
            clock.move(by: Int64(random.below(400)))
            if readers.count < 4, random.chance(30), let reader = try open(session) {
                readers.append(reader)
            }
            for reader in readers where random.chance(reader.eagerness) {
                try read(reader, rounds: 1 + random.below(4))
            }
            if random.chance(10), let reader = random.pick(readers) {
                try reopen(reader, session)
            }
            readers.removeAll { $0.isOver }
            if random.chance(20) { store.removeIdleFeeds() }
        }
        // A dropped record shows with the next bookmark.
        for _ in 0..<3 {
            clock.move(by: 5_000)
            for reader in readers { try read(reader, rounds: 1_000) }
        }
        for reader in readers { tally.merge(reader.checker.tally) { $0 + $1 } }
    }

    // MARK: - Writing

    private mutating func write(to session: Session, _ client: Client) throws {
        let (operations, world) = script.transaction(worlds[worlds.count - 1])
        if operations.isEmpty { return }
        let outcome = try client.transaction(
            "[" + operations.joined(separator: ",") + "]", to: session)
        let isChanged = world != worlds[worlds.count - 1]
        if isChanged { worlds.append(world) }
        guard outcome?.revision == Int64(worlds.count - 1) else {
            throw Differs("\(operations) led to \(outcome?.revision ?? -1)")
        }
    }

    // MARK: - Streams

    private mutating func open(_ session: Session) throws -> StreamReader? {
        let world = worlds[worlds.count - 1]
        guard let subject = script.subject(in: world) else { return nil }
        let reader = StreamReader(
            subject, wantsState: random.chance(75), coalesces: random.chance(50),
            at: Int64(worlds.count - 1))
        reader.eagerness = random.pick([5, 30, 90]) ?? 50
        try reader.connect(session, from: nil)
        return reader
    }

    private mutating func reopen(_ reader: StreamReader, _ session: Session) throws {
        reader.close()
        reader.isOver = false
        guard let token = reader.checker.token else {
            reader.isOver = true
            return
        }
        reader.checker.reconnect(worlds[worlds.count - 1])
        do throws(SessionError) {
            try reader.connect(session, from: token)
            tally["resumed", default: 0] += 1
        } catch {
            // A stream that does not resync may be refused for its position, and any stream for a
            // name that no longer exists.
            let isGone = error.code == .historyGone && !reader.wantsState
            guard isGone || error.code == .unknownNode || error.code == .unknownRegistration else {
                throw error
            }
            tally["refused", default: 0] += 1
            reader.isOver = true
        }
    }

    private mutating func read(_ reader: StreamReader, rounds: Int) throws {
        var records: [ReceivedRecord] = []
        for text in try reader.drain(rounds: rounds, budget: 100 + random.below(3_000)) {
            records.append(try ReceivedRecord(text, tape))
        }
        for record in records {
            if try !reader.checker.take(record, worlds) {
                tally.merge(reader.checker.tally) { $0 + $1 }
                return reader.close()
            }
        }
    }
}

/// A clock that the run moves forward.
private final class StreamClock: Sendable {
    private let milliseconds = Mutex<Int64>(0)

    var time: Int64 { milliseconds.withLock { $0 } }

    func move(by step: Int64) { milliseconds.withLock { $0 += step } }
}

/// A client of one stream. Confined to its run.
private final class StreamReader {
    var checker: StreamChecker
    let wantsState: Bool
    var eagerness = 50
    var isOver = false
    private var cursor: StreamCursor?
    private var waker = WakeFlag()
    private var uptime: @Sendable () -> Int64 = { 0 }
    /// Whether the stream said that there is more.
    private var wantsMore = true
    /// When the stream is to be asked without a wake.
    private var deadline = Int64.max

    init(
        _ subject: ModelSubject, wantsState: Bool, coalesces: Bool, at head: Int64
    ) {
        self.wantsState = wantsState
        checker = StreamChecker(subject, coalesces: coalesces, at: head)
    }

    func connect(_ session: Session, from token: String?) throws(SessionError) {
        var options = StreamOptions(format: .ndjson, from: token ?? (wantsState ? nil : "now"))
        options.wantsState = wantsState
        options.resyncs = wantsState
        options.coalesces = checker.coalesces
        let cursor = try session.openStream(options, checker.subject.subject)
        waker = WakeFlag()
        cursor.listen(waker)
        self.cursor = cursor
        uptime = session.environment.uptime
        wantsMore = true
    }

    /// Takes no more than a connection of the server: after the shared records of a commit nothing until
    /// the next wake, so that a wake that is missing is seen.
    func drain(rounds: Int, budget: Int) throws -> [String] {
        guard let cursor else { return [] }
        let sink = CollectedRecords()
        reading: for _ in 0..<rounds {
            let isWoken = waker.take()
            guard isWoken || wantsMore || uptime() >= deadline else {
                let unasked = CollectedRecords()
                // A millisecond before the deadline a bookmark may be due.
                if uptime() + 1 >= deadline { break }
                _ = cursor.produce(into: unasked, budget: budget)
                if unasked.bytes.isEmpty { break }
                throw Differs("no wake came for \(String(decoding: unasked.bytes, as: UTF8.self))")
            }
            if isWoken, !wantsMore, let records = cursor.sharedRecords() {
                records.withBytes { sink.append($0) }
                continue
            }
            let round = CollectedRecords()
            let step = cursor.produce(into: round, budget: budget)
            sink.bytes += round.bytes
            wantsMore = false
            switch step {
            case .idle(let milliseconds): deadline = uptime() + milliseconds
            case .more: wantsMore = true
            case .finished: break reading
            }
        }
        return sink.bytes.split(separator: UInt8(ascii: "\n"))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    func close() {
        isOver = true
        cursor?.closed()
        cursor = nil
    }
}
