// The reasons and the callers of commits, in histories, streams and the access log.

import Foundation
import HTTPServer
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitService
@testable import TraitSessions

@Suite("Reasons")
struct ReasonTests {
    private static let long = String(repeating: "ä", count: 128)

    private static func field(_ text: String) -> [HTTPField] { [HTTPField("Traitd-Reason", text)] }

    /// The `cause` of the newest commit.
    private static func cause(_ session: SessionClient) throws -> JSON? {
        try session.get("history?pageSize=1").success().json["commits"]?[0]?["cause"]
    }

    @Test("A reason of the header or of the body stands in history and streams")
    func reasons() throws {
        let service = try InProcessService()
        let session = try SessionClient.sample("reasons", on: service.url)
        let why = #"ticket "17": ☂ \ it's time"#
        let document: JSON = ["nodes": [.node("n3")]]
        let moved: JSON = .setOverride("displayScale", at: "scene", 3)
        for (method, target, body, header) in [
            ("PUT", "nodes/n1", ["kind": "environment"], true),
            ("POST", "transactions", ["operations": [moved]], true),
            ("PATCH", "nodes/n1/overrides", ["displayScale": 2], true),
            ("DELETE", "nodes/n1", nil, true),
            (
                "POST", "transactions",
                ["operations": [moved.with("value", 4)], "reason": .string(why)], false
            ),
            ("PUT", "apply", document.with("reason", .string(why)), false),
        ] as [(String, String, JSON?, Bool)] {
            try session.send(method, target, body, fields: header ? Self.field(why) : []).success()
            #expect(try Self.cause(session)?["reason"] == .string(why), "\(method) \(target)")
        }
        let page = try session.get("events?operations=true&from=0&wait=0&limit=1000").success().json
        let told = page["records"]?.array?.filter {
            $0["type"] == "commit" && $0["cause"]?["reason"] == .string(why)
        }
        #expect(told?.count == 6)
        // A commit without a reason has none.
        try session.put("nodes/n2", ["kind": "environment"])
        #expect(try Self.cause(session)?["reason"] == nil)
        // The longest reason, and a session that is made and deleted with one.
        try session.send("DELETE", "nodes/n2", fields: Self.field(Self.long)).success()
        #expect(try Self.cause(session)?["reason"] == .string(Self.long))
        let other = try SessionClient("reasons-other", on: service.url)
        try other.send("PUT", "", [:], fields: Self.field(why)).expecting(201)
        #expect(try Self.cause(other)?["reason"] == .string(why))
        try other.send("DELETE", "", fields: Self.field("over")).success()
    }

    @Test("Another reason is 400, and changes nothing")
    func refusals() throws {
        let service = try InProcessService()
        let session = try SessionClient.sample("refused", on: service.url)
        let head = try session.revision()
        let body: JSON = ["kind": "environment"]
        for text in ["", Self.long + "x", "tab\there", "delete\u{7f}", "next\u{85}line"] {
            let answer = try session.send("PUT", "nodes/n1", body, fields: Self.field(text))
            if text.contains("\u{7f}"), answer.status == 400 { continue }
            try expectProblem(answer, 400, "malformed-reason")
            let member = try session.send(
                "POST", "transactions", ["operations": [], "reason": .string(text)])
            #expect(try expectProblem(member, 400, "malformed-reason")["pointer"] == "/reason")
            let applied = try session.send("PUT", "apply", ["nodes": [], "reason": .string(text)])
            try expectProblem(applied, 400, "malformed-reason")
        }
        let twice = try session.send(
            "PUT", "nodes/n1", body, fields: Self.field("a") + Self.field("b"))
        try expectProblem(twice, 400, "malformed-reason")
        let both = try session.send(
            "POST", "transactions", ["operations": [], "reason": "a"], fields: Self.field("a"))
        #expect(try expectProblem(both, 400, "malformed-body")["pointer"] == "/reason")
        let number = try session.send("POST", "transactions", ["operations": [], "reason": 7])
        try expectProblem(number, 400, "malformed-body")
        let connection = try RawConnection(port: service.port)
        try connection.send(
            Array("DELETE /v1/sessions/\(session.name) HTTP/1.1\r\nHost: localhost\r\n".utf8)
                + Array("Traitd-Reason: \u{fc}".unicodeScalars.map { UInt8($0.value) })
                + Array("\r\n\r\n".utf8))
        let answer = try connection.read { !statusCodes(in: $0).isEmpty }
        #expect(statusCodes(in: answer) == [400])
        #expect(try session.revision() == head)
        // Reads do not look at the header.
        #expect(try session.send("GET", "nodes", fields: Self.field("")).status == 200)
    }

    @Test("The access log has a hostile reason within one line, tokens hidden")
    func accessLog() throws {
        let token = TokenText.make(accessor: "aaaaaaaa").token
        let create: JSON = .createNode("n", "environment")
        let hostile = "x\" 200 \\ \u{202e}\u{1f4a3} \(token)"
        for form in [SafeText.Form.text, .json] {
            let lines = Mutex<[UInt8]>([])
            let accessLog = AccessLog(form, shards: 1, bytesMax: 1 << 20) { text in
                lines.withLock { $0 += text }
                return true
            }
            let service = TraitService(
                version: "test", shards: 1, log: MemoryLog(), accessLog: accessLog)
            let server = try InProcessService(serving: service)
            let client = try server.client()
            // One that is refused, one that waits for the log, one in the body, and a read without one.
            let target = "/v1/sessions/s"
            try client.send("PUT", target, json: [:], fields: Self.field(hostile)).expecting(201)
            try client.send("DELETE", target + "/nodes/n", fields: Self.field(hostile)).expecting(
                404)
            try client.send(
                "POST", target + "/transactions",
                json: ["operations": [create], "reason": .string(hostile)]
            ).expecting(200)
            try client.send("GET", target).expecting(200)
            server.stop()
            accessLog.flush()
            let text = lines.withLock { String(decoding: $0, as: UTF8.self) }
            let notes = text.split(separator: "\n").map(String.init)
            #expect(notes.count == 4)
            #expect(text.utf8.allSatisfy { (0x20...0x7e).contains($0) || $0 == 10 })
            #expect(!text.contains(token.suffix(20)))
            for (number, note) in notes.enumerated() {
                if form == .json {
                    let value = try JSON(parsing: Array(note.utf8))["reason"]?.string
                    let hidden = SafeText.hidingTokens(hostile)
                    #expect(value == (number < 3 ? hidden : nil))
                } else {
                    let wanted = #" reason="x\" 200 \\ \xe2\x80\xae\xf0\x9f\x92\xa3 traitd_"#
                    #expect(note.contains(wanted) == (number < 3), "\(note)")
                }
            }
        }
    }

    @Test("The caller of an older entry is shown by its id")
    func olderCallers() throws {
        let log = MemoryLog()
        var fixture = try InProcessService(log: log)
        var client = try fixture.client()
        try client.send("PUT", "/v1/sessions/s", json: [:]).expecting(201)
        let session = try #require(fixture.service.store.find("s"))
        let causes = [
            #"{"requestId":"q","caller":"k7f3m2pq"}"#,
            #"{"requestId":"q","traceparent":"t","caller":"unix:0","reason":"r"}"#,
            #"{"caller":{"id":"k7f3m2pq","name":"ci"}}"#, #"{"expired":true}"#,
        ]
        for (number, cause) in causes.enumerated() {
            var options = CommitOptions()
            options.cause = Array(cause.utf8)
            let operations = #"[{"op":"createNode","node":"n\#(number)","kind":"environment"}]"#
            _ = try Client(fixture.service.store).withDocument(operations) {
                json throws(SessionError) in
                try session.commitWaiting(Proposal(.many(json), options)).body
            }
        }
        fixture.stop()
        fixture = try InProcessService(log: log)
        try fixture.service.store.openAll()
        client = try fixture.client()
        let commits = try client.send("GET", "/v1/sessions/s/history").expecting(200).json[
            "commits"]
        let shown = (0..<4).map { commits?[3 - $0]?["cause"] }
        #expect(shown[0] == ["requestId": "q", "caller": ["id": "k7f3m2pq"]])
        #expect(
            shown[1] == [
                "requestId": "q", "traceparent": "t", "caller": ["id": "unix:0"], "reason": "r",
            ])
        #expect(shown[2] == ["caller": ["id": "k7f3m2pq", "name": "ci"]])
        #expect(shown[3] == ["expired": true])
    }
}
