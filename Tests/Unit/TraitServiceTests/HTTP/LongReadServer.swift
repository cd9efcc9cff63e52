// Services whose sessions are read at length, and what is read.

import HTTPServer
import Synchronization
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

/// Two services with the same session, one of which reads everything at length.
final class LongReadPair: Sendable {
    let short: LongReadServer
    let long: LongReadServer

    init(_ nodes: [JSON]) throws {
        var limits = ServiceLimits()
        limits.inlineValuesMax = 0
        limits.inlineVisitsMax = 0
        limits.inlineHistoryBytesMax = 0
        limits.inlineAnswerBytesMax = 0
        let inline = try Self.generous()
        short = try LongReadServer(inline, nodes)
        long = try LongReadServer(limits, nodes)
    }

    static func generous() throws -> ServiceLimits {
        var limits = ServiceLimits()
        limits.inlineValuesMax = 10_000_000
        limits.inlineVisitsMax = 10_000_000
        limits.inlineHistoryBytesMax = 100_000_000
        limits.inlineAnswerBytesMax = 100_000_000
        limits.inlineBodyBytesMax = 100_000_000
        limits.pageSizeMax = 1_000_000
        limits.pageBytesMax = 100_000_000
        return limits
    }

    /// The answers of both; they must agree in all but the framing, and answer 304 to the tag of what they
    /// have read.
    @discardableResult
    func agree(
        _ method: String, _ rest: String, _ json: JSON? = nil, accept: String = "*/*",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> HTTPResponse {
        let fields = [
            HTTPField("Accept", accept), HTTPField("Traitd-Request-Id", "same"),
        ]
        let short = try short.session.send(method, rest, json, fields: fields)
        let long = try long.session.send(method, rest, json, fields: fields)
        #expect(short.status == long.status, sourceLocation: sourceLocation)
        let isEqual = short.body == long.body
        #expect(isEqual, "\(method) \(rest) \(accept)", sourceLocation: sourceLocation)
        let framing: Set = ["Date", "Content-Length", "Transfer-Encoding", "Vary"]
        #expect(
            short.head.fields.filter { !framing.contains($0.name) }
                == long.head.fields.filter { !framing.contains($0.name) },
            sourceLocation: sourceLocation)
        guard method == "GET", long.status == 200 else { return long }
        let tag = try #require(long[header: "ETag"], sourceLocation: sourceLocation)
        for server in [self.short, self.long] {
            let known = try server.session.send(
                "GET", rest, fields: fields + [HTTPField("If-None-Match", tag)])
            #expect(known.status == 304, "\(rest)", sourceLocation: sourceLocation)
            #expect(known.body.isEmpty, "\(rest)", sourceLocation: sourceLocation)
        }
        return long
    }
}

/// A service with one session, `s`; its clock stands still and its random source counts.
final class LongReadServer: Sendable {
    private let served: InProcessService
    var service: TraitService { served.service }
    var server: HTTPServer { served.server }
    var port: UInt16 { served.port }
    let session: SessionClient

    init(
        _ limits: ServiceLimits, _ nodes: [JSON],
        configure: (inout ServerConfiguration) -> Void = { _ in }
    ) throws {
        let counter = RandomCounter()
        let service = TraitService(
            version: "test", shards: 1, limits: limits,
            environment: SessionEnvironment(now: { 1_000 }, random: { counter.next() }))
        served = try InProcessService(serving: service, configure: configure)
        session = try SessionClient("s", on: served.url, keeping: served)
        try session.client.send(
            "PUT", "/v1/sessions/s",
            json: [
                "nodes": .array(nodes),
                "traits": ["title": ["type": "string", "default": "none"]],
            ],
            fields: [HTTPField("Traitd-Request-Id", "same")]
        ).expecting(201)
    }

    func snapshots() throws -> Int64? {
        try session.get("stats").expecting(200).json["snapshots"]?.int
    }

    /// Waits until no snapshot is held.
    func expectReleased() throws {
        let deadline = Deadline(within: .seconds(30))
        while try snapshots() != 0 {
            if deadline.hasPassed { throw TimedOut("the release of a snapshot") }
        }
        let shared = service.store.find("s").map { session in
            session.withState { $0.upkeep.sharedSnapshot != nil }
        }
        #expect(shared == false)
    }

    /// A client that has sent the request, read the head, and stopped reading.
    func stall(_ method: String, _ rest: String, _ json: JSON?, version: String = "1.1")
        throws -> (RawConnection, read: [UInt8])
    {
        let connection = try RawConnection(port: port, receiveBufferBytes: 65_536)
        let body = json?.bytes ?? []
        try connection.send(
            "\(method) /v1/sessions/s/\(rest) HTTP/\(version)\r\nHost: localhost\r\n"
                + "Accept: application/x-ndjson\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.count)\r\n\r\n")
        try connection.send(body)
        let read = try connection.read {
            String(decoding: $0, as: UTF8.self).contains("\r\n\r\n")
        }
        return (connection, read)
    }
}

private final class RandomCounter: Sendable {
    private let value = Atomic<UInt64>(0)
    func next() -> UInt64 {
        value.wrappingAdd(1, ordering: .relaxed).newValue &* 0x9e37_79b9_7f4a_7c15
    }
}

/// Trees with values of several types and nodes of several kinds.
enum LongReadTree {
    /// Three children a node.
    private static func environments(_ count: Int) -> [JSON] {
        (0..<count).map { number in
            let title = String(repeating: "t", count: number * 7 % 200)
            return .node(
                "n\(number)", in: number == 0 ? nil : "n\((number - 1) / 3)",
                with: [
                    "overrides": number % 5 == 3 ? ["displayScale": .int(Int64(number))] : [:],
                    "supplied": number % 7 == 3 ? ["title": .string(title)] : [:],
                ])
        }
    }

    /// As many environments, and behind them a window with views.
    static func tree(_ count: Int) -> [JSON] {
        let views = (0..<count / 50).map { number -> JSON in
            .node("v\(number)", "view", in: "window")
        }
        return environments(count) + [
            .node("scene", "windowScene"),
            .node("window", "window", in: "scene"),
        ] + views
    }

    /// A subtree whose answer no socket holds: several megabytes.
    static let large = environments(10_000)
}
