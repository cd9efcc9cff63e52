// The bytes of changes that one commit delivers are bounded. Beyond the limit registrations refuse
// the commit, and a watch ends. Equal changes are stored once.

import Foundation
import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("The bytes of changes that a commit delivers")
struct NotificationBytesTests {
    private static let text = String(repeating: "x", count: 10_000)

    private let log = MemoryLog()
    private let process: Process
    private let session: Session

    /// scene ▸ 100 views with a registration each, for the language and three custom texts.
    init() throws {
        var limits = ServiceLimits.quiet
        limits.notificationBytesMax = 200_000
        process = Process(log, seed: 1, limits: limits)
        let traits = (0..<3).map { "\"t\($0)\":{\"type\":\"string\",\"default\":\"\"}" }
        session = try process.session("demo", "{\"traits\":{\(traits.joined(separator: ","))}}")
        var operations = ["{\"op\":\"createNode\",\"node\":\"scene\",\"kind\":\"windowScene\"}"]
        for number in 0..<100 {
            operations += [
                "{\"op\":\"createNode\",\"node\":\"v\(number)\",\"kind\":\"environment\","
                    + "\"parent\":\"scene\"}",
                "{\"op\":\"register\",\"registration\":\"r\(number)\",\"node\":\"v\(number)\","
                    + "\"traits\":[\"t0\",\"t1\",\"t2\"]}",
            ]
        }
        try process.commit(operations.joined(separator: ","), session)
    }

    private func set(_ trait: String, _ value: String, at node: String) -> String {
        "{\"op\":\"setOverride\",\"node\":\"\(node)\",\"trait\":\"\(trait)\",\"value\":\"\(value)\"}"
    }

    @Test("A hundred registrations that hear the same change hold it once")
    func shared() throws {
        let outcome = try process.commit(set("t0", Self.text, at: "scene"), session)
        #expect(outcome.notified == 100)
        let commit = try #require(session.withState { $0.retained[$0.head] })
        #expect(commit.noteBytes > 10_000 && commit.noteBytes < 11_000)
        #expect(commit.byteCount > 20_000 && commit.byteCount < 40_000)
    }

    @Test("A commit that registrations hear too much of is refused, and nothing is changed")
    func refused() throws {
        let before = (session.digest, session.head, Dump.bytes(of: session))
        // Each of thirty views hears its own text.
        let operations = (0..<30).map { set("t1", "\($0)" + Self.text, at: "v\($0)") }
        let error = #expect(throws: SessionError.self) {
            try process.commit(operations.joined(separator: ","), session)
        }
        #expect(error?.code == .transactionTooLarge)
        #expect(error?.detail.contains("notificationBytesMax=200000") == true)
        #expect(before.0 == session.digest && before.1 == session.head)
        #expect(before.2 == Dump.bytes(of: session))
        try session.withState { try $0.hierarchy.checkInvariants() }
        // Half of it is not too much.
        try process.commit(operations.prefix(15).joined(separator: ","), session)
    }

    @Test("A watch that would hear too much ends, and keeps no write from being made")
    func watch() throws {
        let scene = try #require(session.hierarchy.node("scene"))
        let names = try session.withState { state throws(SessionError) in
            try state.traits(.names(["t0", "t1", "t2"]))
        }
        let options = StreamOptions(format: .ndjson, from: nil)
        let page = try session.openPage(options) { _ in .watch(scene, names) }
        try process.commit(
            (0..<100).map { "{\"op\":\"unregister\",\"registration\":\"r\($0)\"}" }
                .joined(separator: ","), session)
        var operations: [String] = []
        for trait in 0..<3 {
            for _ in 0..<7 { operations.append(set("t\(trait)", Self.text, at: "scene")) }
        }
        // Seven texts of 10 kB each are one change; a change of 30 kB is heard.
        try process.commit(operations.joined(separator: ","), session)
        var json = JSONWriter()
        #expect(page.write(into: &json, evenIfEmpty: false).isWritten)
        #expect(session.hierarchy.watchCount == 1)
        var limited = ServiceLimits.quiet
        limited.notificationBytesMax = 20_000
        let other = Process(MemoryLog(), seed: 2, limits: limited)
        let small = try other.session(
            "demo",
            "{\"traits\":{\"t0\":{\"type\":\"string\",\"default\":\"\"},"
                + "\"t1\":{\"type\":\"string\",\"default\":\"\"}}}")
        try other.commit(
            "{\"op\":\"createNode\",\"node\":\"scene\",\"kind\":\"windowScene\"}", small)
        let node = try #require(small.hierarchy.node("scene"))
        let watched = try small.openPage(options) { state throws(SessionError) in
            .watch(node, try state.traits(.names(["t0", "t1"])))
        }
        try other.commit(
            set("t0", Self.text, at: "scene") + "," + set("t1", Self.text, at: "scene"), small)
        #expect(small.hierarchy.watchCount == 0 && small.feeds.watchCount == 0)
        var last = JSONWriter()
        #expect(watched.write(into: &last, evenIfEmpty: false).isWritten)
        let text = String(decoding: last.bytes, as: UTF8.self)
        #expect(text.contains("\"ended\":true") && text.contains("\"records\":[]"), "\(text)")
        try small.withState { try $0.hierarchy.checkInvariants() }
    }

    @Test("A page of records ends after so many bytes, and the next one goes on behind it")
    func pages() throws {
        try process.commit(
            (0..<15).map { set("t1", "\($0)" + Self.text, at: "v\($0)") }.joined(separator: ","),
            session)
        try process.commit(
            (0..<15).map { set("t2", "\($0)" + Self.text, at: "v\($0)") }.joined(separator: ","),
            session)
        var from = "start"
        var bytes: [Int] = []
        var records = 0
        for _ in 0..<50 {
            let page = try session.openPage(
                StreamOptions(format: .ndjson, from: from), recordsMax: 1_000
            ) { _ in .session }
            var json = JSONWriter()
            _ = page.write(into: &json, evenIfEmpty: true)
            let text = String(decoding: json.bytes, as: UTF8.self)
            let found = text.components(separatedBy: "\"type\":").count - 1
            if found == 0 { break }
            records += found
            bytes.append(json.count)
            from = try #require(
                text.components(separatedBy: "\"next\":\"").last?
                    .components(separatedBy: "\"").first)
        }
        // Creation, the hundred registrations, and twice a commit that fifteen hear.
        #expect(records == 2 + 2 * 16)
        #expect(bytes.count == 2 && bytes.allSatisfy { $0 < 262_144 + 12_000 })
    }
}
