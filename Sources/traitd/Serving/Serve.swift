// `traitd serve`: the options and the wiring.

import ArgumentParser
import Background
import Dispatch
import Glibc
import HTTPServer
import HTTPWire
import Ledger
import Logging
import SQLiteLog
import SessionLog
import SessionViews
import TraitService
import TraitSessions

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the HTTP interface until SIGTERM or SIGINT.",
        discussion: """
            Exit status: 0 after SIGTERM or SIGINT; 64 when an option or a variable is wrong; 65 when a \
            document of --load is refused, or the data directory or the log is damaged or of another release; \
            66 when a file of --load cannot be read; 69 when an address cannot be listened on, or too few \
            files may be open; 71 when the system refuses threads or memory; 73 when the data directory, the \
            log or a log file cannot be used; 78 when the file of --config or of --tokens is wrong or cannot be \
            read.
            """)

    @OptionGroup(title: "Listening")
    var listening: ListenOptions

    @OptionGroup(title: "Access")
    var access: AccessOptions

    @OptionGroup(title: "Memory")
    var remembering: MemoryOptions

    @OptionGroup(title: "Limits")
    var limiting: LimitOptions

    @Option(
        help: ArgumentHelp(
            "A JSON file of settings, which options and variables win over.", valueName: "path"),
        completion: .file())
    var config: String?

    @Flag(help: "Show each setting with its value and where that comes from, and end.")
    var printConfig = false

    @Flag(
        help:
            "Check the settings and the files that they name, show each with where it comes from, and end."
    )
    var checkConfig = false

    @Option(
        help: "How many event loops serve connections. (default: one for each processor)",
        transform: WholeNumber.checked)
    var shards: Int?

    @Option(
        help: ArgumentHelp(
            "The directory that keeps sessions across restarts; made if it is not there.",
            discussion: "Without it sessions live as long as the process.", valueName: "path"),
        completion: .directory)
    var dataDir: String?

    @Flag(
        help:
            "Serve a data directory without its file 'acknowledged', which may lack commits and sessions."
    )
    var acceptUnproved = false

    @OptionGroup(title: "A log that servers share")
    var sharing: SharedLogOptions

    @OptionGroup(title: "Serving a log that servers share")
    var replica: ReplicaOptions

    @Option(
        parsing: .upToNextOption,
        help: "Documents of sessions to load: files, also of gzip, pipes, or - for standard input.",
        completion: .file())
    var load: [String] = []

    @OptionGroup(title: "Logs")
    var logging: LogOptions

    @OptionGroup var progress: ProgressOptions

    @Option(
        help:
            "Seconds to keep serving, but not ready, after the first SIGTERM or SIGINT. (default: 0)",
        transform: WholeNumber.checked)
    var drainDelay = 0

    @Option(
        help:
            "Seconds over which open streams are ended in turn; requests get 5 more to finish. (default: 5)",
        transform: WholeNumber.checked)
    var drainWindow = 5

    func validate() throws {
        if let shards, !(1...256).contains(shards) {
            throw ValidationError("--shards goes from 1 to 256.")
        }
        if !(0...3_600).contains(drainDelay) || !(0...3_600).contains(drainWindow) {
            throw ValidationError("--drain-delay and --drain-window go from 0 to 3600.")
        }
        if dataDir != nil, sharing.log != nil {
            throw ValidationError(
                "--data-dir keeps sessions on this machine's disk, and --log in etcd: give one of them."
            )
        }
        if acceptUnproved, dataDir == nil {
            throw ValidationError("--accept-unproved goes with --data-dir.")
        }
        if sharing.log == nil, let given = SettingTable.firstGiven(of: replica) {
            throw ValidationError("--\(given) goes with --log.")
        }
        try listening.checkReach(hasTokens: access.tokens != nil)
    }

    func run() throws {
        if printConfig { return try showSettings() }
        let shardCount = shards ?? ServerConfiguration.processorCount
        try ThreadLimit.check(shards: shardCount, LogFormat.makeLogger(logging.logFormat))
        Signals.takeOver()
        let logFile = try Self.ending { () throws(Fault) in try logging.makeLogFile() }
        let logger = logging.logFormat.logger(to: logFile)
        let reloads = Reloads()
        reloads.add("log file") { try logFile.reopen() }
        ResidentMemory.configureAllocator(
            mappingFrom: LargeBlock.bytesMin, addressesMax: ProcessSpace.space.bytesMax)
        var limits = limiting.limits
        remembering.apply(to: &limits)
        var configuration = ServerConfiguration()
        configuration.shards = shardCount
        listening.apply(to: &configuration)
        configuration.wireLimits = limits.wire
        configuration.limits = limits.server
        try DescriptorLimit.apply(to: &configuration, logger)
        let variables = Configuration.processEnvironment()
        let notifier = ServiceNotifier(environment: variables)
        let shutdown = Shutdown(
            logger, reloads, notifier, delaySeconds: drainDelay, windowSeconds: drainWindow)
        let memory = MemoryOptions.makeLedger(limits.service)
        let programBytes = memory.residentBytes
        configuration.memory = memory
        limits.server = configuration.limits
        let lines = try Self.ending { () throws(Fault) in
            try logging.makeAccessLog(shards: shardCount, limits: limits.service)
        }
        if let file = lines?.file { reloads.add("access log file") { try file.reopen() } }

        var environment = SessionEnvironment.system
        environment.memory = memory
        let tokens = try access.tokens.map { try Self.read($0, logger) }
        let disk = try dataDir.map {
            try DataStore.open(
                $0, minFreeDisk: limits.service.minFreeDisk,
                unproved: acceptUnproved ? .accepted : .refused, logger)
        }
        let shared = try sharing.settings().map {
            try SharedLog.open($0, replica: replica.replicaId, logger)
        }
        let log: (any SessionLog)? = if let disk { disk } else { shared }
        let service = TraitService(
            version: Version.current, shards: shardCount, limits: limits.service,
            access: try access.policy, tokens: tokens, trustsOwnUser: access.unixTrust,
            proxies: try access.proxies, publicPath: access.publicPath ?? "",
            inspector: access.ui, environment: environment, log: log,
            readsLocally: replica.readConsistency == .local,
            readyWithoutLog: replica.readyWithoutLog, refusing: replica.refusals,
            accessLog: lines?.log)
        service.store.events.note { logger.info("Session: \($0)") }
        // With a log requests come before the sessions are there, and wait.
        if log == nil { try loadFiles(into: service, logger) } else { service.store.beginStart() }

        let server = HTTPServer(configuration: configuration, handler: service)
        if let tokens { reloads.add("tokens") { try tokens.reload() } }
        service.observability.describe(limits: limits, settings: settings) { [weak server] in
            server?.statistics ?? ServerStatistics()
        }
        shutdown.begin(
            with: Shutdown.Parts(
                server: server, service: service, accessLog: lines?.log))
        service.startSweeping()
        let watch = MemoryWatch(
            memory, programBytes: programBytes,
            MemoryDuties(
                count: { service.store.countMemory().merging(server.memoryParts) { $0 + $1 } },
                shrink: { service.shrinkWindows() }, endSlowest: { server.endSlowest() }))
        let addresses: [ListenAddress]
        do {
            // Without a log it answers from now on.
            addresses =
                log == nil ? try shutdown.finishStart(server.start) : try server.start()
        } catch {
            logger.critical("\(error)\(Self.remedy(for: error))")
            throw ExitCode(Exit.unavailable)
        }
        let places = addresses.prefix(configuration.openCount)
        service.places.set(places.map(Self.place))
        for address in places { Self.announce("serving on", address, logger) }
        for address in addresses.dropFirst(places.count) {
            Self.announce("serving health on", address, logger)
        }
        logger.info(
            "serving",
            metadata: [
                "addresses": "\(addresses.map(\.description).joined(separator: " "))",
                "shards": .stringConvertible(shardCount),
                "memoryBytesMax": .stringConvertible(memory.bytesMax),
            ])
        if log != nil {
            if disk != nil {
                try DataStore.openSessions(of: service, progress, logger)
            } else {
                try SharedLog.follow(with: service, progress, logger)
            }
            try loadFiles(into: service, logger)
            shutdown.finishStart(service.store.finishStart)
        }
        let watchdog = Watchdog(server, notifier, environment: variables)
        let storageWatch = log.map {
            StorageWatch($0, service, logger) { shutdown.end(with: Exit.badData) }
        }
        let code = withExtendedLifetime((watch, watchdog, storageWatch)) {
            shutdown.waitUntilEnded(
                "serving on \(places.map(Self.place).joined(separator: ", "))")
        }
        // Copies the log into the database, so that the next start is quick.
        disk?.end()
        shared?.close()
        lines?.log.flush()
        if code != 0 { throw ExitCode(code) }
    }

    private func loadFiles(into service: TraitService, _ logger: Logger) throws {
        for path in load {
            try SessionFile.load(
                path, into: service, keepsPresent: dataDir != nil || sharing.log != nil, progress,
                logger)
        }
    }

    /// One line for each address on standard output, for people and for scripts that wait for it.
    private static func announce(_ what: String, _ address: ListenAddress, _ logger: Logger) {
        do throws(Fault) {
            try printLine("traitd \(Version.current) \(what) \(place(address))")
        } catch {
            // Clients need the server, and the log has the address.
            logger.error("\(error)")
        }
    }

    /// - Throws: an exit code, after saying what is wrong with the file.
    private static func read(_ path: String, _ logger: Logger) throws -> TokenKeeper {
        do {
            return try TokenKeeper(TokenFile(path: path))
        } catch {
            logger.critical("\(error)")
            throw ExitCode(Exit.configuration)
        }
    }

    /// Each setting, for those that show them.
    private var settings: [Observability.Setting] {
        let options = Configuration.settingNames(in: (try? ProcessArguments.read()) ?? [])
        return Configuration.current.withLock { $0.shown(self, options: options) }
    }

    /// The values in effect of settings without a value of their own.
    var effectiveDefaults: [String: String] {
        var defaults: [String: String] = [:]
        if listening.addresses.contains(where: { $0.port != nil }), listening.listen.isEmpty {
            if listening.host == nil { defaults["host"] = ListenOptions.hostDefault }
            if listening.port == nil { defaults["port"] = "\(ListenOptions.portDefault)" }
        }
        if shards == nil { defaults["shards"] = "\(ServerConfiguration.processorCount)" }
        defaults["unix-mode"] = String(listening.unixMode, radix: 8)
        return defaults
    }

    /// A line for each setting: its name, its value, and where that comes from.
    func showSettings() throws(Fault) {
        let settings = settings
        let names = settings.map(\.name.count).max() ?? 0
        let values = settings.map(\.value.count).filter { $0 <= 40 }.max() ?? 0
        for setting in settings {
            let shown = setting.value.isEmpty ? "-" : setting.value
            try printLine(
                "\(Self.pad(setting.name, names))  \(Self.pad(shown, values))  \(setting.source)")
        }
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Ends with an exit code, after saying what is wrong, while there is no log to say it in.
    private static func ending<Value>(_ body: () throws(Fault) -> Value) throws -> Value {
        do throws(Fault) {
            return try body()
        } catch {
            LogFormat.makeLogger(.text).critical("\(error)")
            throw ExitCode(error.code)
        }
    }

    /// Advice on a server that does not start; empty unless the cause is clear.
    private static func remedy(for error: ServerError) -> String {
        guard case .cannotListen(.tcp, errno: EADDRINUSE) = error else { return "" }
        return "; end the process that listens there, or choose another port with --port"
    }

    private static func place(_ address: ListenAddress) -> String {
        address.port == nil ? "\(address)" : "http://\(address)"
    }
}
