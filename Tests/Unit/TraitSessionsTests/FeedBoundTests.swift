// What streams cost a commit, and what bounds it: each node above a change is visited once, feeds are
// counted for the caller that made them, and expired leases end together.

import JSONCodec
import Ledger
import SessionLog
import SessionScripts
import Synchronization
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Bounds of feeds")
struct FeedBoundTests {
    private let uptime = Uptime()

    private final class Uptime: Sendable {
        let milliseconds = Mutex<Int64>(5_000)
    }

    private struct Stage {
        let store: SessionStore
        let client: Client
        let session: Session

        func commit(_ operations: [String]) throws {
            _ = try client.transaction("[\(operations.joined(separator: ","))]", to: session)
        }
    }

    private func stage(
        memory: MemoryLedger = .unlimited, _ change: (inout ServiceLimits) -> Void = { _ in }
    ) throws -> Stage {
        var limits = ServiceLimits.quiet
        change(&limits)
        let base = Clock().environment(seed: 1)
        let environment = SessionEnvironment(
            now: base.now, uptime: { [uptime] in uptime.milliseconds.withLock { $0 } },
            random: base.random, memory: memory)
        let store = SessionStore(limits: limits, environment: environment)
        let client = Client(store)
        let session = try client.create(
            "demo", #"{"traits":{"level":{"type":"int","default":0}}}"#)
        return Stage(store: store, client: client, session: session)
    }

    private func open(
        _ stage: Stage, for caller: MemoryAccount? = nil,
        _ subject: (SessionState) throws(SessionError) -> StreamSubject
    ) throws -> LongPoll {
        var options = StreamOptions(format: .page, from: nil)
        options.caller = caller
        return try stage.session.openPage(options, subject)
    }

    private func watch(
        _ stage: Stage, _ nodes: [String], for caller: MemoryAccount?
    ) throws -> LongPoll {
        try open(stage, for: caller) { session throws(SessionError) in
            var watches: [(node: NodeIndex, traits: TraitSet)] = []
            for node in nodes {
                watches.append(
                    (try session.node(named: node, "watch"), try session.traits(.names(["level"]))))
            }
            return .members([], watches)
        }
    }

    private func records(_ poll: LongPoll) throws -> Int {
        var json = JSONWriter()
        #expect(poll.write(into: &json, evenIfEmpty: true).isWritten)
        let text = String(decoding: json.bytes, as: UTF8.self)
        return text.components(separatedBy: "\"type\":\"change\"").count - 1
    }

    private func timePasses(_ stage: Stage) {
        uptime.milliseconds.withLock { $0 += 61_000 }
        stage.store.removeIdleFeeds()
    }

    private static func create(_ node: String, in parent: String? = nil) -> String {
        let place = parent.map { ",\"parent\":\"\($0)\"" } ?? ""
        return "{\"op\":\"createNode\",\"node\":\"\(node)\",\"kind\":\"environment\"\(place)}"
    }

    private static func delete(_ node: String) -> String {
        "{\"op\":\"deleteNode\",\"node\":\"\(node)\"}"
    }

    private static func set(_ value: Int, at node: String) -> String {
        "{\"op\":\"setOverride\",\"node\":\"\(node)\",\"trait\":\"level\",\"value\":\(value)}"
    }

    private static func register(_ id: String, on node: String, ttl: Int? = nil) -> String {
        "{\"op\":\"register\",\"registration\":\"\(id)\",\"node\":\"\(node)\",\"traits\":[\"level\"]"
            + (ttl.map { ",\"ttl\":\($0)" } ?? "") + "}"
    }

    @Test("A commit visits the nodes above its notes once, not once for each note and subtree")
    func deepSubtrees() throws {
        let stage = try stage()
        let levels = 1_500
        try stage.commit(
            (0..<levels).map { Self.create("n\($0)", in: $0 == 0 ? nil : "n\($0 - 1)") })
        try stage.commit((0..<levels).map { Self.register("r\($0)", on: "n\(levels - 1)") })
        let polls = try (0..<levels).map { level in
            try open(stage) { session throws(SessionError) in
                .subtree(try session.node(named: "n\(level)", "subtree"))
            }
        }
        try stage.commit([Self.set(1, at: "n0")])
        for level in [0, levels / 2, levels - 1] { #expect(try records(polls[level]) == 9) }
        let commit = try #require(stage.session.retained[stage.session.head])
        #expect(commit.notified == levels)
        #expect(commit.byteCount < levels * 500, "it grows with nodes and notes, not their product")
    }

    @Test("A poll that waits goes on with a watch whose node or trait was made again")
    func returningWatches() throws {
        let stage = try stage()
        let account = MemoryAccount(
            storedBytesMax: 1 << 30, workBytesMax: 1 << 30, streamBytesMax: 1 << 30)
        try stage.commit([Self.create("a"), Self.create("b"), Self.create("c")])
        let poll = try watch(stage, ["a", "b", "c"], for: account)
        let listener = PollListener(poll)
        let flag = WakeFlag()
        listener.listen(flag)
        let held = account.streams.bytes
        try stage.commit([Self.delete("b"), Self.delete("c")])
        try stage.commit([Self.create("x")])
        var json = JSONWriter()
        #expect(!poll.write(into: &json, evenIfEmpty: false).isWritten)
        #expect(stage.session.feeds.memberCount == 3, "absent members count on")

        try stage.commit([Self.create("c")])
        json = JSONWriter()
        #expect(poll.write(into: &json, evenIfEmpty: false).isWritten, "the poll ends")
        listener.leave()
        #expect(
            stage.session.feeds.memberCount == 0, "nothing is left of what another poll cannot get")
        try stage.commit([Self.create("b")])

        let whole = try watch(stage, ["a", "b", "c"], for: account)
        let other = PollListener(whole)
        other.listen(flag)
        try stage.commit([Self.delete("b"), Self.create("b")])
        let next = try watch(stage, ["a", "b", "c"], for: account)
        #expect(next.writer.feed === whole.writer.feed.current, "the new feed has the key")
        try stage.commit(["a", "b", "c"].map { Self.set(4, at: $0) })
        #expect(try records(next) == 3)
        json = JSONWriter()
        #expect(whole.write(into: &json, evenIfEmpty: false).isWritten)
        other.leave()
        #expect(account.streams.bytes == 4 * held, "a feed counts while a reader holds it")
    }

    @Test("A stream whose watches end again and again does not keep a feed for each time")
    func manyReturns() throws {
        let stage = try stage()
        try stage.commit([Self.create("a"), Self.create("b")])
        let poll = try watch(stage, ["a", "b"], for: nil)
        let listener = PollListener(poll)
        listener.listen(WakeFlag())
        for _ in 0..<200 { try stage.commit([Self.delete("b"), Self.create("b")]) }
        let current = poll.writer.feed.current
        #expect(current.predecessors == 100)
        #expect(current.ending?.reason == .limit)
        listener.leave()
        #expect(stage.session.feeds.memberCount == 0)
    }

    @Test("Subtrees beside each other get their own notes, and so do those inside")
    func forkedSubtrees() throws {
        let stage = try stage()
        let parents = ["a": nil, "b": "a", "c": "a", "d": "b", "e": "c", "f": "c"]
        for node in parents.keys.sorted() {
            try stage.commit([Self.create(node, in: parents[node] ?? nil)])
        }
        for node in parents.keys.sorted() {
            try stage.commit([Self.register("r-\(node)", on: node)])
        }
        // `b` has no stream of its own.
        var polls: [String: LongPoll] = [:]
        for node in ["a", "c", "d", "f"] {
            polls[node] = try open(stage) { session throws(SessionError) in
                .subtree(try session.node(named: node, "subtree"))
            }
        }
        try stage.commit([Self.set(1, at: "a"), Self.set(2, at: "d")])
        let counts = try polls.mapValues(records)
        #expect(counts == ["a": 6, "c": 3, "d": 1, "f": 1])
        try stage.commit([Self.set(3, at: "e")])
        #expect(try polls.mapValues(records) == ["a": 7, "c": 4, "d": 1, "f": 1])
    }

    @Test("A feed that no stream reads forgets commits that are no longer retained")
    func unreadFeed() throws {
        let stage = try stage { $0.retainedCommitsMax = 10 }
        try stage.commit([Self.create("n"), Self.register("r", on: "n")])
        let feeds = [
            try watch(stage, ["n"], for: nil).writer.feed,
            try open(stage) { session throws(SessionError) in
                .subtree(try session.node(named: "n", "subtree"))
            }.writer.feed,
            try open(stage) { _ throws(SessionError) in .registrations(["r"]) }.writer.feed,
        ]
        for value in 1...100 { try stage.commit([Self.set(value, at: "n")]) }
        for feed in feeds { #expect(feed.matching(from: 0, limit: 1_000).count <= 11) }
    }

    @Test("Streams of a session name as many members as the limit says, and those of a caller half")
    func memberLimit() throws {
        let stage = try stage { $0.feedMembersMax = 8 }
        try stage.commit((0..<5).map { Self.create("n\($0)") })
        let accounts = MemoryLedger.unlimited.accounts
        let callers = (0..<3).map { accounts.account(of: CallerKey(high: 77, low: UInt64($0))) }
        _ = try watch(stage, ["n0", "n1", "n2"], for: callers[0])
        _ = try watch(stage, ["n3"], for: callers[0])
        // The same filter is the same feed, whoever asks for it.
        _ = try watch(stage, ["n3"], for: callers[0])
        _ = try watch(stage, ["n0", "n1", "n2"], for: callers[1])
        let half = #expect(throws: SessionError.self) {
            try watch(stage, ["n4"], for: callers[0])
        }
        #expect(half?.code == .tooManyStreams && half?.detail.contains("half") == true)
        #expect(half?.detail.contains("feedMembersMax=8") == true)
        _ = try watch(stage, ["n0", "n1", "n2", "n3"], for: callers[1])
        let all = #expect(throws: SessionError.self) {
            try watch(stage, ["n4"], for: callers[2])
        }
        #expect(all?.code == .tooManyStreams && all?.detail.contains("name 8 ") == true)
        #expect(stage.session.hierarchy.watchCount == 4, "a refused one leaves nothing")
        timePasses(stage)
        #expect(stage.session.feeds.memberCount == 0)
        _ = try watch(stage, ["n0", "n1", "n2", "n4"], for: callers[0])
    }

    @Test("Watches take their caller's share of memory, not that of the session's creator")
    func memoryShare() throws {
        let memory = MemoryLedger(bytesMax: 4_000_000, measure: { 0 })
        let stage = try stage(memory: memory)
        try stage.commit((0..<100).map { Self.create("n\($0)") })
        let creator = memory.accounts.account(of: CallerKey(high: 78, low: 0))
        stage.session.withState { $0.upkeep.holding.owner = creator }
        let reader = memory.accounts.account(of: CallerKey(high: 78, low: 1))
        let before = stage.session.withState { $0.countBytes() }
        let stored = creator.stored.bytes
        var refusal: SessionError?
        for first in 0..<100 {
            do {
                _ = try watch(
                    stage, (0..<40).map { "n\((first + $0) % 100)" }, for: reader)
            } catch let error as SessionError {
                refusal = error
                break
            }
        }
        #expect(refusal?.code == .outOfMemory)
        #expect(
            refusal?.detail.contains("of the 1000000 bytes") == true, "\(refusal?.detail ?? "")")
        #expect(reader.streams.bytes > 900_000 && reader.streams.bytes <= 1_000_000)
        let after = stage.session.withState { $0.countBytes() }
        #expect(after.feeds - before.feeds == reader.streams.bytes)
        // Arenas of the engine grow in steps.
        let grown = (after.total - after.feeds) - (before.total - before.feeds)
        #expect(creator.stored.bytes - stored == grown)
        // The reader has stored nothing, and others still open streams.
        let other = memory.accounts.account(of: CallerKey(high: 78, low: 2))
        _ = try watch(stage, ["n0"], for: other)
        timePasses(stage)
        #expect(
            reader.streams.bytes == 0
                && stage.session.withState { $0.countBytes().feeds } == 0)
    }

    @Test("Watches of a feed whose time is over are removed some at a time")
    func removedInParts() throws {
        let stage = try stage()
        try stage.commit((0..<100).map { Self.create("n\($0)") })
        _ = try open(stage) { session throws(SessionError) in
            let all = session.hierarchy.definitions.settable
            return .members(
                [],
                try (0..<100).map { number throws(SessionError) in
                    (try session.node(named: "n\(number)", "node"), all)
                })
        }
        #expect(stage.session.hierarchy.watchCount == 100)
        uptime.milliseconds.withLock { $0 += 3_600_000 }
        var sections = 1
        while stage.session.withState({ $0.removeIdleFeeds(atMost: 64) }) { sections += 1 }
        // A watch of 23 traits counts twice.
        #expect(sections == 4)
        #expect(stage.session.feeds.count == 0 && stage.session.hierarchy.watchCount == 0)
        try stage.session.hierarchy.checkInvariants()
    }

    @Test("Leases that expire together end together, except for one that is renewed")
    func leases() throws {
        let stage = try stage()
        try stage.commit([Self.create("n")])
        let count = 3_000
        try stage.commit((0..<count).map { Self.register("r\($0)", on: "n", ttl: 1) })
        let head = stage.session.head
        let reader = try Listener(stage.session, .registrations(["r7"]), from: "now")
        reader.listen()
        uptime.milliseconds.withLock { $0 += 2_000 }
        stage.store.endExpiredLeases()
        // This write waits behind what was queued.
        let done = stage.session.queue(Proposal(.one(.unregister("r7"))), isLong: false)
        #expect(isReleased(Wait.until([done])[0]))
        #expect(stage.session.hierarchy.registrationCount == 0)
        #expect(stage.session.head - head <= Int64(count / 100), "not a commit for each")
        reader.close()
    }
}
