// `traitd healthcheck`: one request to `/livez`, for containers that have no other client.

import ArgumentParser
import Glibc
import HTTPServer

struct HealthCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Ask a running server whether it is alive; exit status 0 when it is.")

    @Option(help: "The address it listens on.")
    var host: String?

    @Option(help: "The port it listens on.")
    var port: UInt16?

    @Option(help: ArgumentHelp("The socket file it listens on, instead.", valueName: "path"))
    var unix: String?

    @Option(
        help: ArgumentHelp(
            "The file of settings that the server reads. Without host, port and socket file they come "
                + "from there and from the environment.", valueName: "path"))
    var config: String?

    @Option(help: "How long to wait, in seconds.")
    var timeoutSeconds = 2

    func validate() throws {
        if !(1...600).contains(timeoutSeconds) {
            throw ValidationError("--timeout-seconds goes from 1 to 600.")
        }
    }

    func run() throws {
        let address = try target()
        let place = "\(address)"
        guard let answer = ask(address) else {
            throw Self.failure("traitd does not answer on \(place)")
        }
        guard answer.hasPrefix("HTTP/1.1 200 ") else {
            throw Self.failure(
                "traitd on \(place) answered \(answer.prefix { $0 != "\r" })")
        }
        print("alive")
    }

    private static func failure(_ text: String) -> ExitCode {
        let line = text + "\n"
        _ = write(STDERR_FILENO, line, line.utf8.count)
        return .failure
    }

    /// Where to ask: as the options say, else as the server's settings do.
    private func target() throws -> ListenAddress {
        if let unix { return .unix(path: unix) }
        let given = Configuration.current.withLock { $0.given }
        let known = Self.addresses(given)
        if host == nil, port == nil, let first = known.first { return try Self.reachable(first) }
        let configured = given["port"]?.values.first.flatMap { UInt16($0) }
        return try Self.reachable(
            .tcp(
                host: host ?? given["host"]?.values.first ?? ListenOptions.hostDefault,
                port: port ?? configured ?? ListenOptions.portDefault))
    }

    /// The addresses of the settings: those for health first, since they answer whatever happens to the
    /// others, then socket files.
    private static func addresses(_ given: [String: Configuration.Given]) -> [ListenAddress] {
        func values(_ name: String) -> [String] { given[name]?.values ?? [] }
        let health = values("health-listen").compactMap { ListenAddress(text: $0) }
        let files = values("unix").map { ListenAddress.unix(path: $0) }
        let others = values("listen").compactMap { ListenAddress(text: $0) }
        let hasFirst = given["host"] != nil || given["port"] != nil
        return health + files + (hasFirst ? [] : others)
    }

    /// An address of all interfaces is asked for on loopback.
    private static func reachable(_ address: ListenAddress) throws -> ListenAddress {
        guard case .tcp(let host, let port) = address else { return address }
        if port == 0 {
            throw failure("the settings let the system choose the port; give --port")
        }
        switch host {
        case "0.0.0.0": return .tcp(host: "127.0.0.1", port: port)
        case "::": return .tcp(host: "::1", port: port)
        default: return address
        }
    }

    /// The beginning of the answer; nil when there is none in time.
    private func ask(_ address: ListenAddress) -> String? {
        let opened: Int32? =
            switch address {
            case .unix(let path): open(file: path)
            case .tcp(let host, let port): openPort(host, port)
            }
        guard let descriptor = opened else { return nil }
        defer { close(descriptor) }
        let request = "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        guard send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
            return nil
        }
        var buffer = [UInt8](repeating: 0, count: 512)
        var count = 0
        repeat {
            count = recv(descriptor, &buffer, buffer.count, 0)
        } while count < 0 && errno == EINTR
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }

    private func open(file: String) -> Int32? {
        guard let address = UnixAddress(file) else { return nil }
        return open(AF_UNIX) { address.connect($0) }
    }

    private func openPort(_ host: String, _ port: UInt16) -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let info = found?.pointee else {
            return nil
        }
        defer { freeaddrinfo(found) }
        return open(info.ai_family) { connect($0, info.ai_addr, info.ai_addrlen) == 0 }
    }

    /// A connected socket, on which nothing takes longer than it may.
    private func open(_ family: Int32, _ connect: (Int32) -> Bool) -> Int32? {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        if connect(descriptor) { return descriptor }
        close(descriptor)
        return nil
    }
}
