// Requests against a server that fails on command.

import Foundation
import Testing
import TraitClient

@Suite struct RequestTests {
    static let commit = "{\"session\":\"s\",\"uid\":\"u\",\"revision\":7,\"notified\":2}"

    static func session(_ server: FaultServer, retries: Int = 4) -> TraitClient.Session {
        TraitClient(
            url: server.url.appendingPathComponent("prefix/"),
            configuration: .init(
                timeout: .seconds(5), retries: retries,
                backoff: .milliseconds(1)...(.milliseconds(5)))
        ).session("s")
    }

    @Test("a write is repeated with the same key and body, and answers with its commit")
    func writes() async throws {
        let server = FaultServer { connection, _, index in
            switch index {
            case 0: return false
            case 1: connection.answer(503, "{\"code\":\"draining\"}", fields: ["Retry-After: 0"])
            case 2:
                connection.answer(
                    409, "{\"code\":\"idempotency-in-flight\"}", fields: ["Retry-After: 0"])
            case 3: connection.answer(502, "<html>")
            default: connection.answer(200, Self.commit)
            }
            return true
        }
        let commit = try await Self.session(server).transaction(ifRevision: 6) {
            $0.setOverride("theme", "bold", at: "scene")
            $0.removeOverride("level", at: "a")
        }
        #expect(commit.revision == 7 && commit.uid == "u" && commit.notified == 2)
        #expect(!commit.isUnchanged && !commit.isDryRun)
        let requests = server.requests
        #expect(requests.count == 5)
        #expect(Set(requests.map { $0.fields["idempotency-key"] }).count == 1)
        #expect(requests[0].fields["idempotency-key"]?.count == 36)
        #expect(Set(requests.map(\.body)).count == 1)
        #expect(requests[0].target == "/prefix/v1/sessions/s/transactions")
        #expect(
            String(decoding: requests[0].body, as: UTF8.self)
                == "{\"operations\":[{\"op\":\"setOverride\",\"node\":\"scene\",\"trait\":\"theme\",\"value\":\"bold\"},"
                + "{\"op\":\"removeOverride\",\"node\":\"a\",\"trait\":\"level\"}],\"ifRevision\":6}"
        )
        try await Self.session(server).transaction([], idempotencyKey: "mine")
        #expect(server.requests.last?.fields["idempotency-key"] == "mine")
    }

    @Test("after the last retry the refusal is thrown; other refusals are thrown at once")
    func refusals() async throws {
        for (status, count) in [(503, 3), (429, 3), (500, 1), (507, 1), (412, 1), (307, 1)] {
            let server = FaultServer { connection, _, _ in
                connection.answer(
                    status, "{\"code\":\"c\",\"detail\":\"what to do\"}",
                    fields: ["Retry-After: 0", "Location: /elsewhere"]
                )
                return true
            }
            let error = await #expect(throws: TraitdError.self) {
                try await Self.session(server, retries: 2).transaction([])
            }
            #expect(error?.code == (status == 307 ? "redirected" : "c") && error?.status == status)
            #expect(server.requests.count == count, "\(status)")
        }
    }

    @Test("a write without a key is sent once, also on a connection that the server has closed")
    func withoutKey() async throws {
        let server = FaultServer { connection, request, _ in
            guard request.number == 1, request.method == "GET" else { return false }
            connection.answer(200, "{\"read\":true}")
            return true
        }
        let session = Self.session(server)
        #expect(try await session.request("GET", "/history?pageSize=5")["read"] == true)
        let error = await #expect(throws: TraitdError.self) {
            try await session.request("PUT", "/nodes/n", body: ["kind": "view"])
        }
        #expect(error?.code == "unreachable" && error?.status == nil)
        #expect(server.requests.map(\.method) == ["GET", "PUT"])
        #expect(server.requests.last?.fields["idempotency-key"] == nil)
    }

    @Test("a read has no key, and the values of all nodes are read")
    func resolves() async throws {
        let server = FaultServer { connection, _, index in
            if index == 0 { return false }
            connection.answer(
                200,
                "{\"uid\":\"u\",\"revision\":3,\"nodes\":[{\"node\":\"a\",\"state\":\"current\",\"traits\":{\"x\":1,\"y\":null}}]}"
            )
            return true
        }
        let resolution = try await Self.session(server).resolve(under: "a", traits: ["x"])
        #expect(resolution.revision == 3)
        #expect(resolution.values == ["a": ["x": 1, "y": nil]])
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.fields["idempotency-key"] == nil })
        #expect(
            String(decoding: server.requests[0].body, as: UTF8.self)
                == "{\"under\":\"a\",\"traits\":[\"x\"]}")
    }

    @Test("an apply says in its query what it does")
    func applies() async throws {
        let server = FaultServer { connection, _, _ in
            connection.answer(200, Self.commit)
            return true
        }
        try await Self.session(server).apply(
            ["format": 1], manager: "c i", prune: true, force: true, plan: "p/1", dryRun: true)
        #expect(
            server.requests[0].target
                == "/prefix/v1/sessions/s/apply?manager=c%20i&prune=true&force=true&plan=p%2F1&dryRun=true"
        )
        #expect(server.requests[0].method == "PUT")
    }

    @Test("an answer that is no JSON, lacks members or is cut is an error")
    func malformedAnswers() async throws {
        let server = FaultServer { connection, _, index in
            switch index {
            case 0: connection.answer(200, "<html>")
            case 1: connection.answer(200, "{}")
            case 2: connection.answer(204, "")
            default:
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"revision\"")
                connection.end()
                return false
            }
            return true
        }
        let session = Self.session(server, retries: 0)
        for _ in 0..<2 {
            let error = await #expect(throws: TraitdError.self) {
                try await session.transaction([])
            }
            #expect(error?.code == "malformed-answer" && error?.status == 200)
        }
        #expect(try await session.request("DELETE", "/nodes/n") == .null)
        let error = await #expect(throws: TraitdError.self) { try await session.transaction([]) }
        #expect(error?.code == "unreachable")
    }

    @Test("a silent server is asked again after a timeout of less than a second, and not before")
    func silence() async throws {
        let server = FaultServer { connection, _, index in
            if index == 0 { return connection.byte() != nil }
            connection.answer(200, Self.commit)
            return true
        }
        let client = TraitClient(
            url: server.url,
            configuration: .init(
                timeout: .milliseconds(300), backoff: .milliseconds(1)...(.milliseconds(2))))
        let began = ContinuousClock.now
        try await client.session("s").transaction([])
        #expect(ContinuousClock.now - began >= .milliseconds(300))
        #expect(server.requests.count == 2)
    }

    @Test("an answer of more than 64 MiB is an error")
    func largeAnswer() async throws {
        let server = FaultServer { connection, _, _ in
            connection.sendHead("application/json")
            let part = String(repeating: " ", count: 1 << 20)
            for _ in 0..<65 { connection.sendChunk(part) }
            return connection.byte() != nil
        }
        let error = await #expect(throws: TraitdError.self) {
            try await Self.session(server).request("GET", "/export")
        }
        #expect(error?.code == "answer-too-large")
    }

    @Test("requests use a connection again, and one that the server has closed costs no attempt")
    func connections() async throws {
        let ended = AsyncStream<Void>.makeStream()
        let server = FaultServer { connection, request, index in
            connection.answer(200, "{}", fields: index == 3 ? ["Connection: close"] : [])
            guard request.number == 3 else { return index != 3 }
            // Closes without a word after the third answer.
            connection.end()
            ended.continuation.finish()
            return false
        }
        let session = Self.session(server, retries: 0)
        for _ in 0..<3 { try await session.request("GET", "/history") }
        for await _ in ended.stream {}
        let idle = ContinuousClock.now
        // The client notices the end at once; a request that was quicker would fail.
        while ContinuousClock.now - idle < .milliseconds(50) { await Task.yield() }
        for _ in 0..<2 { try await session.request("GET", "/history") }
        #expect(server.requests.map(\.number) == [1, 2, 3, 1, 1])
    }

    @Test("more requests than connections all get their answers")
    func crowd() async throws {
        let server = FaultServer { connection, request, _ in
            connection.answer(200, "{\"target\":\"\(request.target)\"}")
            return true
        }
        let session = Self.session(server, retries: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let answer = try await session.request("GET", "/n\(number)")
                    #expect(answer["target"]?.string?.hasSuffix("/n\(number)") == true)
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.filter { $0.number == 1 }.count <= 64)
    }

    @Test(
        "a large body is sent to a server that reads slowly, and one that answers before it has read it"
    )
    func largeBody() async throws {
        let server = FaultServer { connection, request, _ in
            connection.answer(200, "{\"bytes\":\(request.body.count)}")
            return true
        }
        let text = String(repeating: "x", count: 4 << 20)
        let body: TraitValue = ["text": .string(text)]
        let answer = try await Self.session(server).request("PUT", "/nodes/n", body: body)
        #expect(answer["bytes"]?.integer == Int64(text.utf8.count + 11))
        let refusing = FaultServer(readsBodies: false) { connection, _, _ in
            connection.answer(413, "{\"code\":\"too-large\"}", fields: ["Connection: close"])
            return connection.byte() == nil
        }
        let error = await #expect(throws: TraitdError.self) {
            try await Self.session(refusing).request("PUT", "/nodes/n", body: body)
        }
        #expect(error?.code == "too-large")
    }

    @Test(
        "an answer without an end fails at its limit or in time",
        arguments: [
            ("HTTP/1.1 200 OK\r\n", "X: y\r\n"), ("", "HTTP/1.1 103 Hints\r\n\r\n"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", "X: y\r\n"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2", ";x=y"),
        ])
    func endless(_ start: String, _ part: String) async throws {
        let server = FaultServer { connection, _, _ in
            connection.send(start)
            while connection.send(part) {}
            return false
        }
        let error = await #expect(throws: TraitdError.self) {
            try await Self.session(server, retries: 0).request("GET", "/history")
        }
        #expect(error?.code == "unreachable")
        // The same, so slowly that no limit is reached: the time is up all the same.
        let slow = FaultServer { connection, _, _ in
            connection.send(start)
            while connection.send(part), connection.byte(within: 10) == nil {}
            return false
        }
        let client = TraitClient(
            url: slow.url, configuration: .init(timeout: .milliseconds(300), retries: 0))
        let late = await #expect(throws: TraitdError.self) {
            try await client.request("GET", "/v1/sessions")
        }
        #expect(late?.message.contains("in time") == true)
    }

    @Test("a host without an address, and a port where nothing listens, are said")
    func unreachable() async throws {
        for (url, part) in [
            ("http://127.0.0.1:1", "refused"), ("http://[::1]:1", "1"),
            ("http://nowhere.invalid", "nowhere"),
        ] {
            let client = TraitClient(
                url: try #require(URL(string: url)),
                configuration: .init(retries: 0, backoff: .zero...(.zero)))
            let error = await #expect(throws: TraitdError.self) {
                try await client.request("GET", "/v1/sessions")
            }
            #expect(error?.code == "unreachable", "\(url) \(part)")
            if part == "refused" { #expect(error?.message.contains(part) == true) }
        }
        for url in ["file:///x", "ftp://localhost", "http:///x", "http://a%0db/", "http://h:0"] {
            let client = TraitClient(url: try #require(URL(string: url)))
            let error = await #expect(throws: TraitdError.self) {
                try await client.request("GET", "/v1/sessions")
            }
            #expect(error?.code == "invalid-argument", "\(url)")
        }
    }

    @Test("a reason goes along with a write")
    func reasons() async throws {
        let server = FaultServer { connection, _, _ in
            connection.answer(200, Self.commit)
            return true
        }
        let session = Self.session(server)
        try await session.setOverride("theme", "bold", at: "scene", reason: "T-1: grün")
        try await session.removeOverride("theme", at: "scene", reason: "T-1: grün")
        try await session.apply([:], manager: "ci", reason: "T-1: grün")
        try await session.request("PUT", "/nodes/n", body: [:], reason: "T-1: grün")
        #expect(
            server.requests.map { $0.fields["traitd-reason"] }
                == Array(repeating: "T-1: grün", count: 4))
        for reason in ["", "a\r\nb", String(repeating: "x", count: 257)] {
            let error = await #expect(throws: TraitdError.self) {
                try await session.transaction([], reason: reason)
            }
            #expect(error?.code == "invalid-argument")
        }
    }

    @Test("what cannot be sent is an error before anything is sent")
    func invalidArguments() async throws {
        let server = FaultServer { _, _, _ in false }
        let session = Self.session(server)
        for request in [
            {
                try await session.transaction { $0.setOverride("x", .number(.infinity), at: "a") }
                    .body
            },
            { try await session.transaction([], idempotencyKey: "\n").body },
            { try await session.request("GE T", "/history") },
            { try await session.request("", "/history") },
            { try await session.request("DELETE", "/nodes/") },
            { try await session.request("DELETE", "/nodes/..") },
            { try await session.request("GET", ".evil.example/") },
            { try await session.client.request("GET", ":80/") },
            { try await session.setOverride("x", 1, at: "..").body },
            { try await session.client.session("..").request("DELETE", "/traits") },
            { try await session.client.session("").transaction([]).body },
        ] as [@Sendable () async throws -> TraitValue] {
            let error = await #expect(throws: TraitdError.self) { _ = try await request() }
            #expect(error?.code == "invalid-argument")
        }
        let other = TraitClient(url: server.url, token: "a\r\nb").session("s")
        let error = await #expect(throws: TraitdError.self) { try await other.request("GET", "/x") }
        #expect(error?.code == "invalid-argument" && error?.message.contains("a\r\nb") == false)
        let watch = other.watch(["a": .all])
        await #expect(throws: TraitdError.self) { try await watch.synced() }
        #expect(watch.reason == "invalid-argument" && server.requests.isEmpty)
    }
}
