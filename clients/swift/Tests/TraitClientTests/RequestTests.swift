// Requests against a server that fails on command.

import Foundation
import Testing
import TraitClient

@Suite(.timeLimit(.minutes(1))) struct RequestTests {
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
