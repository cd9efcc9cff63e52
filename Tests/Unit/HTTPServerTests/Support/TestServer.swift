// A server on a free port with a handler made of closures.

import HTTPWire
import TestSupport
import Testing

@testable import HTTPServer

final class TestHandler: RequestHandler {
    private let answer: @Sendable (Exchange) -> Void

    init(_ answer: @escaping @Sendable (Exchange) -> Void) {
        self.answer = answer
    }

    func handle(_ exchange: Exchange) { answer(exchange) }

    /// The body names the code, and the limit if there is one.
    func refuse(_ refusal: WireError, _ exchange: Exchange) {
        let limit = refusal.limit.map { " \($0.name)=\($0.value)" } ?? ""
        exchange.reply("\(refusal.code)\(limit)", status: refusal.status)
    }
}

extension Exchange {
    func reply(_ bytes: [UInt8], status: Int = 200, type: StaticString? = "text/plain") {
        bytes.withUnsafeBytes {
            send(
                status: status, contentType: type,
                fields: UnsafeRawBufferPointer(start: nil, count: 0), body: .borrowed($0))
        }
    }

    func reply(_ text: String, status: Int = 200) { reply(Array(text.utf8), status: status) }

    var pathText: String { String(decoding: path, as: UTF8.self) }

    /// What an echo answers: enough to distinguish requests.
    func echo() {
        reply(Array("\(method.name) \(pathText) ".utf8) + Array(body))
    }
}

/// What stands in for the system's `accept`.
struct Accepting {
    var acceptOne: @Sendable (Int32) -> Acceptor.Outcome = Acceptor.acceptNext
}

final class TestServer {
    let server: HTTPServer
    /// As the configuration lists them, with the ports that were chosen.
    let addresses: [ListenAddress]
    let address: ListenAddress
    private let turns: TurnWatch

    convenience init(
        shards: Int = 1, accepting: Accepting = Accepting(),
        configure: (inout ServerConfiguration) -> Void = { _ in },
        answer: @escaping @Sendable (Exchange) -> Void
    ) throws {
        try self.init(
            shards: shards, accepting: accepting, configure: configure,
            handler: TestHandler(answer))
    }

    init(
        shards: Int = 1, accepting: Accepting = Accepting(),
        configure: (inout ServerConfiguration) -> Void = { _ in },
        handler: any RequestHandler
    ) throws {
        var configuration = ServerConfiguration()
        configuration.addresses = [.tcp(host: "127.0.0.1", port: 0)]
        configuration.shards = shards
        // Bodies of tests are often one byte again and again.
        configuration.wireLimits.bodyExpansionRatioMax = 1_000_000
        configure(&configuration)
        turns = TurnWatch(handler)
        server = HTTPServer(
            configuration: configuration, handler: turns, acceptOne: accepting.acceptOne)
        addresses = try server.start()
        address = try #require(addresses.first)
    }

    /// One that echoes.
    convenience init(
        shards: Int = 1, accepting: Accepting = Accepting(),
        configure: (inout ServerConfiguration) -> Void = { _ in }
    ) throws {
        try self.init(
            shards: shards, accepting: accepting, configure: configure, answer: { $0.echo() })
    }

    deinit { server.stop() }

    /// Waits until a condition holds, which is looked at after each turn of a shard.
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation, until holds: (HTTPServer) -> Bool
    ) {
        turns.wait(sourceLocation: sourceLocation) { holds(server) }
    }

    func connect(receiveBytes: Int32? = nil) throws -> RawClient {
        try RawClient(address, receiveBytes: receiveBytes)
    }

    func drain(windowSeconds: Double = 0, graceSeconds: Double) -> Inbox<Bool> {
        let done = Inbox<Bool>()
        server.drain(windowSeconds: windowSeconds, graceSeconds: graceSeconds) { done.put(true) }
        return done
    }
}

/// A connection whose round trips show that the server has read all that was sent before: with one
/// shard, sockets are served in the order in which they became readable.
final class Barrier {
    private let client: RawClient

    init(_ server: TestServer) throws {
        client = try server.connect()
        try pass()
    }

    func pass() throws {
        let answer = client.request("GET /barrier HTTP/1.1\r\nHost: a\r\n\r\n")
        try #require(answer?.text == "GET /barrier ")
    }
}

extension Exchange {
    /// Sends a body of its own.
    func send(_ body: OutputBuffer, status: Int = 200, fields: String) {
        Array(fields.utf8).withUnsafeBytes {
            send(status: status, contentType: "text/plain", fields: $0, body: .owned(body))
        }
    }

    var minorVersion: UInt8 { connection.minorVersion }
}

extension MonotonicClock {
    static func deadline(after seconds: Double) -> UInt64 {
        now().advanced(by: ServerLimits.nanoseconds(seconds))
    }
}
