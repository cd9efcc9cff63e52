// Feeds and watches that come and go at awkward moments. Each of these tests was seen to fail without the
// line that it is about.

import Foundation
import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Feeds at awkward moments")
struct FeedFaultTests {
    private static let text = String(repeating: "x", count: 10_000)

    private let uptime = Uptime()
    private let log = DelayingLog(isHolding: false)
    private let store: SessionStore
    private let client: Client
    private let session: Session

    private final class Uptime: Sendable {
        let milliseconds = Mutex<Int64>(5_000)
    }

    /// scene with three texts.
    init() throws {
        var limits = ServiceLimits.quiet
        limits.notificationBytesMax = 20_000
        var environment = Clock().environment(seed: 1)
        environment.uptime = { [uptime] in uptime.milliseconds.withLock { $0 } }
        store = SessionStore(limits: limits, environment: environment, log: log)
        client = Client(store)
        let traits = (0..<3).map { "\"t\($0)\":{\"type\":\"string\",\"default\":\"\"}" }
        session = try client.create("demo", "{\"traits\":{\(traits.joined(separator: ","))}}")
        try commit("{\"op\":\"createNode\",\"node\":\"scene\",\"kind\":\"windowScene\"}")
    }

    private func commit(_ operations: String...) throws {
        _ = try client.transaction("[\(operations.joined(separator: ","))]", to: session)
    }

    private func set(_ trait: String, _ value: String) -> String {
        "{\"op\":\"setOverride\",\"node\":\"scene\",\"trait\":\"\(trait)\",\"value\":\"\(value)\"}"
    }

    private func register(_ id: String) -> String {
        "{\"op\":\"register\",\"registration\":\"\(id)\",\"node\":\"scene\",\"traits\":[\"t0\"]}"
    }

    private func watch(_ traits: [String]) throws -> LongPoll {
        try session.openPage(StreamOptions(format: .ndjson, from: nil)) {
            state throws(SessionError) in
            let scene = try state.node(named: "scene", "node")
            return .watch(scene, try state.traits(.names(traits)))
        }
    }

    private func page(_ registrations: [String]) throws -> LongPoll {
        try session.openPage(StreamOptions(format: .ndjson, from: nil)) { _ in
            .registrations(registrations)
        }
    }

    private func visit(_ poll: LongPoll) {
        let listener = PollListener(poll)
        listener.listen(Deaf())
        listener.leave()
    }

    private final class Deaf: Waker {
        func wake() {}
    }

    private func timePasses() {
        uptime.milliseconds.withLock { $0 += 61_000 }
        store.removeIdleFeeds()
    }

    @Test("An idle feed goes although another one has its key")
    func replaced() throws {
        try commit(register("a"), register("b"))
        weak var first: Feed?
        do {
            let poll = try page(["a", "b"])
            visit(poll)
            first = poll.writer.feed
        }
        #expect(first != nil && session.feeds.count == 1)
        // The names mean other registrations from here on.
        try commit("{\"op\":\"unregister\",\"registration\":\"a\"}")
        try commit(register("a"))
        let listener = PollListener(try page(["a", "b"]))
        listener.listen(Deaf())
        #expect(first != nil && session.feeds.count == 1)
        timePasses()
        #expect(first == nil, "it still stands with the registration that is left")
        #expect(session.feeds.count == 1, "the other one is listened to")
        listener.leave()
        timePasses()
        #expect(session.feeds.count == 0)
    }

    @Test("A late acknowledgement ends no newer watch of the same index")
    func lateAcknowledgement() throws {
        visit(try watch(["t0", "t1", "t2"]))
        let texts = (0..<3).map { set("t\($0)", Self.text) }
        log.hold()
        let answer = client.send(Write(.transaction(texts)), to: session)
        guard case .pending(let response) = answer else {
            throw Differs("the log answers later")
        }
        #expect(log.waitForHeld(1))
        // The watch goes before its end is certain, and another one gets its index.
        timePasses()
        #expect(session.hierarchy.watchCount == 0)
        let newer = try watch(["t0"])
        #expect(session.hierarchy.watchCount == 1)
        log.release()
        #expect(isReleased(Wait.until([response])[0]))
        #expect(session.hierarchy.watchCount == 1 && session.feeds.watchCount == 1)
        try commit(set("t0", "after"))
        var json = JSONWriter()
        #expect(newer.write(into: &json, evenIfEmpty: true).isWritten)
        let text = String(decoding: json.bytes, as: UTF8.self)
        #expect(text.contains("\"current\":\"after\"") && !text.contains("ended"), "\(text)")
    }

    @Test(
        "Watches that end with a commit do not take those with them that it brings back",
        arguments: [false, true])
    func reusedIndex(areBeingRemoved: Bool) throws {
        func environments(_ names: [String]) -> String {
            names.map { "{\"op\":\"createNode\",\"node\":\"\($0)\",\"kind\":\"environment\"}" }
                .joined(separator: ",")
        }
        let (gone, back) = (["a", "b", "c"], ["d", "e"])
        func deletions(_ names: [String]) -> String {
            names.map { "{\"op\":\"deleteNode\",\"node\":\"\($0)\"}" }.joined(separator: ",")
        }
        try commit(environments(gone + back))
        var watched = try watches(["scene"] + back)
        let cursor = try session.openStream(StreamOptions(format: .ndjson, from: "now")) { _ in
            watched
        }
        cursor.listen(Deaf())
        try commit(deletions(back))
        watched = try watches(gone)
        let lingering = try session.openPage(StreamOptions(format: .ndjson, from: nil)) { _ in
            watched
        }
        visit(lingering)
        if areBeingRemoved {
            uptime.milliseconds.withLock { $0 += 61_000 }
            // The feed, and not yet its watches.
            session.withState { #expect($0.removeIdleFeeds(atMost: 1)) }
        }
        try commit(deletions(gone), environments(back))
        for node in back {
            try commit(set("t0", "on \(node)").replacing("\"scene\"", with: "\"\(node)\""))
        }
        let sink = CollectedRecords()
        for _ in 0..<5 { _ = cursor.produce(into: sink, budget: 65_536) }
        let text = String(decoding: sink.bytes, as: UTF8.self)
        for node in back { #expect(text.contains("\"current\":\"on \(node)\""), "\(text)") }
        try session.withState { try $0.hierarchy.checkInvariants() }
        cursor.closed()
    }

    private func watches(_ nodes: [String]) throws -> StreamSubject {
        try session.withState { state in
            .members(
                [],
                try nodes.map {
                    (try state.node(named: $0, "watch"), try state.traits(.names(["t0"])))
                })
        }
    }

    @Test("What watches would hear beyond the bound is not written, however little it is")
    func beyondTheBound() throws {
        _ = try watch(["t0", "t1", "t2"])
        _ = try watch(["t2"])
        #expect(session.hierarchy.watchCount == 2)
        try commit(set("t0", Self.text), set("t1", Self.text), set("t2", "short"))
        #expect(session.hierarchy.watchCount == 0 && session.feeds.watchCount == 0)
        try session.withState { try $0.hierarchy.checkInvariants() }
    }

    @Test("A state in the middle of a stream leaves out what a pending commit ended")
    func endedByPending() throws {
        let child =
            "{\"op\":\"createNode\",\"node\":\"child\",\"kind\":\"window\",\"parent\":\"scene\"}"
        let onChild = register("a").replacing("\"scene\"", with: "\"child\"")
        try commit(child, onChild, register("b"), register("c"))
        let reader = try Listener(session, .registrations(["a", "b", "c"]), from: nil)
        reader.drain()
        try commit("{\"op\":\"unregister\",\"registration\":\"c\"}")
        log.hold()
        let answer = client.send(
            Write(.transaction(["{\"op\":\"deleteNode\",\"node\":\"child\"}"])), to: session)
        guard case .pending(let response) = answer else {
            throw Differs("the log answers later")
        }
        #expect(log.waitForHeld(1))
        reader.drain()
        log.release()
        #expect(isReleased(Wait.until([response])[0]))
        reader.drain()
        let text = String(decoding: reader.bytes, as: UTF8.self)
        let afterReset = text.components(separatedBy: "{\"type\":\"reset\"").last ?? ""
        #expect(
            afterReset.contains("\"registration\":\"b\"")
                && !afterReset.contains("\"registration\":\"a\"")
                && afterReset.contains("\"count\":1"), "\(text)")
        reader.close()
    }

    @Test("A stream that is woken once for a commit and for its end tells both")
    func endBehindCommit() throws {
        try commit(register("a"))
        let reader = try Listener(session, .registrations(["a"]), from: "now")
        reader.listen()
        reader.drain()
        try commit(set("t0", "last"))
        try commit("{\"op\":\"unregister\",\"registration\":\"a\"}")
        reader.drain()
        let text = String(decoding: reader.bytes, as: UTF8.self)
        #expect(text.contains("\"current\":\"last\"") && reader.isOver, "\(text)")
        reader.close()
    }

    @Test(
        "A commit that makes a registration again is sent with the new state, and no bookmark between",
        arguments: [false, true])
    func returnInCommit(isBookmarkDue: Bool) throws {
        // Without a log streams are woken before the commit returns.
        var limits = ServiceLimits()
        limits.heartbeatMilliseconds = 1_000
        var environment = Clock().environment(seed: 1)
        environment.uptime = { [uptime] in uptime.milliseconds.withLock { $0 } }
        let client = Client(
            SessionStore(limits: limits, environment: environment))
        let session = try client.create(
            "demo", "{\"traits\":{\"t0\":{\"type\":\"string\",\"default\":\"\"}}}")
        func commit(_ operations: String...) throws {
            _ = try client.transaction("[\(operations.joined(separator: ","))]", to: session)
        }
        try commit("{\"op\":\"createNode\",\"node\":\"scene\",\"kind\":\"windowScene\"}")
        try commit(register("a"), register("b"))
        let reader = try Listener(session, .registrations(["a", "b"]), from: nil)
        reader.listen()
        reader.drain()
        try commit("{\"op\":\"unregister\",\"registration\":\"b\"}")
        reader.drain()
        let sent = reader.bytes.count
        // The stream is woken once for both.
        try commit(set("t0", "new"), register("b"))
        if isBookmarkDue {
            uptime.milliseconds.withLock { $0 += 4_000 }
        }
        reader.drain()
        let text = String(decoding: reader.bytes.dropFirst(sent), as: UTF8.self)
        let types = text.split(separator: "\n").map { $0.dropFirst(9).prefix { $0 != "\"" } }
        #expect(types == ["change", "reset", "state", "state", "sync"], "\(text)")
        reader.close()
    }

    @Test("A stream that is woken once for commits before and behind a return tells all")
    func commitBehindReturn() throws {
        try commit(register("a"), register("b"))
        let reader = try Listener(session, .registrations(["a", "b"]), from: "now")
        reader.listen()
        reader.drain()
        try commit("{\"op\":\"unregister\",\"registration\":\"b\"}")
        reader.drain()
        let sent = reader.bytes.count
        try commit(set("t0", "first"), register("b"))
        try commit(set("t0", "second"))
        reader.drain()
        let text = String(decoding: reader.bytes.dropFirst(sent), as: UTF8.self)
        let values = text.split(separator: "\n").compactMap { record in
            ["first", "second"].first { record.contains("\"current\":\"\($0)\"") }
        }
        #expect(values == ["first", "second", "second"], "\(text)")
        reader.close()
    }

    @Test("A stream of a node that is made anew does not end with the node of before")
    func replacedSubtree() throws {
        let child =
            "{\"op\":\"createNode\",\"node\":\"child\",\"kind\":\"window\",\"parent\":\"scene\"}"
        try commit(child)
        let before = try Listener(session, .subtree("child"), from: "now")
        before.listen()
        log.hold()
        for operation in ["{\"op\":\"deleteNode\",\"node\":\"child\"}", child] {
            guard case .pending = client.send(Write(.transaction([operation])), to: session) else {
                throw Differs("the log answers later")
            }
        }
        let after = try Listener(session, .subtree("child"), from: "now")
        after.listen()
        log.release()
        let done = try client.transaction("[\(set("t0", "later"))]", to: session)
        #expect(done != nil, "the log has answered")
        before.drain()
        after.drain()
        let text = String(decoding: after.bytes, as: UTF8.self)
        #expect(before.isOver && !after.isOver, "\(text)")
        before.close()
        after.close()
    }
}
