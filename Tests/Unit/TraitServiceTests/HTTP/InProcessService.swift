// The service without its process: on a port of its own, inside the test.

import HTTPServer
import SessionLog
import SessionViews
import TestSupport
import TraitSessions

@testable import TraitService

/// A service that serves until it is let go.
final class InProcessService: Sendable {
    let service: TraitService
    let server: HTTPServer
    let turns: TurnWatch
    let port: UInt16
    var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameter configure: changes what is 127.0.0.1 with a free port, and as many shards as the
    ///   service has.
    init(
        serving service: TraitService, shards: Int = 1,
        configure: (inout ServerConfiguration) -> Void = { _ in }
    ) throws {
        self.service = service
        var configuration = ServerConfiguration()
        configuration.addresses = [.tcp(host: "127.0.0.1", port: 0)]
        configuration.shards = shards
        configure(&configuration)
        turns = TurnWatch(service)
        server = HTTPServer(configuration: configuration, handler: turns)
        port = try server.start().compactMap(\.port).first ?? 0
    }

    /// Without a log and tokens the service sweeps; a test that drives one of them is not disturbed.
    convenience init(
        log: (any SessionLog)? = nil, limits: ServiceLimits = ServiceLimits(),
        shards: Int = 2, access: AccessPolicy = .closed, tokens: TokenKeeper? = nil,
        proxies: ProxyTrust = .none, readsLocally: Bool = false, readyWithoutLog: Bool = false,
        inspector: InspectorMode = .on
    ) throws {
        let service = TraitService(
            version: "test", shards: shards, limits: limits, access: access, tokens: tokens,
            proxies: proxies, inspector: inspector, log: log, readsLocally: readsLocally,
            readyWithoutLog: readyWithoutLog)
        if log == nil, tokens == nil { service.startSweeping() }
        try self.init(serving: service, shards: shards)
    }

    /// A client that keeps the service.
    func client() throws -> HTTPClient { try HTTPClient(url, keeping: self) }

    /// A session that no other test knows, whose client keeps the service.
    func session(_ label: String, _ body: JSON = [:]) throws -> SessionClient {
        try .make(label, on: url, body, keeping: self)
    }

    func stop() { server.stop() }

    deinit { server.stop() }
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
