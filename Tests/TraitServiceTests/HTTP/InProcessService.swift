// The service without its process: on a port of its own, inside the test.

import HTTPServer
import TestSupport
import TraitService
import TraitSessions

/// A service that serves until it is let go.
final class InProcessService: Sendable {
    let url: String
    let port: UInt16
    let service: TraitService
    private let server: HTTPServer

    init(limits: ServiceLimits = ServiceLimits()) throws {
        var configuration = ServerConfiguration()
        configuration.addresses = [.tcp(host: "127.0.0.1", port: 0)]
        configuration.shards = 2
        service = TraitService(
            version: "0.0.0", shards: configuration.shards, limits: limits)
        service.startSweeping()
        server = HTTPServer(configuration: configuration, handler: service)
        port = try server.start().first?.port ?? 0
        url = "http://127.0.0.1:\(port)"
    }

    deinit { server.stop() }
}
