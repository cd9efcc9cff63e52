// The service on a real server in this process, on a free port.

import HTTPServer
import SessionLog
import TestSupport
import TraitSessions

@testable import TraitService

struct ServiceFixture: Sendable {
    let service: TraitService
    let server: HTTPServer
    let turns: TurnWatch
    let port: UInt16
    var url: String { "http://127.0.0.1:\(port)" }

    /// A clock and a random source that are the same in every run.
    static func make(
        log: (any SessionLog)? = nil, limits: ServiceLimits = ServiceLimits(),
        shards: Int = 2, doors: DoorPolicy = .closed, tokens: TokenKeeper? = nil,
        proxies: ProxyTrust = .none, readsLocally: Bool = false, readyWithoutLog: Bool = false,
        inspector: InspectorMode = .on
    ) throws -> ServiceFixture {
        let service = TraitService(
            version: "test", shards: shards, limits: limits, doors: doors, tokens: tokens,
            proxies: proxies, inspector: inspector, log: log, readsLocally: readsLocally,
            readyWithoutLog: readyWithoutLog)
        var configuration = ServerConfiguration()
        configuration.addresses = [.tcp(host: "127.0.0.1", port: 0)]
        configuration.shards = shards
        let turns = TurnWatch(service)
        let server = HTTPServer(configuration: configuration, handler: turns)
        let port = try server.start().first?.port ?? 0
        return ServiceFixture(service: service, server: server, turns: turns, port: port)
    }

    func client() throws -> HTTPClient { try HTTPClient(url) }

    func stop() { server.stop() }
}

extension TraitService {
    /// Creates a session from a complete document.
    func load(_ bytes: UnsafeRawBufferPointer) throws(Problem) -> (name: String, nodes: Int) {
        let loading = SessionLoading(store, expectedBytes: bytes.count)
        try loading.feed(bytes)
        return try loading.finish()
    }

    /// Checks the hierarchy of every session.
    func checkInvariants() throws {
        for session in store.page(after: nil, limit: .max) {
            try session.withState { try $0.hierarchy.checkInvariants() }
        }
    }
}
