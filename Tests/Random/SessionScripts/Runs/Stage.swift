// The sessions of one script: the one that is written to, one that follows its log, and a copy that
// is made of the operations that the log holds.

import JSONCodec
import SeededRandom
import SessionLog
import SessionLogTestSupport
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// Confined to its run.
final class Stage {
    let clock = Clock()
    let seed: UInt64
    let log = MemoryLog()
    let client: Client
    let leader: Session
    let follower: Session
    let copier: Client
    let copy: Session
    let past = PastMemory()
    var ends = ExpiryModel()
    private var listeners: [Listener] = []
    private let tape = JSONTape(limits: JSONLimits(depthMax: 100))
    let replayer = Replayer()
    private(set) var tally: [String: Int] = [:]

    static let limits: ServiceLimits = {
        var limits = ServiceLimits()
        limits.heartbeatMilliseconds = 1 << 40
        limits.streamLifetimeMilliseconds = 1 << 41
        // Scripts keep what sessions were, to compare later reads and reverts with it.
        limits.readSnapshotsMax = 1_000
        return limits
    }()

    var logSession: LogSession { LogSession(name: leader.name, uid: leader.uid) }

    init(seed: UInt64, _ body: String) throws {
        self.seed = seed
        let environment = clock.environment(seed: seed)
        client = Client(SessionStore(limits: Self.limits, environment: environment, log: log))
        leader = try client.create("demo", body)
        // A small window, so that the past of a session without a log begins with bases.
        var limits = Self.limits
        limits.retainedCommitsMax = 16
        copier = Client(
            SessionStore(limits: limits, environment: environment))
        follower = try Session.load(
            LogSession(name: "demo", uid: leader.uid), from: log,
            limits: Self.limits, environment: environment)
        let configuration = leader.configuration
        copy = try copier.create(
            "copy",
            #"{"propagation":"\#(configuration.propagation.rawValue)","updates":"\#(configuration.updates.rawValue)"}"#
        )
        try repeatOperations(of: 1)
        listeners.append(try Listener(leader, .session, from: "start"))
        listeners.append(
            try Listener(leader, .session, .serverSentEvents, withOperations: false, from: "start"))
        try compareDigests()
    }

    /// A stage of its own in the state of the leader: the log is copied, and the session opened from it.
    func fork() throws -> Stage { try Stage(copying: self) }

    private init(copying other: Stage) throws {
        seed = other.seed
        let environment = clock.environment(seed: seed)
        let entries = other.log.tail(of: other.logSession, after: 0, limit: .max)
        let part = LogAppend(session: other.logSession, entries: entries, expecting: 0)
        try expect(log.append([part]) == [.appended], "the log did not take its copy")
        client = Client(SessionStore(limits: Self.limits, environment: environment, log: log))
        leader = try client.create(other.leader.name, "{}")
        follower = leader
        copier = client
        copy = leader
        try expect(leader.digest == other.leader.digest, "a copied log leads to another digest")
    }

    func close() { for listener in listeners { listener.close() } }

    func count(_ what: String) { tally[what, default: 0] += 1 }

    // MARK: - Steps

    func accepts(_ write: Write) -> Bool {
        if case .refused = client.sendAndWait(write, to: leader) { false } else { true }
    }

    /// Sends the write, has the others follow, and compares.
    func take(_ write: Write) throws {
        let before = leader.digest
        let revision = leader.head
        switch client.sendAndWait(write, to: leader) {
        case .pending: throw Differs("a write was never decided")
        case .refused(let error):
            count("refused")
            try expect(error.code != .internalError, "internal error: \(error.detail)")
            try expectUntouched(before, revision, "a refused write")
        case .done(let outcome):
            if write.dryRun || outcome.isUnchanged {
                count(write.dryRun ? "dry run" : "unchanged")
                try expectUntouched(before, revision, "a write without effect")
            } else {
                count("commit")
                try expect(leader.head == revision + 1, "the head is \(leader.head)")
                try expect(outcome.revision == leader.head, "the outcome has another revision")
                try repeatOperations(of: leader.head)
            }
        }
        try follower.catchUp(with: replayer)
        try compareDigests()
        try compareCommit(leader.head)
        for listener in listeners { listener.drain(budget: 512) }
    }

    private func expectUntouched(
        _ digest: StateDigest, _ revision: Int64, _ what: String
    ) throws {
        try expect(
            leader.digest == digest && leader.head == revision,
            "\(what) left its mark: the digest was \(digest), is \(leader.digest)")
    }

    /// The operations of an entry, decoded and applied to the copy, have to be written down again as
    /// they are.
    func repeatOperations(of revision: Int64) throws {
        guard let entry = leader.retained[revision]?.entry else { return }
        let operations = try operations(of: entry)
        if operations == Array("[]".utf8) { return }
        let outcome = try copier.transaction(text(operations), to: copy)
        try expect(outcome?.isUnchanged == false, "operations of a commit change nothing again")
        let again = try known(copy.retained[copy.head]?.entry)
        try expectEqual(operations, try self.operations(of: again), "an entry and its repetition")
        try expect(
            leader.digest.content == copy.digest.content,
            "the content digest of revision \(revision) and that of its repetition differ")
    }

    func operations(of entry: LogEntry) throws -> [UInt8] {
        try entry.payload.withUnsafeBytes { bytes in
            let json = try tape.parse(bytes)
            return Array(try known(json.member("operations")).rawBytes)
        }
    }

    // MARK: - Comparing

    func compareDigests() throws {
        let (one, other) = (leader.digest, follower.digest)
        try expect(
            one == other && leader.head == follower.head,
            "revision \(leader.head) has digest \(one), the follower's \(follower.head) \(other)")
    }

    private func compareCommit(_ revision: Int64) throws {
        func item(_ session: Session) -> [UInt8] {
            var json = JSONWriter()
            session.retained[revision]?.write(operationsInFull: true, into: &json)
            session.retained[revision]?.write(operationsInFull: false, into: &json)
            return json.array()
        }
        try expectEqual(item(leader), item(follower), "the commits \(revision) of history")
    }

    func compareEverything() throws {
        try expectEqual(
            Dump.bytes(of: leader), Dump.bytes(of: follower), "session and follower")
        let frozen = try leader.withState { state throws(SessionError) in try state.snapshot() }
            .session()
        try expect(frozen.digest == leader.digest, "a snapshot's digest is another")
        count("dump")
    }

    func load() throws -> Session {
        try Session.load(
            logSession, from: log, limits: Self.limits,
            environment: clock.environment(seed: seed))
    }

    func compareLoaded() throws {
        let loaded = try load()
        try expect(loaded.digest == leader.digest, "a loaded session has another digest")
        try expectEqual(Dump.bytes(of: leader), Dump.bytes(of: loaded), "session and loaded one")
        for session in [follower, loaded] {
            // A session that was loaded from a snapshot retains the commits after it.
            let withCommits = session === follower
            try expectEqual(
                Reads.answers(of: leader, seed: seed, withCommits: withCommits),
                Reads.answers(of: session, seed: seed, withCommits: withCommits),
                "the answers to a hundred reads")
        }
    }
}

/// A value that has to be there.
func known<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Differs("no \(Value.self)") }
    return value
}

// MARK: - Streams

extension Stage {
    /// One more stream, of registrations that are there.
    func listen(_ random: inout SeededRandom) {
        let names = ScriptGenerator.registrations.filter { name in
            leader.withState { $0.hierarchy.registration(named: name) != nil }
        }
        guard !names.isEmpty, listeners.count < 8 else { return }
        let some = random.chance(50) ? [names[0]] : Array(names.shuffled(using: &random).prefix(3))
        let listener = try? Listener(
            leader, .registrations(some), random.chance(50) ? .ndjson : .serverSentEvents,
            from: random.chance(30) ? nil : random.chance(50) ? "now" : "start")
        if let listener {
            listener.drain()
            listeners.append(listener)
        }
    }

    /// Whether the names of the stream still mean the registrations that they meant.
    private func isAsItBegan(_ listener: Listener) -> Bool {
        guard case .registrations(let names) = listener.subject else { return true }
        return names.allSatisfy { name in
            leader.withState { state in
                guard let index = state.hierarchy.registration(named: name) else { return false }
                return state.hierarchy.registrationInfo(index).createdRevision <= listener.began
            }
        }
    }

    /// Tokens of streams of the leader, given to a session that was loaded from the log: what comes
    /// after them is the same, byte for byte.
    func compareResumed(_ random: inout SeededRandom) throws {
        let loaded = try load()
        for listener in listeners {
            listener.drain()
            let records = listener.records
            guard !listener.isOver, !records.isEmpty, isAsItBegan(listener) else { continue }
            // The new state after a new name comes with the cache of a stream, which a resumed one does not have.
            if text(listener.bytes).contains(#""reason":"setChanged""#) { continue }
            for _ in 0..<4 {
                let position = random.below(records.count)
                guard let token = Listener.token(of: records[position]) else {
                    throw Differs("a record without token: \(text(Array(records[position])))")
                }
                // A state record stands for no position of its own.
                if text(Array(records[position])).contains(#""type":"state""#) { continue }
                if text(Array(records[position])).contains(#""type":"begin""#),
                    position + 1 < records.count,
                    text(Array(records[position + 1])).contains(#""type":"s"#)
                {
                    continue
                }
                let resumed = try Listener(
                    loaded, listener.subject, listener.format,
                    withOperations: listener.withOperations, from: token)
                resumed.drain(budget: 1 + random.below(2_000))
                let expected = records[(position + 1)...].flatMap { $0 }
                let sent = resumed.records.dropFirst().flatMap { $0 }
                try expectEqual(
                    expected, sent, "records of \(listener.subject) resumed after \(token)")
                count("resumed stream")
                count("resumed record", resumed.records.count - 1)
                resumed.close()
            }
        }
    }

    private func count(_ what: String, _ number: Int) {
        for _ in 0..<number { count(what) }
    }
}
