// Bodies that a sink takes as they come: whole, in order, of any length, and no faster than the sink.

import Dispatch
import Glibc
import HTTPWire
import Synchronization
import Testing

@testable import HTTPServer

/// Notes what it is given.
private final class NotingSink: BodySink {
    struct Taken {
        var bytes: [UInt8] = []
        var longest = 0
        var count = 0
    }

    let taken = Mutex(Taken())
    /// How many bytes it wants.
    let wanted: Int
    /// Each piece waits for a signal.
    let gate: DispatchSemaphore?

    init(wanted: Int = .max, gate: DispatchSemaphore? = nil) {
        self.wanted = wanted
        self.gate = gate
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let gate { gate.wait() }
        return taken.withLock { taken in
            taken.bytes += bytes
            taken.longest = max(taken.longest, bytes.count)
            taken.count += 1
            return taken.bytes.count <= wanted
        }
    }
}

/// Feeds bodies of `/fed` to a sink, and answers how many bytes it got and their sum; echoes others.
private final class FeedingHandler: RequestHandler {
    let wanted: Int
    let gate: DispatchSemaphore?
    let sinks = Mutex<[NotingSink]>([])

    init(wanted: Int = .max, gate: DispatchSemaphore? = nil) {
        self.wanted = wanted
        self.gate = gate
    }

    func expectBody(_ exchange: Exchange) {
        guard exchange.pathText == "/fed" else { return }
        let sink = NotingSink(wanted: wanted, gate: gate)
        sinks.withLock { $0.append(sink) }
        exchange.feedBody(to: sink)
    }

    func handle(_ exchange: Exchange) {
        guard let sink = exchange.sink as? NotingSink else { return exchange.echo() }
        let bytes = sink.taken.withLock { $0.bytes }
        exchange.reply("fed \(bytes.count) \(FedBodyTests.sum(bytes)) \(exchange.body.count)")
    }

    func refuse(_ refusal: WireError, _ exchange: Exchange) {
        exchange.reply("\(refusal.code)", status: refusal.status)
    }
}

@Suite("Bodies that are taken as they come")
struct FedBodyTests {
    fileprivate static func sum(_ bytes: [UInt8]) -> Int {
        // Sees pieces that change places.
        bytes.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
    }

    private static func body(_ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
    }

    private static func head(_ fields: String, _ path: String = "/fed") -> String {
        "PUT \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
    }

    private static func chunked(_ body: [UInt8], size: Int) -> [UInt8] {
        var text: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: size) {
            let piece = body[start..<min(start + size, body.count)]
            text += Array(String(piece.count, radix: 16).utf8) + [13, 10] + piece + [13, 10]
        }
        return text + Array("0\r\n\r\n".utf8)
    }

    private static func server(
        _ handler: FeedingHandler, bodyBytesMax: Int = 4_096,
        _ configure: (inout ServerConfiguration) -> Void = { _ in }
    ) throws -> TestServer {
        try TestServer(
            configure: {
                $0.wireLimits.bodyBytesMax = bodyBytesMax
                configure(&$0)
            }, handler: handler)
    }

    @Test(
        "A body of any length reaches the sink whole, and the next request is served",
        arguments: [1, 4_096, 4_097, 65_535, 65_536, 65_537, 1_000_000], [false, true])
    func lengths(size: Int, isChunked: Bool) throws {
        let handler = FeedingHandler()
        let server = try Self.server(handler)
        let client = try server.connect()
        let body = Self.body(size)
        let wanted = "fed \(size) \(Self.sum(body)) 0"
        for _ in 0..<2 {
            client.send(
                Self.head(isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(size)"))
            // The head alone first: only then is the handler asked before the body is there.
            try Barrier(server).pass()
            let rest = isChunked ? Self.chunked(body, size: 10_007) : body
            client.send(rest + Array(WorkingTests.get("/next").utf8))
            #expect(client.response()?.text == wanted)
            #expect(client.response()?.text == "GET /next ")
        }
        let longest = handler.sinks.withLock { $0.map { $0.taken.withLock { $0.longest } } }.max()
        #expect(longest ?? 0 <= 65_536)
        #expect(server.server.statistics.working == 0)
    }

    @Test(
        "A chunk that is longer than other bodies may be reaches the sink, however it is sent",
        arguments: [0, 5, 200, 4_000])
    func longChunk(withHead count: Int) throws {
        let server = try Self.server(FeedingHandler())
        let body = Self.body(100_000)
        for path in ["/fed", "/other"] {
            let client = try server.connect()
            let text = Self.chunked(body, size: body.count)
            client.send(Array(Self.head("Transfer-Encoding: chunked", path).utf8) + text[..<count])
            try Barrier(server).pass()
            client.send(Array(text[count...]))
            let response = client.response()
            #expect(response?.status == (path == "/fed" ? 200 : 413))
            if path == "/fed" {
                #expect(response?.text == "fed \(body.count) \(Self.sum(body)) 0")
            }
        }
    }

    @Test("What is longer than other bodies may be is still refused where no sink takes it")
    func tooLong() throws {
        let server = try Self.server(FeedingHandler())
        for path in ["/other", "/fed"] {
            let client = try server.connect()
            client.send(Self.head("Content-Length: 4097", path))
            client.send(Self.body(4_097))
            let response = client.response()
            #expect(response?.status == (path == "/fed" ? 200 : 413))
            #expect(
                response?.text.hasPrefix(path == "/fed" ? "fed 4097" : "body-too-large") == true)
        }
        let client = try server.connect()
        client.send(Self.head("Content-Length: 9223372036854775807"))
        #expect(client.response()?.status == 413)
    }

    @Test("gzip is undone on the way, also in several members", arguments: [100, 300_000])
    func packed(size: Int) throws {
        let server = try Self.server(FeedingHandler())
        let client = try server.connect()
        let body = Self.body(size)
        let half = size / 2
        let packed = RawClient.gzip(Array(body[..<half])) + RawClient.gzip(Array(body[half...]))
        client.send(Self.head("Content-Encoding: gzip\r\nContent-Length: \(packed.count)"))
        try Barrier(server).pass()
        client.send(packed)
        #expect(client.response()?.text == "fed \(size) \(Self.sum(body)) 0")

        let cut = try server.connect()
        cut.send(Self.head("Content-Encoding: gzip\r\nContent-Length: \(packed.count - 5)"))
        try Barrier(server).pass()
        cut.send(packed.dropLast(5))
        let refused = cut.response()
        #expect(refused?.status == 400 && refused?.text == "malformed-gzip")
        #expect(cut.isAtEnd)

        let damaged = try server.connect()
        damaged.send(Self.head("Content-Encoding: gzip\r\nContent-Length: 9"))
        try Barrier(server).pass()
        damaged.send(Array("no gzip !".utf8))
        #expect(damaged.response()?.text == "malformed-gzip")

        let unknown = try server.connect()
        unknown.send(Self.head("Content-Encoding: br\r\nContent-Length: 2"))
        try Barrier(server).pass()
        unknown.send("ab")
        #expect(unknown.response()?.status == 415)
    }

    @Test("A sink that wants no more has the request handled, and the connection ends")
    func refused() throws {
        let handler = FeedingHandler(wanted: 100_000)
        let server = try Self.server(handler)
        let client = try server.connect()
        client.send(Self.head("Content-Length: 10000000"))
        try Barrier(server).pass()
        client.send(Self.body(300_000))
        let response = client.response()
        #expect(response?.status == 200 && response?.fields["connection"] == "close")
        #expect(client.isAtEnd)
        let taken = handler.sinks.withLock { $0[0].taken.withLock { $0.bytes.count } }
        #expect(taken > 100_000 && taken <= 300_000)
    }

    @Test("A slow sink holds its client back, and the shard serves others meanwhile")
    func slowSink() throws {
        let gate = DispatchSemaphore(value: 0)
        let handler = FeedingHandler(gate: gate)
        let server = try Self.server(handler) { $0.workers = 2 }
        let client = try server.connect()
        let body = Self.body(20_000_000)
        let sent = Inbox<Bool>()
        client.send(Self.head("Content-Length: \(body.count)"))
        try Barrier(server).pass()
        let descriptor = client.descriptor
        DispatchQueue.global().async {
            var rest = body[...]
            while !rest.isEmpty {
                let size = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if size <= 0 { break }
                rest = rest.dropFirst(size)
            }
            sent.put(rest.isEmpty)
        }
        gate.signal()
        for _ in 0..<20 { try Barrier(server).pass() }
        // The sockets hold some megabytes; the server one piece and what one call received.
        #expect(sent.count == 0)
        #expect(server.server.statistics.collectedBytes < 1_000_000)
        for _ in 0..<2_000 { gate.signal() }
        #expect(client.response()?.text == "fed \(body.count) \(Self.sum(body)) 0")
        #expect(sent.take() == true)
    }

    @Test("A client that goes away in the middle leaves nothing behind")
    func gone() throws {
        let handler = FeedingHandler()
        let server = try Self.server(handler)
        for _ in 0..<5 {
            let client = try server.connect()
            client.send(Self.head("Content-Length: 1000000"))
            try Barrier(server).pass()
            client.send(Self.body(200_000))
            client.reset()
        }
        while server.server.statistics.connections > 0 { try Barrier(server).pass() }
        #expect(server.server.statistics.working == 0)
    }

    @Test("A body that stops coming is refused after its time")
    func stalled() throws {
        let server = try Self.server(FeedingHandler()) {
            $0.limits.bodyTimeoutSeconds = 0.3
        }
        let client = try server.connect()
        client.send(Self.head("Content-Length: 1000000"))
        try Barrier(server).pass()
        client.send(Self.body(100_000))
        #expect(client.response()?.status == 408)
        #expect(client.isAtEnd)
    }

    @Test("Bytes of a chunk's size do not give a body more time")
    func stalledSize() throws {
        let server = try Self.server(FeedingHandler()) {
            $0.limits.bodyTimeoutSeconds = 0.3
        }
        let client = try server.connect()
        client.send(Self.head("Transfer-Encoding: chunked"))
        // Digits in far shorter distances than the timeout: more than a line of a chunk may have take longer.
        var digits = 0
        while client.isQuiet(forMilliseconds: 20), digits < 250 {
            client.send("0")
            digits += 1
        }
        #expect(client.response()?.status == 408)
        #expect(digits < 250)
    }
}
