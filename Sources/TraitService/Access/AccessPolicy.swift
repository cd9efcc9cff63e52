// Which hosts this server answers to and which web pages may use it. A browser lets any page send
// requests to any address that it reaches, this machine's loopback included; these rules keep such
// requests out, and leave programs that are no browsers alone.

import HTTPServer

/// Why a host or an origin cannot be allowed.
package struct AccessPolicyError: Error, CustomStringConvertible {
    package let description: String
}

/// Immutable; shared by all shards.
package struct AccessPolicy: Sendable {
    /// Hosts beside those of the addresses listened on, in small letters.
    let hosts: [String]
    /// Whether a page of any origin may read and write: `--allow-origin '*'`.
    let allowsAnyOrigin: Bool
    /// Origins as browsers write them.
    private let origins: [[UInt8]]
    /// For each origin the header lines of an answer to it; the last one is for all others.
    private let lines: [[UInt8]]

    /// Whether pages of any other origin are allowed. Only then do answers have fields for origins.
    let sharesWithOrigins: Bool

    /// The fields of an answer that a page may read, beside those that CORS always exposes.
    static let exposedFields =
        "ETag, Idempotency-Replayed, Link, Location, Retry-After, "
        + "Traitd-Request-Id, Traitd-Revision, WWW-Authenticate"

    /// - Throws: for a host with a port or a path, or an origin that no browser would send.
    package init(hosts: [String] = [], origins: [String] = []) throws(AccessPolicyError) {
        self.hosts = try hosts.map { host throws(AccessPolicyError) in try Self.checked(host: host)
        }
        allowsAnyOrigin = origins.contains("*")
        if allowsAnyOrigin, origins.count > 1 {
            throw AccessPolicyError(
                description: "The origin '*' allows every other one too; leave those out.")
        }
        let named = try origins.filter { $0 != "*" }.map { origin throws(AccessPolicyError) in
            try Self.checked(origin: origin)
        }
        self.origins = named.map { Array($0.utf8) }
        sharesWithOrigins = !origins.isEmpty
        let expose = "Access-Control-Expose-Headers: \(Self.exposedFields)\r\n"
        if allowsAnyOrigin {
            lines = [Array("Access-Control-Allow-Origin: *\r\n\(expose)".utf8)]
        } else {
            let shared = named.map { "Access-Control-Allow-Origin: \($0)\r\n\(expose)" } + [""]
            lines = shared.map { Array("\($0)Vary: Origin\r\n".utf8) }
        }
    }

    /// No further host, no origin.
    package static let closed = AccessPolicy()

    private init() {
        hosts = []
        allowsAnyOrigin = false
        origins = []
        lines = []
        sharesWithOrigins = false
    }

    private static func checked(host: String) throws(AccessPolicyError) -> String {
        var name = host.lowercased()
        let address = try? ListenAddress.host(name)
        // As in `Host`, where an address of IPv6 stands in brackets.
        let isAddress = address?.contains(":") ?? false
        if let address, isAddress { name = "[\(address)]" }
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy {
                (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x2e
                    || $0 == 0x5f
            }
        guard isName || isAddress, name.utf8.count <= 255 else {
            throw AccessPolicyError(
                description: "'\(host)' is no host; give a name or an address without port, as "
                    + "traitd.example.")
        }
        return name
    }

    /// `scheme://host` or `scheme://host:port`, as browsers write it: no path, small letters.
    private static func checked(origin: String) throws(AccessPolicyError) -> String {
        let parts = origin.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        let isPlain = origin.utf8.allSatisfy {
            (0x21...0x7e).contains($0) && !(0x41...0x5a).contains($0) && $0 != 0x2c && $0 != 0x22
        }
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, isPlain,
            !parts[1].contains("/"), !parts[1].contains("*"), !parts[1].contains("@")
        else {
            throw AccessPolicyError(
                description: "'\(origin)' is no origin; give it as browsers do, without a path and "
                    + "in small letters, as https://app.example or http://localhost:3000.")
        }
        return origin
    }

    // MARK: - Requests

    /// Whether a request to that authority is for this server. O(hosts).
    func answers(to authority: UnsafeRawBufferPointer, on listener: Listener) -> Bool {
        if !listener.isLoopback, hosts.isEmpty { return true }
        return listener.answers(to: authority, or: hosts)
    }

    /// Whether pages of that origin were allowed in. O(origins).
    func allows(_ origin: UnsafeRawBufferPointer) -> Bool {
        allowsAnyOrigin || place(of: origin) != nil
    }

    private func place(of origin: UnsafeRawBufferPointer) -> Int? {
        origins.firstIndex { $0.elementsEqual(origin) }
    }

    /// The header lines for an answer to a page of that origin. Only where `sharesWithOrigins`.
    func lines(for origin: UnsafeRawBufferPointer?) -> [UInt8] {
        if allowsAnyOrigin { return lines[0] }
        return lines[origin.flatMap(place) ?? origins.count]
    }
}
