// The addresses of a server: those of its configuration, and those on which it listens.

/// A TCP address or a socket in the file system.
package enum ListenAddress: Hashable, Sendable {
    /// A host name or numeric address (`0.0.0.0` and `::` mean every interface of their family), and
    /// a port; 0 lets the system choose.
    case tcp(host: String, port: UInt16)
    /// A socket file, which is made at the start and removed at the end. At most 107 bytes.
    case unix(path: String)

    /// The port, if it has one.
    package var port: UInt16? {
        if case .tcp(_, let port) = self { port } else { nil }
    }

    /// Whether the address is reachable only from this machine, as far as the address itself shows.
    package var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _):
            host == "localhost" || host == "::1" || Self.isLoopbackIPv4(host)
        }
    }

    /// `127.` and three more numbers; a name that begins like that may name any machine.
    private static func isLoopbackIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { UInt8($0) != nil && $0.allSatisfy(\.isNumber) }
    }
}

extension ListenAddress {
    /// Reads `host:port` and `[address]:port`; `nil` for anything else. An address in the form of
    /// IPv6 needs its brackets, since its own colons say nothing about where the port begins.
    package init?(text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = Self.port(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]"), host.count > 2 {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.isEmpty || host.contains(":") || host.contains("[") {
            return nil
        }
        self = .tcp(host: String(host), port: port)
    }

    /// Digits only: `UInt16` itself would take a sign.
    private static func port(_ text: Substring) -> UInt16? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return UInt16(text)
    }
}

extension ListenAddress: CustomStringConvertible {
    /// As in a URL, an IPv6 address stands in brackets; a socket file follows `unix:`.
    package var description: String {
        switch self {
        case .tcp(let host, let port):
            host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
