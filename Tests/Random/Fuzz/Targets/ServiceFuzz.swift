// Requests to a service, through a server and its sockets, all in this process. A service is new for
// each input and has one small session; requests of one input follow one another.

import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import Synchronization
import TraitEngine
import TraitService
import TraitSessions

enum ServiceFuzz {
    private static let requestsMax = 16

    /// Requests, separated by NUL: a line with a method and a target, then the body. A target that
    /// begins with `~` is below the session's.
    static func run(_ input: UnsafeRawBufferPointer) throws(FuzzFailure) {
        let stage = ServiceStage.shared
        let service = stage.newService()
        var client = FuzzClient(path: stage.path)
        defer { client.close() }
        try check(try client.exchange("PUT", Array("~".utf8), Array(session.utf8)), expected: 201)
        let parts = input.split(separator: 0, omittingEmptySubsequences: true).prefix(requestsMax)
        for part in parts {
            let line = part.prefix { $0 != 10 }
            let body = part.dropFirst(line.count + 1)
            let words = line.split(separator: 32, maxSplits: 1)
            let method = words.count == 2 ? String(decoding: words[0], as: UTF8.self) : "GET"
            let target = words.last.map(Array.init) ?? []
            try check(try client.exchange(method, target, Array(body)), expected: nil)
        }
        do {
            for session in service.store.page(after: nil, limit: .max) {
                try session.withState { try $0.hierarchy.checkInvariants() }
            }
        } catch {
            throw FuzzFailure("\(error)")
        }
    }

    private static let session = #"""
        {"traits":{"t":{"type":"enum","cases":{"a":0,"b":1},"default":"a","affectsColorAppearance":true},
        "d":{"type":"double","default":0}},
        "nodes":[{"id":"s","kind":"windowScene"},{"id":"w","kind":"window","parent":"s"},
        {"id":"c","kind":"viewController","parent":"w"},
        {"id":"v","kind":"view","parent":"w","controller":"c","overrides":{"t":"b"}},
        {"id":"e","kind":"environment"}]}
        """#

    private static func check(_ answer: FuzzAnswer, expected: Int?) throws(FuzzFailure) {
        // A method or target that the wire refuses ends the connection, and may be answered with
        // anything but an error of the server's own.
        guard (200..<500).contains(answer.status) || [501, 505].contains(answer.status) else {
            throw FuzzFailure("status \(answer.status): \(answer.text)")
        }
        if let expected { try expectSame("status", expected, answer.status) }
        guard answer.isJSON else { return }
        let tape = JSONTape(limits: JSONLimits(depthMax: 100), hashSeed: 1)
        let problem = answer.body.withUnsafeBytes { bytes -> String? in
            do throws(JSONError) {
                let root = try tape.parse(bytes)
                guard answer.status >= 400 else { return nil }
                let status = root.member("status")?.int64
                return status == Int64(answer.status) ? nil : "a problem of another status"
            } catch {
                return "no JSON: \(error)"
            }
        }
        if let problem { throw FuzzFailure("\(problem): \(answer.text)") }
    }
}

/// The server of this process; what it serves is exchanged for each input.
private final class ServiceStage: RequestHandler {
    static let shared = ServiceStage()

    let path: String
    private let service: Mutex<TraitService>

    private init() {
        path = FuzzClient.socketPath
        service = Mutex(Self.makeService())
        var configuration = ServerConfiguration()
        configuration.addresses = [.unix(path: path)]
        configuration.shards = 1
        configuration.workers = 1
        // A process that is paused for a while has done nothing wrong.
        configuration.limits.idleTimeoutSeconds = 86_400
        configuration.limits.headerTimeoutSeconds = 86_400
        let server = HTTPServer(configuration: configuration, handler: self)
        do throws(ServerError) {
            _ = try server.start()
        } catch {
            fatalError("the server does not start: \(error)")
        }
    }

    func newService() -> TraitService {
        let made = Self.makeService()
        service.withLock { $0 = made }
        return made
    }

    private static func makeService() -> TraitService {
        var limits = ServiceLimits()
        limits.longPollWaitSecondsMax = 0
        limits.inlineBodyBytesMax = 512
        let ticks = FuzzClock()
        return TraitService(
            version: "fuzz", shards: 1, limits: limits,
            environment: SessionEnvironment(
                now: { 1_700_000_000_000 + Int64(ticks.next() % 1_000_000) },
                random: { ticks.next() &* 0x9E37_79B9_7F4A_7C15 }))
    }

    private var current: TraitService { service.withLock { $0 } }

    func handle(_ exchange: Exchange) { current.handle(exchange) }
    func expectBody(_ exchange: Exchange) { current.expectBody(exchange) }
    func refuse(_ refusal: WireError, _ exchange: Exchange) { current.refuse(refusal, exchange) }
}

/// Goes up by one whenever it is looked at, so that the same input runs the same way.
private final class FuzzClock: Sendable {
    private let count = Atomic<UInt64>(0)

    func next() -> UInt64 { count.add(1, ordering: .relaxed).newValue }
}
