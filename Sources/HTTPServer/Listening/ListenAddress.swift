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

    /// Whether the address is reachable only from this machine, as far as the address itself shows. A name
    /// that begins like a loopback address may name any machine.
    package var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp(let host, _):
            host.lowercased() == "localhost" || ClientAddress(text: host)?.isLoopback ?? false
        }
    }
}

/// Why a text is no address. Reads as a sentence without a subject: "it needs …".
package struct ListenAddressFault: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

extension ListenAddress {
    /// Reads `host:port` and `[address]:port`. An address in the form of IPv6 needs its brackets, since its
    /// own colons say nothing about where the port begins.
    ///
    /// - Parameter defaultPort: the port of a host without one; nil when a port is needed.
    package init(
        parsing text: String, defaultPort: UInt16? = nil
    ) throws(ListenAddressFault) {
        let needed = "it needs an address and a port, as 127.0.0.1:8080 or [::1]:8080"
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") else {
            guard let defaultPort, !text.isEmpty else { throw ListenAddressFault(needed) }
            self = .tcp(host: try Self.host(text), port: defaultPort)
            return
        }
        let host = text[..<colon]
        if host.isEmpty || (host.contains(":") && !host.hasPrefix("[")) {
            throw ListenAddressFault(needed)
        }
        self = .tcp(
            host: try Self.host(String(host)),
            port: try Self.port(String(text[text.index(after: colon)...])))
    }

    /// A host name, or an address without its brackets: `[::1]` is `::1`.
    package static func host(_ text: String) throws(ListenAddressFault) -> String {
        var host = text[...]
        if host.hasPrefix("["), host.hasSuffix("]"), host.count > 2 {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else {
                throw ListenAddressFault("brackets are for IPv6 addresses, as [::1]")
            }
        }
        if host.contains(":"), !isIPv6(host) {
            throw ListenAddressFault(
                "it needs a name or an address without a port, as localhost, 127.0.0.1 or ::1")
        }
        let isPlain = host.utf8.allSatisfy {
            (0x21...0x7e).contains($0) && !"[]/@,".utf8.contains($0)
        }
        guard !host.isEmpty, isPlain else {
            throw ListenAddressFault(
                "it needs a name or an address, as localhost, 127.0.0.1 or ::1")
        }
        return String(host)
    }

    /// An interface may follow a link-local address: `fe80::1%eth0` (RFC 4007 section 11).
    private static func isIPv6(_ text: Substring) -> Bool {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        let hasZone = parts.count == 1 || !(parts.last?.isEmpty ?? true)
        return hasZone
            && ClientAddress(text: String(parts[0])).map { !$0.isIPv4 || text.contains(":") }
                ?? false
    }

    /// Digits only: `UInt16` itself would take a sign.
    package static func port(_ text: String) throws(ListenAddressFault) -> UInt16 {
        guard (1...5).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(text)
        else { throw ListenAddressFault("a port is a number from 0 to 65535") }
        return port
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
