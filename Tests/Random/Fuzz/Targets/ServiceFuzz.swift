// Requests to a service, through a server and its sockets, all in this process. A service is new for
// each input and has one small session; requests of one input follow one another.

import Glibc
import HTTPServer
import HTTPWire
import JSONCodec
import PlainClient
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
        let client = PlainClient(path: stage.path, secondsMax: 10)
        try exchange(client, "PUT", Array("~".utf8), Array(session.utf8), expected: 201)
        let parts = input.split(separator: 0, omittingEmptySubsequences: true).prefix(requestsMax)
        for part in parts {
            let line = part.prefix { $0 != 10 }
            let body = part.dropFirst(line.count + 1)
            let words = line.split(separator: 32, maxSplits: 1)
            let method = words.count == 2 ? String(decoding: words[0], as: UTF8.self) : "GET"
            let target = words.last.map(Array.init) ?? []
            try exchange(client, method, target, Array(body), expected: nil)
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

    /// Sends one request and looks at its answer. Of a stream it looks at the head alone.
    private static func exchange(
        _ client: PlainClient, _ method: String, _ target: [UInt8], _ body: [UInt8], expected: Int?
    ) throws(FuzzFailure) {
        var head = Array("\(method) ".utf8)
        let isShort = target.first == UInt8(ascii: "~")
        head += isShort ? Array("/v1/sessions/x".utf8) + target.dropFirst() : target
        head += Array(" HTTP/1.1\r\nHost: fuzz\r\n".utf8)
        if !body.isEmpty || method != "GET" {
            let type = method == "PATCH" ? "application/merge-patch+json" : "application/json"
            head += Array("Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n".utf8)
        }
        let answer: PlainAnswer
        do throws(PlainClientError) {
            answer = try client.ask(
                head + Array("\r\n".utf8) + body, isHead: method == "HEAD", cutsStreams: true)
        } catch {
            throw FuzzFailure(error.description)
        }
        try check(answer, hasBody: method != "HEAD" && !answer.isInChunks, expected)
    }

    private static func check(
        _ answer: PlainAnswer, hasBody: Bool, _ expected: Int?
    ) throws(FuzzFailure) {
        // A method or target that the wire refuses ends the connection, and may be answered with
        // anything but an error of the server's own.
        guard (200..<500).contains(answer.status) || [501, 505].contains(answer.status) else {
            throw FuzzFailure("status \(answer.status): \(answer.body.prefix(2_000))")
        }
        if let expected { try expectSame("status", expected, answer.status) }
        let type = answer.field("content-type") ?? ""
        guard hasBody, type.hasSuffix("json"), !type.hasSuffix("x-ndjson") else { return }
        let tape = JSONTape(limits: JSONLimits(depthMax: 100), hashSeed: 1)
        let problem = answer.bytes.withUnsafeBytes { bytes -> String? in
            do throws(JSONError) {
                let root = try tape.parse(bytes)
                guard answer.status >= 400 else { return nil }
                let status = root.member("status")?.int64
                return status == Int64(answer.status) ? nil : "a problem of another status"
            } catch {
                return "no JSON: \(error)"
            }
        }
        if let problem { throw FuzzFailure("\(problem): \(answer.body.prefix(2_000))") }
    }
}

/// The server of this process; what it serves is exchanged for each input.
private final class ServiceStage: RequestHandler {
    static let shared = ServiceStage()

    let path: String
    private let service: Mutex<TraitService>

    private init() {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = "\(folder)/traitd-fuzz.\(getpid()).sock"
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
