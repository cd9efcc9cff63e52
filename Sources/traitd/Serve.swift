// `traitd serve`: the options and the wiring.

import ArgumentParser
import Dispatch
import Glibc
import HTTPServer
import Logging
import TraitService

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the HTTP interface until SIGTERM or SIGINT.")

    @Option(help: "The address to listen on. Only loopback, unless --allow-anonymous is given.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one and prints it.")
    var port: UInt16 = 8080

    @Option(help: "How many event loops serve connections. (default: one for each processor)")
    var shards: Int?

    @Option(
        parsing: .upToNextOption,
        help: "Session files to load: the body of PUT …/sessions/{name} plus a `name`.")
    var load: [String] = []

    @Option(help: "How log lines look on standard error: text or json.")
    var logFormat = LogFormat.text

    @Flag(help: "Listen beyond loopback although nobody has to say who they are.")
    var allowAnonymous = false

    @Option(help: "Seconds of silence after which a stream gets a bookmark.")
    var heartbeatSeconds = 15

    @Option(help: "The largest request body, in bytes, after decompression.")
    var bodyBytesMax = 16_777_216

    @Option(help: "Seconds to keep serving, but not ready, after the first SIGTERM or SIGINT.")
    var drainDelay = 0

    @Option(help: "Seconds within which open streams are ended; requests get 5 more to finish.")
    var drainWindow = 5

    func validate() throws {
        if let shards, !(1...256).contains(shards) {
            throw ValidationError("--shards goes from 1 to 256.")
        }
        if !(1...3_600).contains(heartbeatSeconds) {
            throw ValidationError("--heartbeat-seconds goes from 1 to 3600.")
        }
        if !(1_024...536_870_911).contains(bodyBytesMax) {
            throw ValidationError("--body-bytes-max goes from 1024 to 536870911.")
        }
        if !(0...3_600).contains(drainDelay) || !(0...3_600).contains(drainWindow) {
            throw ValidationError("--drain-delay and --drain-window go from 0 to 3600.")
        }
        if !allowAnonymous, !Self.isLoopback(host) {
            throw ValidationError(
                "Without authentication traitd listens on loopback only. Add --allow-anonymous to listen on \(host), where everybody who reaches it can read and write."
            )
        }
    }

    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    func run() throws {
        let logger = LogFormat.makeLogger(logFormat)
        let shardCount = shards ?? ServerConfiguration.processorCount
        var limits = ServiceLimits()
        limits.heartbeatMilliseconds = Int64(heartbeatSeconds) * 1_000
        let service = TraitService(version: Version.current, shards: shardCount, limits: limits)

        for path in load { try SessionFile.load(path, into: service, logger) }

        var configuration = ServerConfiguration()
        configuration.addresses = [.tcp(host: host, port: port)]
        configuration.shards = shardCount
        configuration.wireLimits.bodyBytesMax = bodyBytesMax
        configuration.wireLimits.decodedBodyBytesMax = bodyBytesMax
        let server = HTTPServer(configuration: configuration, handler: service)
        let boundPort: UInt16
        do {
            boundPort = try server.start().first?.port ?? port
        } catch {
            logger.critical("cannot listen on \(host):\(port): \(error)")
            throw ExitCode(exitUnavailable)
        }
        let address = host.contains(":") ? "[\(host)]" : host
        print("traitd \(Version.current) serving on http://\(address):\(boundPort)")
        fflush(nil)
        logger.info(
            "serving", metadata: ["port": "\(boundPort)", "shards": "\(shardCount)"])
        waitForSignal(server, service, logger)
    }

    /// Waits for SIGTERM or SIGINT and for the drain that follows.
    private func waitForSignal(
        _ server: HTTPServer, _ service: TraitService, _ logger: Logger
    ) {
        let shutdown = Shutdown(
            server, service, logger, delaySeconds: drainDelay, windowSeconds: drainWindow)
        shutdown.waitUntilEnded()
    }
}

/// sysexits.h: a service is unavailable.
private let exitUnavailable: Int32 = 69
