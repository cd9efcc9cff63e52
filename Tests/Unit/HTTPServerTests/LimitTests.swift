// Every limit, by its name.

import Glibc
import HTTPWire
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Limits")
struct LimitTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let request: String
        let status: Int
        let text: String
    }

    static let cases = [
        Case(
            testDescription: "requestLineBytesMax",
            request: "GET /\(String(repeating: "a", count: 200)) HTTP/1.1\r\nHost: a\r\n\r\n",
            status: 414, text: "requestLineBytesMax=100"),
        Case(
            testDescription: "headerBytesMax",
            request:
                "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 600))\r\n\r\n",
            status: 431, text: "headerBytesMax=500"),
        Case(
            testDescription: "headerCountMax",
            request: "GET / HTTP/1.1\r\nHost: a\r\nA: b\r\nC: d\r\nE: f\r\nG: h\r\n\r\n",
            status: 431, text: "headerCountMax=4"),
        Case(
            testDescription: "bodyBytesMax, announced",
            request: "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n",
            status: 413, text: "bodyBytesMax=1000"),
        Case(
            testDescription: "bodyBytesMax, announced to a client that waits",
            request:
                "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1001\r\n\r\n",
            status: 413, text: "bodyBytesMax=1000"),
        Case(
            testDescription: "bodyBytesMax, chunked",
            request: "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\nx",
            status: 413, text: "bodyBytesMax=1000"),
        Case(
            testDescription: "malformed request line",
            request: "GET\r\n\r\n", status: 400, text: "malformed-method"),
        Case(
            testDescription: "malformed chunk",
            request: "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nx",
            status: 400, text: "malformed-chunk"),
        Case(
            testDescription: "unknown content coding",
            request:
                "PUT / HTTP/1.1\r\nHost: a\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx",
            status: 415, text: "unsupported-content-coding"),
        Case(
            testDescription: "content coding twice",
            request: "PUT / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\n"
                + "Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx",
            status: 415, text: "unsupported-content-coding"),
        Case(
            testDescription: "broken gzip body",
            request:
                "PUT / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx",
            status: 400, text: "malformed-gzip"),
    ]

    @Test(
        "A refused request is told why, readable to the end, after those before it",
        arguments: cases)
    func refused(_ given: Case) throws {
        let server = try TestServer(configure: {
            $0.wireLimits.requestLineBytesMax = 100
            $0.wireLimits.headerBytesMax = 500
            $0.wireLimits.headerCountMax = 4
            $0.wireLimits.bodyBytesMax = 1_000
        })
        let client = try server.connect()
        client.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n" + given.request)
        client.send(String(repeating: "junk\r\n", count: 2_000))
        #expect(client.response()?.text == "GET /first ")
        let answer = client.response()
        #expect(answer?.status == given.status)
        #expect(answer?.text.contains(given.text) == true, "\(answer?.text ?? "none")")
        #expect(answer?.fields["connection"] == "close")
        #expect(client.isAtEnd)
        #expect(server.server.statistics.refused == 1)
    }

    @Test("A gzip body that would become too large is refused")
    func expandedBody() throws {
        let server = try TestServer(configure: { $0.wireLimits.bodyBytesMax = 2_000 })
        let client = try server.connect()
        let bomb = RawClient.gzip([UInt8](repeating: 0, count: 1_000_000))
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\n"
        client.send("\(head)Content-Length: \(bomb.count)\r\n\r\n")
        client.send(bomb)
        let answer = client.response()
        #expect(answer?.status == 413)
        #expect(answer?.text.contains("bodyBytesMax=2000") == true)
        #expect(client.isAtEnd)
    }

    @Test(
        "A gzip body may become as long as the limit says, decoded here or elsewhere",
        arguments: [100, 65_536, 65_537, 400_000, 3_000_000])
    func decodedBodies(size: Int) throws {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.wireLimits.bodyBytesMax = 3_000_000
        }
        let server = try TestServer(configure: configure) {
            $0.reply("\($0.pathText) \($0.body.count) \($0.body.allSatisfy { $0 == 7 })")
        }
        let client = try server.connect()
        let head = "PUT /z HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\n"
        let packed = RawClient.gzip([UInt8](repeating: 7, count: size))
        let after = Array("GET /after HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        for _ in 0..<2 {
            client.send(Array("\(head)Content-Length: \(packed.count)\r\n\r\n".utf8))
            client.send(packed + after)
            #expect(client.response()?.text == "/z \(size) true")
            #expect(client.response()?.text == "/after 0 true")
        }
        var broken = packed
        broken[packed.count - 5] ^= 1
        client.send(Array("\(head)Content-Length: \(packed.count)\r\n\r\n".utf8))
        client.send(broken + after)
        #expect(client.response()?.status == 400)
        #expect(client.isAtEnd)
        #expect(server.server.statistics.working == 0)
    }

    @Test(
        "A gzip body may expand to 64 KiB or by the ratio, whichever is more",
        arguments: [(65_536, 200), (65_537, 413), (1_000_000, 413)])
    func expansion(size: Int, status: Int) throws {
        let server = try TestServer(configure: { $0.wireLimits.bodyExpansionRatioMax = 100 })
        let client = try server.connect()
        let packed = RawClient.gzip([UInt8](repeating: 0, count: size))
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\n"
        client.send(Array("\(head)Content-Length: \(packed.count)\r\n\r\n".utf8) + packed)
        let answer = client.response()
        #expect(answer?.status == status)
        #expect(status == 200 || answer?.text.contains("bodyExpansionRatioMax=100") == true)
    }

    @Test("A gzip body that would become too large is refused wherever it is decoded")
    func bombsElsewhere() throws {
        let server = try TestServer(configure: { $0.wireLimits.bodyBytesMax = 900_000 })
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\n"
        let bomb = RawClient.gzip([UInt8](repeating: 0, count: 20_000_000))
        // Members without content: nothing comes out, however much goes in.
        let empty = Array(repeatElement(RawClient.gzip([]), count: 20_000).joined())
        for (body, status) in [(bomb, 413), (empty, 200), (empty + bomb, 413), (empty + [0], 400)] {
            let client = try server.connect()
            client.send("\(head)Content-Length: \(body.count)\r\n\r\n")
            client.send(body)
            #expect(client.response()?.status == status)
        }
    }

    @Test(
        "An incomplete request is answered 408 when its time is up",
        arguments: [
            ("GET / HT", "headerTimeoutSeconds=1"),
            ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc", "bodyTimeoutSeconds=1"),
            (
                "PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
                "bodyTimeoutSeconds=1"
            ),
        ])
    func timeouts(request: String, text: String) throws {
        let server = try TestServer(configure: {
            $0.limits.headerTimeoutSeconds = 0.05
            $0.limits.bodyTimeoutSeconds = 0.05
        })
        let client = try server.connect()
        #expect(client.request("GET /ok HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "GET /ok ")
        let answer = client.request(request)
        #expect(answer?.status == 408)
        #expect(answer?.text.contains(text) == true)
        client.finishSending()
        #expect(client.isAtEnd)
    }

    @Test("An empty line behind a request is no request: the connection is as idle as before")
    func emptyLine() throws {
        let server = try TestServer(configure: {
            $0.limits.headerTimeoutSeconds = 0.05
            $0.limits.idleTimeoutSeconds = 0.4
        })
        let request = "GET /ok HTTP/1.1\r\nHost: a\r\n\r\n"
        for line in ["\r", "\r\n"] {
            let client = try server.connect()
            #expect(client.request(request + line)?.text == "GET /ok ")
            #expect(client.isQuiet(forMilliseconds: 150))
            #expect(client.request(line == "\r" ? "\n" + request : request)?.text == "GET /ok ")
            client.send(line)
            #expect(client.isAtEnd)
        }
    }

    @Test("An idle connection is closed without a word")
    func idleTimeout() throws {
        let server = try TestServer(configure: { $0.limits.idleTimeoutSeconds = 0.05 })
        let fresh = try server.connect()
        let used = try server.connect()
        #expect(used.request("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
        #expect(fresh.isAtEnd)
        #expect(used.isAtEnd)
    }

    @Test("A client that takes nothing of its answer is closed")
    func writeStallTimeout() throws {
        let impatient = { (configuration: inout ServerConfiguration) in
            configuration.limits.writeStallTimeoutSeconds = 0.05
        }
        let server = try TestServer(configure: impatient) {
            $0.reply([UInt8](repeating: 1, count: 20_000_000))
        }
        let client = try server.connect(receiveBytes: 4_096)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        server.wait { $0.statistics.requests > 0 }
        server.wait { $0.statistics.connections == 0 }
        #expect(client.rest().count < 20_000_000)
    }

    @Test("A client that goes on sending after its last answer is closed in the end")
    func lingerLimits() throws {
        let server = try TestServer(configure: {
            $0.limits.lingerSeconds = 30
            $0.limits.lingerBytesMax = 10_000
        })
        let client = try server.connect()
        client.send("nonsense\r\n\r\n")
        #expect(client.response()?.status == 400)
        let junk = [UInt8](repeating: 0x61, count: 1_000)
        while client.send(junk) {}
        server.wait { $0.statistics.connections == 0 }
        let idle = try TestServer(configure: { $0.limits.lingerSeconds = 0.05 })
        let silent = try idle.connect()
        silent.send("nonsense\r\n\r\n")
        idle.wait { $0.statistics.refused > 0 }
        idle.wait { $0.statistics.connections == 0 }
    }

    @Test("Connections over the limit are told so; there is room again when one ends")
    func connectionsMax() throws {
        let server = try TestServer(configure: {
            $0.limits.connectionsMax = 2
            $0.limits.reservedConnections = 0
        })
        let first = try server.connect()
        var second: RawClient? = try server.connect()
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        #expect(first.request(request)?.status == 200)
        #expect(second?.request(request)?.status == 200)
        let third = try server.connect()
        let refusal = third.response()
        #expect(refusal?.status == 503)
        #expect(refusal?.text == "too-many-connections connectionsMax=2")
        third.finishSending()
        #expect(third.isAtEnd)
        second = nil
        server.wait { $0.statistics.connections <= 1 }
        #expect(try server.connect().request(request)?.status == 200)
        #expect(first.request(request)?.status == 200)
    }

    @Test("A connection in the reserve has one request, which says so, and does not stay")
    func reservedConnections() throws {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.limits.connectionsMax = 1
            configuration.limits.reservedConnections = 64
            configuration.limits.reservedTimeoutSeconds = 0.05
        }
        let server = try TestServer(configure: configure) { $0.reply("\($0.entrance)") }
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let first = try server.connect()
        #expect(first.request(request)?.text == "open")
        for _ in 0..<20 {
            let client = try server.connect()
            let answer = client.request(request + request)
            #expect(answer?.text == "reserved")
            #expect(answer?.fields["connection"] == "close")
            #expect(client.isAtEnd)
        }
        // One that asks for nothing, or slowly, or sends a body.
        let body = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"
        for beginning in ["", "GET / HT", body] {
            let client = try server.connect()
            client.send(beginning)
            #expect(client.response()?.text == "too-many-connections connectionsMax=1")
            client.finishSending()
            #expect(client.isAtEnd)
        }
        #expect(first.request(request)?.text == "open")
    }

    @Test("A request or stream in the reserve that does not end is closed")
    func reservedTimeout() throws {
        let events = Inbox<ScriptedSource.Event>()
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.limits.connectionsMax = 1
            configuration.limits.reservedTimeoutSeconds = 0.05
        }
        let server = try TestServer(configure: configure) { exchange in
            switch exchange.pathText {
            case "/stream": exchange.stream(events) { _, _ in .idle(until: nil) }
            case "/park": _ = exchange.park(until: nil) { _, _ in .answered }
            default: exchange.echo()
            }
        }
        let first = try server.connect()
        #expect(first.request("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
        for path in ["/stream", "/park"] {
            let client = try server.connect()
            client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = client.rest()
        }
        server.wait { $0.statistics.connections <= 1 }
    }

    @Test("An address with as many connections as it may have is told so; requests go on")
    func connectionsPerAddressMax() throws {
        let server = try TestServer(
            shards: 2, configure: { $0.limits.connectionsPerAddressMax = 2 })
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let first = try server.connect()
        var second: RawClient? = try server.connect()
        #expect(first.request(request)?.status == 200)
        #expect(second?.request(request)?.status == 200)
        let refusal = try server.connect().response()
        #expect(refusal?.status == 429)
        #expect(
            refusal?.text == "too-many-connections-from-address connectionsPerAddressMax=2")
        second = nil
        server.wait { $0.statistics.connections <= 1 }
        #expect(try server.connect().request(request)?.status == 200)
        #expect(first.request(request)?.status == 200)
    }

    @Test("Accepting pauses when the system has no descriptors, and goes on by itself")
    func descriptorsExhausted() throws {
        let failures = Atomic<Int>(0)
        let shed = Inbox<Int32>()
        let server = try TestServer(
            accepting: Accepting { descriptor in
                guard shed.count > 0 else { return Acceptor.acceptNext(descriptor) }
                failures.wrappingAdd(1, ordering: .relaxed)
                _ = shed.take()
                return .exhausted
            })
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let before = try server.connect()
        #expect(before.request(request)?.status == 200)
        shed.put(1)
        // This one is shed, so that it need not wait in vain.
        #expect(try server.connect().isAtEnd)
        let after = try server.connect()
        #expect(before.request(request)?.status == 200)
        #expect(after.request(request)?.status == 200)
        #expect(failures.load(ordering: .relaxed) == 1)
    }
}
