// `traitd serve`: the options and the wiring.

import ArgumentParser
import Dispatch
import Glibc
import HTTPServer
import Ledger
import Logging
import SQLiteLog
import SessionLog
import TraitService
import TraitSessions

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the HTTP interface until SIGTERM or SIGINT.")

    @OptionGroup(title: "Listening")
    var listening: ListenOptions

    @OptionGroup(title: "Access")
    var access: DoorOptions

    @OptionGroup(title: "Memory")
    var remembering: MemoryOptions

    @OptionGroup(title: "Limits")
    var limiting: LimitOptions

    @Option(help: "How many event loops serve connections. (default: one for each processor)")
    var shards: Int?

    @Option(
        help: ArgumentHelp(
            "The directory that keeps sessions across restarts; made if it is not there.",
            discussion: "Without it sessions live as long as the process.", valueName: "path"))
    var dataDir: String?

    @Option(
        parsing: .upToNextOption,
        help: "Session files to load: the body of PUT …/sessions/{name} plus a `name`.")
    var load: [String] = []

    @Option(help: "How log lines look on standard error: text or json.")
    var logFormat = LogFormat.text

    @Option(help: "Seconds to keep serving, but not ready, after the first SIGTERM or SIGINT.")
    var drainDelay = 0

    @Option(
        help:
            "Seconds over which open streams are ended in turn; requests get 5 more to finish.")
    var drainWindow = 5

    func validate() throws {
        if let shards, !(1...256).contains(shards) {
            throw ValidationError("--shards goes from 1 to 256.")
        }
        if !(0...3_600).contains(drainDelay) || !(0...3_600).contains(drainWindow) {
            throw ValidationError("--drain-delay and --drain-window go from 0 to 3600.")
        }
        try listening.checkReach(hasTokens: access.tokens != nil)
    }

    func run() throws {
        Signals.takeOver()
        let logger = LogFormat.makeLogger(logFormat)
        let shardCount = shards ?? ServerConfiguration.processorCount
        ResidentMemory.configureAllocator()
        var limits = limiting.limits
        remembering.apply(to: &limits)
        var configuration = ServerConfiguration()
        configuration.shards = shardCount
        listening.apply(to: &configuration)
        configuration.wireLimits = limits.wire
        configuration.limits = limits.server
        try DescriptorLimit.apply(to: &configuration, logger)
        let memory = MemoryOptions.makeLedger(limits.service)
        let programBytes = memory.residentBytes
        configuration.memory = memory

        var environment = SessionEnvironment.system
        environment.memory = memory
        let tokens = try access.tokens.map { try Self.read($0, logger) }
        let log: any SessionLog =
            try dataDir.map { try DataStore.open($0, limits: limits.service, logger) }
            ?? MemoryLog()
        let service = TraitService(
            version: Version.current, shards: shardCount, limits: limits.service,
            doors: try access.policy, tokens: tokens, trustsOwnUser: access.unixTrust,
            callers: limits.callers, proxies: try access.proxies, environment: environment, log: log)
        // With a log on disk requests come before the sessions are there, and wait.
        if dataDir == nil { try loadFiles(into: service, logger) } else { service.beginStart() }

        let server = HTTPServer(configuration: configuration, handler: service)
        let reloads = Reloads()
        if let tokens { reloads.add("tokens") { try tokens.reload() } }
        let shutdown = Shutdown(
            server, service, logger, reloads, delaySeconds: drainDelay, windowSeconds: drainWindow)
        service.startSweeping()
        let watch = MemoryWatch(
            memory, programBytes: programBytes,
            MemoryDuties(
                count: { service.countMemory().merging(server.memoryParts) { $0 + $1 } },
                shrink: { service.shrinkWindows() }, endSlowest: { server.endSlowest() }))
        let addresses: [ListenAddress]
        do {
            addresses = try server.start()
        } catch {
            logger.critical("\(error)\(Self.remedy(for: error))")
            throw ExitCode(exitUnavailable)
        }
        let places = addresses.prefix(configuration.addresses.count)
        service.places.set(places.map(Self.place))
        for address in places { Self.announce("serving on", address) }
        for address in addresses.dropFirst(places.count) {
            Self.announce("serving health on", address)
        }
        fflush(nil)
        logger.info(
            "serving",
            metadata: [
                "addresses": "\(addresses.map(\.description).joined(separator: " "))",
                "shards": "\(shardCount)",
                "memoryBytesMax": "\(memory.bytesMax)",
            ])
        if dataDir != nil {
            try DataStore.openSessions(of: service, logger)
            try loadFiles(into: service, logger)
            service.finishStart()
        }
        withExtendedLifetime(watch) { shutdown.waitUntilEnded() }
        // Copies the log into the database, so that the next start is quick.
        (log as? SQLiteLog)?.end()
    }

    private func loadFiles(into service: TraitService, _ logger: Logger) throws {
        for path in load {
            try SessionFile.load(path, into: service, keepsPresent: dataDir != nil, logger)
        }
    }

    /// One line for each address on standard output, for people and for scripts that wait for it.
    private static func announce(_ what: String, _ address: ListenAddress) {
        print("traitd \(Version.current) \(what) \(place(address))")
    }

    /// - Throws: an exit code, after saying what is wrong with the file.
    private static func read(_ path: String, _ logger: Logger) throws -> TokenKeeper {
        do {
            return try TokenKeeper(TokenFile(path: path))
        } catch {
            logger.critical("\(error)")
            throw ExitCode(exitConfiguration)
        }
    }

    /// What to do about a server that does not start, if that is plain.
    private static func remedy(for error: ServerError) -> String {
        guard case .cannotListen(.tcp, errno: EADDRINUSE) = error else { return "" }
        return "; end the process that listens there, or choose another port with --port"
    }

    private static func place(_ address: ListenAddress) -> String {
        address.port == nil ? "\(address)" : "http://\(address)"
    }
}

/// sysexits.h: a service is unavailable.
let exitUnavailable: Int32 = 69
/// sysexits.h: something in the configuration is wrong.
let exitConfiguration: Int32 = 78
