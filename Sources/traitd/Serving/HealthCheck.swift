// `traitd healthcheck`: one request to `/livez`, for containers that have no other client.

import ArgumentParser
import Glibc
import HTTPServer

struct HealthCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck",
        abstract: "Ask a running server whether it is alive; exit status 0 when it is.")

    @OptionGroup var place: ServerAddressOptions

    @Option(
        help: ArgumentHelp(
            "The file of settings that the server reads. Without host, port and socket file they come "
                + "from there and from the environment.", valueName: "path"), completion: .file())
    var config: String?

    @Option(help: "How long to wait, in seconds. (default: 2)", transform: WholeNumber.checked)
    var timeoutSeconds = 2

    func validate() throws {
        if !(1...600).contains(timeoutSeconds) {
            throw ValidationError("--timeout-seconds goes from 1 to 600.")
        }
    }

    func run() throws {
        let place = try target()
        guard let answer = ask(place) else {
            throw Self.failure("traitd does not answer on \(place)")
        }
        guard answer.hasPrefix("HTTP/1.1 200 ") else {
            throw Self.failure(
                "traitd on \(place) answered \(answer.prefix { $0 != "\r" })")
        }
        try printLine("alive")
    }

    private static func failure(_ text: String) -> Fault {
        Fault(text, code: ExitCode.failure.rawValue, label: "")
    }

    /// Where to ask: as the options say, else as the server's settings do.
    private func target() throws -> ServerAddress {
        if let server = place.server { return server }
        if let unix = place.unix { return ServerAddress(.unix(path: unix)) }
        let given = Configuration.current.withLock { $0.given }
        if place.host == nil, place.port == nil, let first = Self.addresses(given).first {
            return ServerAddress(try Self.reachable(first))
        }
        let host = given["host"]?.values.first.flatMap { try? ListenAddress.host($0) }
        let port = given["port"]?.values.first.flatMap { try? ListenAddress.port($0) }
        return ServerAddress(
            try Self.reachable(
                .tcp(
                    host: place.host ?? host ?? ListenOptions.hostDefault,
                    port: place.port ?? port ?? ListenOptions.portDefault)))
    }

    /// The addresses of the settings: those for health first, since they answer independently of
    /// the others, then socket files.
    private static func addresses(_ given: [String: Configuration.Given]) -> [ListenAddress] {
        func values(_ name: String) -> [String] { given[name]?.values ?? [] }
        let health = values("health-listen").compactMap { try? ListenAddress(parsing: $0) }
        let files = values("unix").map { ListenAddress.unix(path: $0) }
        let others = values("listen").compactMap { try? ListenAddress(parsing: $0) }
        let hasFirst = given["host"] != nil || given["port"] != nil
        return health + files + (hasFirst ? [] : others)
    }

    /// The loopback address in place of an address of all interfaces.
    private static func reachable(_ address: ListenAddress) throws -> ListenAddress {
        guard case .tcp(let host, let port) = address else { return address }
        if port == 0 {
            throw failure("the settings let the system choose the port; give --port")
        }
        switch host {
        case "0.0.0.0": return .tcp(host: "127.0.0.1", port: port)
        // The system may have the loopback address of one family alone.
        case "::":
            let address = ListenAddress.tcp(host: "::1", port: port)
            guard let descriptor = Dialing.connect(address, timeoutSeconds: 1) else {
                return .tcp(host: "127.0.0.1", port: port)
            }
            close(descriptor)
            return address
        default: return address
        }
    }

    /// The beginning of the answer; nil when there is none in time.
    private func ask(_ server: ServerAddress) -> String? {
        guard
            let descriptor = Dialing.connect(server.address, timeoutSeconds: timeoutSeconds)
        else { return nil }
        defer { close(descriptor) }
        // Every server answers to `localhost`, on each of its addresses.
        let host = place.server == nil ? "localhost" : server.authority
        let request =
            "GET \(server.prefix)/livez HTTP/1.1\r\nHost: \(host)\r\n"
            + "Connection: close\r\n\r\n"
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
}
