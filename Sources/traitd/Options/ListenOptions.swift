// The addresses on which the server listens, and the permissions of socket files.

import ArgumentParser
import HTTPServer

struct ListenOptions: ParsableArguments {
    static let hostDefault = "127.0.0.1"
    static let portDefault: UInt16 = 8080

    @Option(
        help: ArgumentHelp(
            "The address to listen on. (default: \(Self.hostDefault))",
            discussion: "Only loopback, unless --tokens or --allow-anonymous is given."),
        transform: Self.host)
    var host: String?

    @Option(
        help: "The port to listen on; 0 takes a free one and prints it. (default: \(portDefault))",
        transform: Self.port)
    var port: UInt16?

    @Option(
        help: ArgumentHelp(
            "One more address to listen on, as 0.0.0.0:8080 or [::1]:8080. May be repeated.",
            discussion:
                "With --listen or --unix, nothing else is listened on unless --host or --port "
                + "is given too.",
            valueName: "host:port"),
        transform: Self.address)
    var listen: [ListenAddress] = []

    @Option(
        help: ArgumentHelp("A socket file to listen on. May be repeated.", valueName: "path"),
        completion: .file())
    var unix: [String] = []

    @Option(
        help: ArgumentHelp(
            "An address that answers only /livez and /readyz, even when all other connections are "
                + "in use. May be repeated, and need not be loopback.",
            valueName: "host:port"),
        transform: Self.address)
    var healthListen: [ListenAddress] = []

    @Option(
        help: ArgumentHelp(
            "The permissions of socket files, in octal digits. (default: 600)", valueName: "mode"),
        transform: Self.mode)
    var unixMode: UInt32 = 0o600

    @Option(
        help: ArgumentHelp(
            "Connections of each address that wait in the kernel to be accepted. (default: 1024)",
            valueName: "n"), transform: WholeNumber.checked)
    var backlog = 1_024

    @Flag(help: "Listen beyond loopback without authentication.")
    var allowAnonymous = false

    func validate() throws {
        if !(1...65_535).contains(backlog) {
            throw ValidationError("--backlog goes from 1 to 65535.")
        }
        if let path = unix.first(where: { !(1...107).contains($0.utf8.count) }) {
            throw ValidationError("--unix takes a path of 1 to 107 bytes; '\(path)' is none.")
        }
    }

    /// - Throws: when other machines could reach the server and neither `--tokens` nor
    ///   `--allow-anonymous` was given.
    func checkReach(hasTokens: Bool) throws {
        if hasTokens, allowAnonymous {
            throw ValidationError(
                "--allow-anonymous and --tokens contradict each other; leave one of them out.")
        }
        let open = addresses + passed.filter { !$0.isForHealth }.compactMap(\.address)
        if !hasTokens, !allowAnonymous, let open = open.first(where: { !$0.isLocal }) {
            throw ValidationError(
                "Without authentication traitd listens on loopback only. Give it --tokens, or add "
                    + "--allow-anonymous to listen on \(open), where every client can "
                    + "read and write.")
        }
    }

    /// Sockets that the service manager has passed to the process.
    private var passed: [InheritedSocket] {
        PassedSockets.find(Configuration.processEnvironment())
    }

    /// All addresses that are to be opened, in the order in which they are logged.
    var addresses: [ListenAddress] {
        let others = listen + unix.map { ListenAddress.unix(path: $0) }
        let isElsewhere = !others.isEmpty || !passed.isEmpty
        guard !isElsewhere || host != nil || port != nil else { return others }
        let first = ListenAddress.tcp(
            host: host ?? Self.hostDefault, port: port ?? Self.portDefault)
        return [first] + others
    }

    func apply(to configuration: inout ServerConfiguration) {
        configuration.addresses = addresses
        configuration.inherited = passed
        configuration.healthAddresses = healthListen
        configuration.socketFileMode = unixMode
        configuration.backlog = Int32(clamping: backlog)
    }

    private static func address(_ text: String) throws -> ListenAddress {
        try reading { () throws(ListenAddressFault) in try ListenAddress(parsing: text) }
    }

    /// A host of an option: an IPv6 address may stand in brackets.
    static func host(_ text: String) throws -> String {
        try reading { () throws(ListenAddressFault) in try ListenAddress.host(text) }
    }

    static func port(_ text: String) throws -> UInt16 {
        try reading { () throws(ListenAddressFault) in try ListenAddress.port(text) }
    }

    private static func reading<Value>(
        _ body: () throws(ListenAddressFault) -> Value
    ) throws -> Value {
        do throws(ListenAddressFault) {
            return try body()
        } catch {
            throw ValidationError("\(error).")
        }
    }

    private static func mode(_ text: String) throws -> UInt32 {
        guard let mode = UInt32(text, radix: 8), mode <= 0o777, text.first?.isNumber == true else {
            throw ValidationError("it needs three octal digits, as 660.")
        }
        return mode
    }
}
