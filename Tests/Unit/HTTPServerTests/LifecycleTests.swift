// Start and stop: no connection is left open, and no client is left waiting.

import Glibc
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Lifecycle")
struct LifecycleTests {
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func openDescriptors() -> Int {
        (0..<4_096).count { fcntl(Int32($0), F_GETFD) >= 0 }
    }

    @Test("Stopping leaves no descriptor open, whatever was going on")
    func noLeaks() throws {
        let before = Self.openDescriptors()
        for _ in 0..<100 {
            let events = Inbox<ScriptedSource.Event>()
            let server = try TestServer(shards: 3) { exchange in
                switch exchange.pathText {
                case "/s": exchange.stream(events) { _, _ in .idle(until: nil) }
                case "/p": _ = exchange.park(until: nil) { _, _ in .keepWaiting(until: nil) }
                default: exchange.echo()
                }
            }
            let clients = try (0..<6).map { _ in try server.connect() }
            clients[0].send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(clients[0].head()?.status == 200)
            clients[1].send("GET /p HTTP/1.1\r\nHost: a\r\n\r\n")
            clients[2].send("GET /incomplete")
            #expect(clients[3].request(Self.get)?.status == 200)
            server.server.stop()
            #expect(events.take() == .produced(0))
            #expect(events.take() == .closed)
            for client in clients[3...] { #expect(client.isAtEnd) }
        }
        // Other tests open some at the same time; a leak would have left hundreds.
        #expect(Self.openDescriptors() < before + 600)
    }

    @Test("A server starts once; a stopped server accepts no connection, and may be stopped again")
    func startsOnce() throws {
        let server = try TestServer()
        #expect(throws: ServerError.alreadyStarted) { try server.server.start() }
        server.server.stop()
        server.server.stop()
        #expect(throws: ServerError.alreadyStarted) { try server.server.start() }
    }

    @Test("A port that is taken and a host that is unknown are reported")
    func cannotListen() throws {
        let server = try TestServer()
        let taken = server.address
        #expect(throws: ServerError.cannotListen(taken, errno: EADDRINUSE)) {
            _ = try TestServer(configure: { $0.addresses = [taken] })
        }
        #expect(throws: ServerError.self) {
            _ = try TestServer(configure: { $0.addresses = [.tcp(host: "no such", port: 0)] })
        }
    }

    @Test(
        "Draining finishes a request that has begun, and closes idle connections and the listener")
    func draining() throws {
        // With one shard, a closed connection proves that the shard drains.
        let server = try TestServer()
        let idle = try server.connect()
        let busy = try server.connect()
        let barrier = try Barrier(server)
        #expect(idle.request(Self.get)?.status == 200)
        busy.send("PUT /b HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(busy.head()?.status == 100)
        try barrier.pass()
        let drained = server.drain(graceSeconds: 60)
        #expect(idle.isAtEnd)
        busy.send("ok")
        let answer = busy.response()
        #expect(answer?.text == "PUT /b ok")
        #expect(answer?.fields["connection"] == "close")
        #expect(busy.isAtEnd)
        #expect(drained.take() == true)
        #expect(throws: (any Error).self) { try server.connect() }
    }

    @Test("What does not finish within the grace is closed")
    func graceIsOver() throws {
        let server = try TestServer()
        let busy = try server.connect()
        busy.send("PUT /b HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(busy.head()?.status == 100)
        #expect(server.drain(graceSeconds: 0.05).take() == true)
        #expect(busy.isAtEnd)
    }

    @Test("Draining lets a client read what waits for it, and then closes")
    func drainingBlockedAnswer() throws {
        let server = try TestServer { $0.reply([UInt8](repeating: 1, count: 20_000_000)) }
        let client = try server.connect(receiveBytes: 4_096)
        client.send(Self.get)
        server.wait { $0.statistics.requests > 0 }
        let drained = server.drain(graceSeconds: 60)
        #expect(client.response()?.body.count == 20_000_000)
        #expect(client.isAtEnd)
        #expect(drained.take() == true)
    }

    @Test("A parked request that outlives the grace is told that its client is gone")
    func graceOfParked() throws {
        let reasons = Inbox<WakeReason>()
        let server = try TestServer { exchange in
            _ = exchange.park(until: nil) { _, reason in
                reasons.put(reason)
                return .keepWaiting(until: nil)
            }
        }
        let client = try server.connect()
        client.send(Self.get)
        server.wait { $0.statistics.parked > 0 }
        let drained = server.drain(graceSeconds: 0.05)
        #expect(reasons.take() == .draining)
        #expect(reasons.take() == .disconnected)
        #expect(client.isAtEnd)
        #expect(drained.take() == true)
        #expect(reasons.count == 0)
    }

    @Test("Draining a server without connections completes, and again")
    func drainIdle() throws {
        let server = try TestServer(shards: 2)
        #expect(server.drain(graceSeconds: 60).take() == true)
        #expect(server.drain(graceSeconds: 60).take() == true)
        server.server.stop()
        #expect(server.drain(graceSeconds: 60).take() == true)
    }

    @Test("Connections are dealt to all shards, and counted")
    func dealing() throws {
        let seen = Mutex<Set<Int>>([])
        let server = try TestServer(shards: 4) { exchange in
            _ = seen.withLock { $0.insert(exchange.shard) }
            exchange.echo()
        }
        let clients = try (0..<8).map { _ in try server.connect() }
        for client in clients { #expect(client.request(Self.get)?.status == 200) }
        #expect(seen.withLock { $0 } == [0, 1, 2, 3])
        let statistics = server.server.statistics
        #expect(statistics.connections == 8 && statistics.accepted == 8)
        #expect(statistics.requests == 8 && statistics.refused == 0)
    }
}
