// Streams against a server that fails on command.

import Foundation
import Testing
import TraitClient

/// A state with a.x = 1 at revision 5, and its digest.
private let whole = pairHash(node: "a", trait: "x", value: 1).digestText
private func begin(_ revision: Int = 5, heartbeat: Int = 15_000) -> String {
    "{\"type\":\"begin\",\"revision\":\(revision),\"token\":\"u.\(revision)\",\"uid\":\"u\",\"heartbeatMs\":\(heartbeat)}\n"
}
private let first =
    "{\"type\":\"state\",\"revision\":5,\"token\":\"u.5\",\"node\":\"a\",\"traits\":{\"x\":1}}\n"
    + "{\"type\":\"sync\",\"revision\":5,\"token\":\"u.5\",\"count\":1,\"digest\":\"\(whole)\"}\n"

func chunk(_ text: String) -> String {
    "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
}

@Suite struct StreamTests {
    static func session(
        _ server: FaultServer, token: String? = nil, timeout: Duration = .seconds(10)
    ) -> TraitClient.Session {
        TraitClient(
            url: server.url, token: token,
            configuration: .init(
                timeout: timeout, backoff: .milliseconds(1)...(.milliseconds(5)))
        ).session("mail box")
    }

    @Test("records count as they come, byte by byte, while the answer goes on")
    func singleBytes() async throws {
        let server = FaultServer { connection, _, _ in
            connection.sendHead()
            for character in begin() + first { connection.sendChunk(String(character)) }
            return connection.byte() != nil
        }
        let watch = Self.session(server).watch(["a": .traits(["x"])])
        try await watch.synced()
        #expect(watch.state == .ready && watch.value("x", at: "a") == 1 && watch.revision == 5)
        #expect(watch.snapshot() == ["a": ["x": 1]])
        let request = try #require(server.requests.first)
        #expect(request.method == "GET")
        #expect(
            request.target
                == "/v1/sessions/mail%20box/events?watch=a:x&initial=true&resync=auto&overflow=coalesce"
        )
        #expect(request.fields["accept"] == "text/event-stream, application/x-ndjson;q=0.5")
        #expect(request.fields["last-event-id"] == nil && request.fields["authorization"] == nil)
    }

    @Test("an answer without chunks is read the same way")
    func withoutChunks() async throws {
        let server = FaultServer { connection, _, _ in
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n"
            )
            connection.send(begin() + first)
            return connection.byte() != nil
        }
        let watch = Self.session(server).watch(["a": .all])
        try await watch.synced()
        #expect(watch.state == .ready)
    }

    @Test(
        "a connection that is cut, silent or ended resumes with the last token, and changes come once"
    )
    func resumes() async throws {
        let server = FaultServer { connection, request, index in
            connection.sendHead()
            let change = { (revision: Int, value: Int) in
                "{\"type\":\"change\",\"revision\":\(revision),\"token\":\"u.\(revision)\",\"node\":\"a\",\"part\":0,"
                    + "\"changes\":[{\"trait\":\"x\",\"current\":\(value)}]}\n"
            }
            switch index {
            case 0:  // Cut inside a record.
                connection.sendChunk(begin() + first + change(6, 2) + change(7, 3).prefix(40))
            case 1:  // Cut inside a chunk.
                connection.sendChunk(begin(6) + change(7, 3))
                connection.send("40\r\n{\"type\"")
            case 2:  // Silence.
                connection.sendChunk(begin(7, heartbeat: 100) + change(7, 3))
                return connection.byte() != nil
            case 3:
                connection.sendChunk(
                    begin(7)
                        + "{\"type\":\"end\",\"revision\":7,\"token\":\"u.7\",\"reason\":\"drain\",\"resume\":true}\n"
                )
                connection.send("0\r\n\r\n")
            default:
                connection.sendChunk(begin(7) + change(8, 4))
                return connection.byte() != nil
            }
            connection.end()
            return false
        }
        let watch = Self.session(server).watch(["a": .traits(["x"])])
        var seen: [String] = []
        for await change in watch.changes {
            seen.append("\(change.previous ?? nil) \(change.current ?? nil) \(change.revision)")
            if change.revision == 8 { break }
        }
        #expect(seen == ["1 2 6", "2 3 7", "3 4 8"])
        let tokens = server.requests.map { $0.fields["last-event-id"] }
        #expect(tokens == [nil, "u.6", "u.7", "u.7", "u.7"])
    }

    @Test("a redirect is refused, and the token goes into Authorization alone")
    func redirects() async throws {
        let other = FaultServer { connection, _, _ in
            connection.answer(200)
            return true
        }
        let place = "Location: \(other.url)/elsewhere"
        let server = FaultServer { connection, _, index in
            guard index > 1 else {
                connection.answer(index == 0 ? 307 : 302, fields: [place])
                return true
            }
            connection.sendHead()
            connection.sendChunk(begin() + first)
            return connection.byte() != nil
        }
        let watch = Self.session(server, token: "secret").watch(["a": .traits(["x"])])
        try await watch.synced()
        #expect(other.requests.isEmpty)
        for request in server.requests {
            #expect(request.fields["authorization"] == "Bearer secret")
            #expect(!request.target.contains("secret"))
            #expect(request.fields.filter { $0.value.contains("secret") }.count == 1)
        }
    }

    @Test("close ends the connection at once, and what waits")
    func closes() async throws {
        let (closed, opened) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let server = FaultServer { connection, _, _ in
            connection.sendHead()
            connection.sendChunk(begin())
            opened.continuation.finish()
            _ = connection.byte()
            closed.continuation.finish()
            return false
        }
        let states = Guarded<[WatchState]>([])
        let watch = Self.session(server).watch(
            ["a": .all], onState: { state in states.with { $0.append(state) } })
        for await _ in opened.stream {}
        let began = ContinuousClock.now
        async let synced: Void = watch.synced()
        watch.close()
        for await _ in closed.stream {}
        #expect(ContinuousClock.now - began < .seconds(1))
        #expect(watch.state == .closed && watch.reason == "closed")
        do {
            try await synced
            Issue.record("synced returned")
        } catch let error as TraitdError {
            #expect(error.code == "closed")
        }
        for await _ in watch.changes { Issue.record("a change") }
        watch.close()
        #expect(states.with { $0 } == [.closed])
    }

    @Test(
        "refusals close the watch with their code, also with a challenge for a password",
        arguments: ["Basic", "Bearer"])
    func refusals(_ scheme: String) async throws {
        let server = FaultServer { connection, _, _ in
            connection.answer(
                401, "{\"code\":\"unauthenticated\",\"detail\":\"d\"}",
                fields: [
                    "WWW-Authenticate: \(scheme) realm=\"r\"",
                    "Content-Type: application/problem+json",
                ])
            return true
        }
        let watch = Self.session(server).watch(["a": .all])
        await #expect {
            try await watch.synced()
        } throws: { error in
            (error as? TraitdError)?.code == "unauthenticated"
                && (error as? TraitdError)?.status == 401
        }
        #expect(watch.reason == "unauthenticated" && server.requests.count == 1)
        await #expect {
            try await Self.session(server).request("GET", "/history")
        } throws: { error in
            (error as? TraitdError)?.code == "unauthenticated"
        }
    }

    @Test("an answer without a head in time is tried again")
    func silentHead() async throws {
        let server = FaultServer { connection, _, index in
            guard index > 0 else { return connection.byte() != nil }
            connection.sendHead()
            connection.sendChunk(begin() + first)
            return connection.byte() != nil
        }
        let watch = Self.session(server, timeout: .milliseconds(100)).watch(["a": .all])
        try await watch.synced()
        #expect(server.requests.count == 2)
    }

    @Test("a watch that nothing refers to ends its connection")
    func released() async throws {
        let closed = AsyncStream<Void>.makeStream()
        let server = FaultServer { connection, _, _ in
            connection.sendHead()
            connection.sendChunk(begin() + first)
            _ = connection.byte()
            closed.continuation.finish()
            return false
        }
        var watch: TraitClient.Watch? = Self.session(server).watch(["a": .all])
        try await watch?.synced()
        weak let released = watch
        watch = nil
        for await _ in closed.stream {}
        #expect(released == nil)
    }

    @Test("waiting for the first state has a limit, and says why there is none")
    func syncedInTime() async throws {
        let isThere = Guarded(false)
        let server = FaultServer { connection, _, _ in
            guard isThere.with({ $0 }) else {
                connection.answer(503, "{\"detail\":\"starting\"}", fields: ["Retry-After: 0"])
                return true
            }
            connection.sendHead()
            connection.sendChunk(begin() + first)
            return connection.byte() != nil
        }
        let watch = Self.session(server).watch(["a": .all])
        let error = await #expect(throws: TraitdError.self) {
            try await watch.synced(timeout: .milliseconds(200))
        }
        #expect(error?.code == "timeout" && error?.status == 503)
        #expect(error?.message.contains("starting") == true)
        #expect(watch.state == .syncing && watch.reason == "http-503")
        isThere.with { $0 = true }
        try await watch.synced(timeout: .seconds(60))
        #expect(watch.state == .ready && watch.reason == nil)
        let other = Self.session(server).watch(["..": .all])
        #expect(other.state == .closed && other.reason == "invalid-argument")
    }

    @Test(
        "a record that never ends counts as silence, and a state that never ends closes the watch")
    func endless() async throws {
        let server = FaultServer { connection, _, index in
            connection.sendHead()
            switch index {
            case 0:
                connection.sendChunk(begin(heartbeat: 100))
                while connection.byte(within: 5) == nil { connection.sendChunk("x") }
                return false
            case 1:
                connection.sendChunk(begin())
                var number = 0
                let text = String(repeating: "v", count: 10_000)
                repeat {
                    number += 1
                } while connection.send(
                    chunk(
                        "{\"type\":\"state\",\"revision\":5,\"node\":\"n\(number)\",\"traits\":{\"x\":\"\(text)\"}}\n"
                    ))
                return false
            default: return false
            }
        }
        let client = TraitClient(
            url: server.url,
            configuration: .init(
                backoff: .milliseconds(1)...(.milliseconds(5)), stateBytesMax: 1 << 20))
        let watch = client.session("s").watch(["a": .all])
        let error = await #expect(throws: TraitdError.self) { try await watch.synced() }
        #expect(error?.code == "state-too-large" && watch.reason == "state-too-large")
        #expect(server.requests.count == 2)
    }

    @Test("waiting can be cancelled")
    func cancelled() async throws {
        let server = FaultServer { connection, _, _ in connection.byte() != nil }
        let watch = Self.session(server).watch(["a": .all])
        let waiting = Task { try await watch.synced() }
        let iterating = Task { for await _ in watch.changes {} }
        let calling = Task { try await Self.session(server).request("GET", "/history") }
        waiting.cancel()
        iterating.cancel()
        calling.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await #expect(throws: CancellationError.self) { try await calling.value }
        await iterating.value
    }

    @Test("connecting 200 times leaves no descriptor behind")
    func leaks() async throws {
        let server = FaultServer { connection, _, _ in
            connection.sendHead()
            connection.sendChunk(begin() + first)
            return connection.byte() != nil
        }
        func round() async throws {
            for _ in 0..<100 {
                let watch = Self.session(server).watch(["a": .all])
                try await watch.synced()
                watch.close()
            }
        }
        try await round()
        let before = Self.descriptors()
        try await round()
        // Connections of the last watches may still be closing.
        #expect(Self.descriptors() < before + 30)
    }

    static func descriptors() -> Int {
        let folder =
            FileManager.default.fileExists(atPath: "/proc/self/fd") ? "/proc/self/fd" : "/dev/fd"
        return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
}
