// Bodies that are made beside the shard: whole or cut off, never further ahead than a few chunks.

import HTTPWire
import Synchronization
import Testing

@testable import HTTPServer

/// Makes `parts` parts of `size` bytes each, and says what it did.
private final class ScriptedProducer: Sendable {
    private let made = Atomic<Int>(0)
    private let size: Int
    private let parts: Int
    private let released: Inbox<Bool>?
    private let isBroken: Bool

    init(size: Int, parts: Int, released: Inbox<Bool>? = nil, isBroken: Bool = false) {
        self.isBroken = isBroken
        self.size = size
        self.parts = parts
        self.released = released
    }

    deinit { released?.put(true) }

    var count: Int { made.load(ordering: .relaxed) }

    func produce(into out: OutputBuffer) -> BodyPart {
        let number = made.wrappingAdd(1, ordering: .relaxed).oldValue
        if number < parts { out.append(Self.part(number, size)) }
        if number + 1 < parts { return .more }
        return isBroken ? .broken : .last
    }

    static func part(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: $0 &+ number &* 31) }
    }

    static func whole(_ size: Int, _ parts: Int) -> [UInt8] {
        (0..<parts).flatMap { part($0, size) }
    }
}

extension Exchange {
    fileprivate func stream(_ producer: ScriptedProducer) {
        stream(
            status: 200, contentType: "text/plain",
            fields: UnsafeRawBufferPointer(start: nil, count: 0),
            producer: BodyProducer { out, _ in producer.produce(into: out) })
    }
}

@Suite("Bodies made beside the shard")
struct ProducedBodyTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let endless = Int.max / 2

    @Test("that cannot be made whole end with the connection, behind what there is of them")
    func broken() throws {
        for (size, parts) in [(0, 1), (5, 1), (70_000, 3)] {
            let server = try TestServer {
                $0.stream(ScriptedProducer(size: size, parts: parts, isBroken: true))
            }
            let client = try server.connect()
            client.send(Self.get)
            let bytes = client.rest()
            #expect(bytes.starts(with: "HTTP/1.1 200 OK\r\n".utf8))
            #expect(!bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8))
        }
    }

    @Test(
        "arrive whole, wherever parts and chunks meet",
        arguments: [0, 1, 7, 4_096, 65_535, 65_536, 65_537, 200_000], [1, 2, 9])
    func whole(size: Int, parts: Int) throws {
        let server = try TestServer { $0.stream(ScriptedProducer(size: size, parts: parts)) }
        let expected = ScriptedProducer.whole(size, parts)
        let client = try server.connect()
        for _ in 0..<3 {
            client.send(Self.get + "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
            #expect(client.response()?.body == expected)
            #expect(client.response(toHead: true)?.status == 200)
            #expect(client.response()?.body == expected)
        }
        let old = try server.connect()
        old.send("GET / HTTP/1.0\r\n\r\n")
        #expect(old.line()?.hasSuffix("200 OK") == true)
        while let field = old.line(), !field.isEmpty {}
        #expect(old.rest() == expected)
        #expect(server.server.statistics.streams == 0)
    }

    @Test("are no further ahead of a client that reads nothing than the bound, and go on with it")
    func ahead() throws {
        let producer = ScriptedProducer(size: 10_000, parts: Self.endless)
        let server = try TestServer { exchange in
            exchange.pathText == "/w"
                ? exchange.work({ .done(1) }, then: { exchange, _ in exchange.reply("done") })
                : exchange.stream(producer)
        }
        let client = try server.connect(receiveBytes: 65_536)
        client.send(Self.get)
        #expect(client.head()?.status == 200)
        let other = try server.connect()
        // Work behind work: with every answer the producer has had a turn, if it wants one.
        var count = -1
        while count != producer.count {
            count = producer.count
            for _ in 0..<50 {
                #expect(other.request("GET /w HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "done")
            }
        }
        // What the sockets of both sides hold is the system's, a few megabytes.
        let bound = 16_000_000 + ProducedBody.aheadBytesMax + 2 * ProducedBody.chunkBytes
        #expect(count * 10_000 < bound)
        var received = 0
        while received < 2 * bound {
            guard let chunk = client.chunk(), !chunk.isEmpty else {
                Issue.record("the body ended after \(received) bytes")
                return
            }
            received += chunk.count
        }
    }

    @Test("end with the client, whatever it leaves unread", arguments: [true, false])
    func gone(isReset: Bool) throws {
        let released = Inbox<Bool>()
        let server = try TestServer {
            $0.stream(ScriptedProducer(size: 20_000, parts: Self.endless, released: released))
        }
        do {
            let client = try server.connect()
            client.send(Self.get)
            #expect(client.head()?.status == 200)
            #expect(client.chunk()?.isEmpty == false)
            if isReset { client.reset() }
        }
        #expect(released.take() == true)
        let next = try server.connect()
        next.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(next.response(toHead: true)?.status == 200)
        #expect(released.take() == true)
        #expect(server.server.statistics.streams == 0)
    }

    @Test("are cut off when the client takes nothing: what it has does not look whole")
    func stalled() throws {
        let released = Inbox<Bool>()
        let server = try TestServer {
            $0.limits.writeStallTimeoutSeconds = 0.2
        } answer: {
            $0.stream(ScriptedProducer(size: 50_000, parts: Self.endless, released: released))
        }
        let client = try server.connect(receiveBytes: 4_096)
        client.send(Self.get)
        #expect(released.take() == true)
        let bytes = client.rest()
        #expect(!bytes.isEmpty)
        #expect(!bytes.suffix(7).elementsEqual("\r\n0\r\n\r\n".utf8))
        #expect(server.server.statistics.slowConsumers == 1)
    }

    @Test("reach a client that has closed its sending side")
    func halfClosed() throws {
        let server = try TestServer { $0.stream(ScriptedProducer(size: 10_000, parts: 1_000)) }
        let client = try server.connect(receiveBytes: 65_536)
        client.send(Self.get)
        client.finishSending()
        #expect(client.response()?.body.count == 10_000_000)
        #expect(client.isAtEnd)
    }

    @Test("are waited for when the server drains, and the connection ends after them")
    func draining() throws {
        let server = try TestServer { $0.stream(ScriptedProducer(size: 10_000, parts: 2_000)) }
        let client = try server.connect(receiveBytes: 65_536)
        client.send(Self.get)
        #expect(client.head()?.status == 200)
        let drained = server.drain(graceSeconds: 60)
        var received = 0
        while let chunk = client.chunk(), !chunk.isEmpty { received += chunk.count }
        #expect(received == 20_000_000)
        #expect(client.isAtEnd)
        #expect(drained.take() == true)
    }
}
