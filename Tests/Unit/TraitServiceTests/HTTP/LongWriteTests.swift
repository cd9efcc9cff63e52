// Writes that take long are carried out beside the shard: it serves other sessions as if there were
// none, the same session's reads get the state before, and its writes their turn.

import SessionLog
import SessionLogTestSupport
import SessionViews
import TestSupport
import Testing
import TraitSessions

@Suite("Long writes")
struct LongWriteTests {
    @Test("While one runs, reads get the revision before, and other sessions are served")
    func reads() throws {
        let server = try LongWriteServer(10)
        try server.session.override("level", at: "root", 7)
        let other = try SessionClient.make("other", on: server.url)
        let write = try server.start("POST", "transactions", LongWriteServer.many())
        try server.gate.wait()

        try other.put("nodes/n", ["kind": "environment"])
        #expect(try other.get("nodes/n").expecting(200).json["id"] == "n")
        for _ in 0..<3 {
            let before = try server.session.get("nodes/n3/traits/level").expecting(200)
            #expect(try before.json["value"] == 7 && before.revision == 2)
            #expect(before[header: "ETag"]?.contains(".2") == true)
        }
        #expect(try server.session.get("nodes?pageSize=3").expecting(200).revision == 2)
        let explained = try server.session.get("nodes/n3/traits?explain=true").expecting(200)
        #expect(explained.revision == 2)
        let resolved = try server.session.send("POST", "resolve", ["under": "root"])
        #expect(try resolved.expecting(200).json["revision"] == 2)
        let problem = try server.session.get("nodes/lost").expecting(404)
        #expect(problem.revision == 2)
        let list = try server.session.client.send("GET", "/v1/sessions").expecting(200).json
        let listed = list["sessions"]?.array?.first { $0["name"] == "s" }
        #expect(listed?["revision"] == 2 && listed?["nodes"] == 11)
        #expect(!write.isAnswered)

        server.gate.open()
        #expect(try write.response().expecting(200).revision == 3)
        let after = try server.session.get("nodes/n3/traits/level").expecting(200)
        #expect(try after.json["value"] == 300 && after.revision == 3)
    }

    @Test("Writes behind one have their turns in the order in which they came")
    func writes() throws {
        let server = try LongWriteServer(10)
        let first = try server.start("POST", "transactions", LongWriteServer.many())
        try server.gate.wait()
        var behind: [StartedRequest] = []
        for number in 1...5 {
            behind.append(
                try server.start(
                    "PUT", "nodes/root/overrides/level", ["value": .int(Int64(1_000 + number))]))
            server.waitForQueued(number)
        }
        // Another long one among them.
        behind.append(
            try server.start("POST", "transactions", LongWriteServer.many(from: 5_000)))
        server.waitForQueued(6)
        behind.append(try server.start("PUT", "nodes/last", ["kind": "environment"]))
        server.waitForQueued(7)
        #expect(behind.allSatisfy { !$0.isAnswered })

        server.gate.open()
        #expect(try first.response().expecting(200).revision == 2)
        for (number, write) in behind.enumerated() {
            #expect(try write.response().success().revision == Int64(3 + number))
        }
        #expect(try behind.isEmpty || server.session.revision() == 9)
        #expect(try server.session.value(of: "level", at: "n0") == 5_299)
        let history = try server.session.get("history?pageSize=10").expecting(200).json
        #expect(history["commits"]?.array?.count == 9)
        try server.service.checkInvariants()
    }

    @Test("What is refused behind one is refused as ever, conditions are judged in turn")
    func refusals() throws {
        let server = try LongWriteServer(10)
        let uid = try #require(try server.session.get("").json["uid"]?.string)
        let first = try server.start("POST", "transactions", LongWriteServer.many())
        try server.gate.wait()
        func queue(
            _ number: Int, _ method: String, _ rest: String, _ json: JSON?,
            _ fields: [HTTPField] = []
        ) throws -> StartedRequest {
            let request = try server.start(method, rest, json, fields: fields)
            server.waitForQueued(number)
            return request
        }
        let stale = try queue(
            1, "PUT", "nodes/root/overrides/level", ["value": 1],
            [HTTPField("If-Match", "\"\(uid).1\"")])
        let met = try queue(
            2, "PUT", "nodes/root/overrides/level", ["value": 2],
            [HTTPField("If-Match", "\"\(uid).2\"")])
        let unknown = try queue(3, "PUT", "nodes/lost/overrides/level", ["value": 1])
        let dry = try queue(4, "PUT", "nodes/root/overrides/level?dryRun=true", ["value": 9])
        let same = try queue(5, "PUT", "nodes/root/overrides/level", ["value": 2])
        let created = try queue(6, "POST", "nodes", .node("new"))
        let short = try queue(
            7, "PUT", "nodes/root/overrides/level", ["value": 3],
            [HTTPField("Prefer", "return=minimal")])
        server.gate.open()
        _ = try first.response().expecting(200)
        let refused = try stale.response().expecting(412)
        #expect(try refused.json["code"] == "revision-mismatch")
        #expect(refused.revision == 2)
        #expect(try met.response().expecting(200).revision == 3)
        let lost = try unknown.response().expecting(404)
        #expect(try lost.json["code"] == "unknown-node" && lost.revision == 3)
        let tried = try dry.response().expecting(200)
        #expect(
            try tried.json["dryRun"] == true && tried.json["revision"] == 4 && tried.revision == 3)
        let unchanged = try same.response().expecting(200)
        #expect(try unchanged.json["unchanged"] == true && unchanged.revision == 3)
        let node = try created.response().expecting(201)
        #expect(node[header: "Location"] == "/v1/sessions/s/nodes/new" && node.revision == 4)
        let minimal = try short.response().expecting(204)
        #expect(minimal.body.isEmpty && minimal.revision == 5)
        #expect(minimal[header: "Preference-Applied"] == "return=minimal")
    }

    @Test("A long write that is refused or only tried leaves everything as it was")
    func nothingChanges() throws {
        let server = try LongWriteServer(1_500)
        server.gate.open()
        let before = try server.session.state()
        var operations = LongWriteServer.many()["operations"]?.array ?? []
        operations.append(.deleteNode("lost"))
        let refused = try server.session.send(
            "POST", "transactions", ["operations": .array(operations)]
        ).expecting(422)
        #expect(try refused.json["pointer"] == "/operations/300/node" && refused.revision == 1)
        let tried = try server.session.send("DELETE", "nodes/root?dryRun=true").expecting(200)
        #expect(try tried.json["dryRun"] == true)
        #expect(try server.session.state() == before)
        try server.service.checkInvariants()
    }

    @Test("The end of the session ends one, and what comes after it finds no session")
    func end() throws {
        let server = try LongWriteServer(10)
        let first = try server.start("POST", "transactions", LongWriteServer.many())
        try server.gate.wait()
        let end = try server.start("DELETE", "")
        server.waitForQueued(1)
        let late = try server.start("PUT", "nodes/root/overrides/level", ["value": 1])
        server.waitForQueued(2)
        let statistics = try server.start("GET", "stats")
        server.waitForWaiting(1)
        server.gate.open()
        #expect(try first.response().json["code"] == "unknown-session")
        #expect(try end.response().json["ended"]?["nodes"] != nil)
        #expect(try late.response().json["code"] == "unknown-session")
        #expect([200, 404].contains(try statistics.response().status))
        #expect(try server.session.get("").status == 404)
    }

    @Test("What shows the present waits: statistics, history and new streams")
    func present() throws {
        let server = try LongWriteServer(10)
        let open = try server.session.stream("events?from=now")
        #expect(try open.next(1)[0].type == "begin")
        let first = try server.start("POST", "transactions", LongWriteServer.many())
        try server.gate.wait()
        let waiting = try ["stats", "history", "events?wait=0&from=start"].enumerated().map {
            number, rest in
            let request = try server.start("GET", rest)
            server.waitForWaiting(number + 1)
            return request
        }
        // A stream that is closed during the write leaves its feed afterwards.
        open.close()
        server.gate.open()
        _ = try first.response().expecting(200)
        for request in waiting { #expect(try request.response().expecting(200).revision ?? 2 >= 2) }
        let deadline = Deadline(within: .seconds(30))
        while try server.session.get("stats").json["streams"] != 0 {
            if deadline.hasPassed { throw TimedOut("the stream's end") }
        }
    }

    @Test("A long poll that waits is woken by one, and one that begins meanwhile gets the commit")
    func polls() throws {
        let server = try LongWriteServer(10)
        let poll = try server.start("GET", "events?wait=30s&from=now")
        let deadline = Deadline(within: .seconds(30))
        while try server.session.get("stats").json["streams"] != 1 {
            if deadline.hasPassed { throw TimedOut("the poll") }
        }
        let first = try server.start("POST", "transactions", LongWriteServer.many())
        try server.gate.wait()
        let late = try server.start("GET", "events?wait=30s&from=start")
        server.waitForWaiting(1)
        server.gate.open()
        _ = try first.response().expecting(200)
        for request in [poll, late] {
            let records = try request.response().expecting(200).json["records"]?.array
            #expect(records?.last?["revision"] == 2)
        }
    }

    @Test("Behind a log that answers later, one begins when the log has answered what came before")
    func delayedLog() throws {
        let log = DelayingLog(isHolding: false)
        let server = try LongWriteServer(10, log: log)
        log.hold()
        let small = try server.start("PUT", "nodes/root/overrides/level", ["value": 7])
        #expect(log.waitForHeld(1))
        let long = try server.start("POST", "transactions", LongWriteServer.many())
        server.waitForQueued(1)
        #expect(!small.isAnswered)
        log.release()
        #expect(try small.response().expecting(200).revision == 2)
        try server.gate.wait()
        let before = try server.session.get("nodes/n3/traits/level").expecting(200)
        #expect(try before.json["value"] == 7 && before.revision == 2)
        let behind = try server.start("PUT", "nodes/root/overrides/level", ["value": 9])
        server.waitForQueued(1)
        server.gate.open()
        #expect(try long.response().expecting(200).revision == 3)
        #expect(try behind.response().expecting(200).revision == 4)
        #expect(try server.session.value(of: "level", at: "n0") == 9)
    }

    @Test("Pipelined requests behind one are answered in their order")
    func pipelined() throws {
        let server = try LongWriteServer(10)
        let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
        let connection = try RawConnection(port: port)
        let body = String(decoding: LongWriteServer.many().bytes, as: UTF8.self)
        func request(_ method: String, _ rest: String, _ body: String) -> String {
            "\(method) /v1/sessions/s/\(rest) HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                + body
        }
        try connection.send(
            request("POST", "transactions", body)
                + request("GET", "nodes/root/traits/level", "")
                + request("PUT", "nodes/root/overrides/level", "{\"value\":5}")
                + request("GET", "nodes/lost", ""))
        try server.gate.wait()
        server.gate.open()
        let answers = String(
            decoding: try connection.read { statusCodes(in: $0).count == 4 }, as: UTF8.self)
        #expect(statusCodes(in: Array(answers.utf8)) == [200, 200, 200, 404])
        let revisions = answers.matches(of: #/Traitd-Revision: ([0-9]+)/#).map(\.output.1)
        #expect(revisions == ["2", "2", "3", "3"])
        #expect(answers.contains("\"value\":300"))
    }

    @Test("Bodies that are long are parsed beside the shard, with the same refusals")
    func longBodies() throws {
        let server = try LongWriteServer(10)
        server.gate.open()
        let text = String(repeating: " ", count: 100_000)
        for (method, rest, body, status, code) in [
            ("PUT", "nodes/root/overrides/level", "{\"value\":\(text)4}", 200, ""),
            ("PUT", "nodes/root/overrides/level", "{\"value\":\(text)}", 400, "malformed-json"),
            (
                "PUT", "nodes/a%20b", "{\"kind\":\(text)\"environment\"}", 400,
                "malformed-identifier"
            ),
            ("PUT", "nodes/n%41", "{\"kind\":\(text)\"environment\"}", 201, ""),
            ("PUT", "nodes/root/overrides/levl", "{\"value\":\(text)4}", 404, "unknown-trait"),
            ("POST", "transactions", "{\"operation\":\(text)[]}", 400, "unknown-member"),
        ] {
            let answer = try server.session.client.send(
                HTTPRequest(method, server.session.target(rest), text: body))
            #expect(answer.status == status, "\(rest) \(answer.text.prefix(300))")
            if status >= 400 { #expect(try answer.json["code"]?.string == code) }
            #expect(answer.revision != nil)
        }
        #expect(try server.session.get("nodes/nA").status == 200)
        let wrongType = try server.session.client.send(
            HTTPRequest(
                "PUT", server.session.target("nodes/x"),
                fields: [HTTPField("Content-Type", "text/plain")], body: Array("{}\(text)".utf8)))
        #expect(wrongType.status == 415)
    }
}
