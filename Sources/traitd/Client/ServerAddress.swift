// Where a running server is, as all commands that ask one take it: a URL with an optional path prefix, a socket
// file, or a host and a port.

import ArgumentParser
import HTTPServer

/// An address, and the prefix of all request paths behind a proxy.
struct ServerAddress: CustomStringConvertible {
    var address: ListenAddress
    /// Without a slash at its end; empty for a server without a prefix.
    var prefix = ""

    var description: String {
        address.port == nil ? "\(address)" : prefix.isEmpty ? "\(address)" : "\(address)\(prefix)"
    }

    /// The field `Host`. An IPv6 address stands in brackets (RFC 3986 section 3.2.2).
    var authority: String { address.port == nil ? "localhost" : "\(address)" }

    private static let urlPort: UInt16 = 80

    /// Reads `http://host:port/prefix`, `host:port`, `unix:/path` and `/path`.
    init(parsing text: String) throws {
        if text.hasPrefix("unix:") || text.hasPrefix("/") {
            address = .unix(path: String(text.hasPrefix("/") ? text[...] : text.dropFirst(5)))
            return
        }
        guard !text.lowercased().hasPrefix("https://") else {
            throw ValidationError(
                "traitd itself speaks http; for https give the address behind the proxy.")
        }
        let isURL = text.lowercased().hasPrefix("http://")
        let rest = isURL ? text.dropFirst(7) : text[...]
        let authority = rest.prefix { $0 != "/" }
        guard !authority.contains("@") else {
            throw ValidationError("traitd knows no users; give a token with --token-file PATH.")
        }
        do throws(ListenAddressFault) {
            address = try ListenAddress(
                parsing: String(authority),
                defaultPort: isURL ? Self.urlPort : ListenOptions.portDefault)
        } catch {
            throw ValidationError("\(error).")
        }
        var path = rest[authority.endIndex...]
        while path.hasSuffix("/") { path.removeLast() }
        let isPath = path.utf8.allSatisfy {
            (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        guard isPath else {
            throw ValidationError(
                "a prefix is a path without query, as http://127.0.0.1:80/traits.")
        }
        prefix = String(path)
    }

    init(_ address: ListenAddress) { self.address = address }
}

/// The options that say where the server is.
struct ServerAddressOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server, as http://host:port, http://host/prefix behind a proxy, or unix:/path.",
            valueName: "url"),
        transform: ServerAddress.init(parsing:))
    var server: ServerAddress?

    @Option(
        help: "The address the server listens on. (default: \(ListenOptions.hostDefault))",
        transform: ListenOptions.host)
    var host: String?

    @Option(
        help: "The port it listens on. (default: \(ListenOptions.portDefault))",
        transform: ListenOptions.port)
    var port: UInt16?

    @Option(
        help: ArgumentHelp("The socket file it listens on, instead.", valueName: "path"),
        completion: .file())
    var unix: String?

    func validate() throws {
        let hasPlace = host != nil || port != nil
        if (server != nil && (unix != nil || hasPlace)) || (unix != nil && hasPlace) {
            throw ValidationError("Give one of --server, --unix, and --host with --port.")
        }
    }

    /// The address that the options name; nil when none of them is given.
    var given: ServerAddress? {
        if let server { return server }
        if let unix { return ServerAddress(.unix(path: unix)) }
        if host == nil, port == nil { return nil }
        return ServerAddress(
            .tcp(host: host ?? ListenOptions.hostDefault, port: port ?? ListenOptions.portDefault))
    }
}
