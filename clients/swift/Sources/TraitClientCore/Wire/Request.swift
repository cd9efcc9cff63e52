// A request, made of parts. Its target is a path of the client's server and can name no other one.

package struct Request: Sendable, Hashable {
    package let origin: Origin
    package let method: String
    /// The path and the query, encoded.
    package let target: String
    package let body: [UInt8]?
    private var fields: [Field] = []

    private struct Field: Sendable, Hashable {
        let name: String
        let value: String
    }

    package init(_ origin: Origin, method: String, target: String, body: [UInt8]?) {
        (self.origin, self.method, self.target, self.body) = (origin, method, target, body)
    }

    /// - Parameter value: has no control characters, which the caller has checked.
    package mutating func set(_ name: String, _ value: String) {
        fields.removeAll { $0.name == name }
        fields.append(Field(name: name, value: value))
    }

    /// The fields by their names.
    package var named: [(name: String, value: String)] { fields.map { ($0.name, $0.value) } }

    /// The request as it goes over a connection of HTTP/1.1.
    package var bytes: [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(origin.field)\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        let hasLength = body != nil || !["GET", "HEAD", "OPTIONS"].contains(method)
        if hasLength { text += "Content-Length: \(body?.count ?? 0)\r\n" }
        return Array((text + "\r\n").utf8) + (body ?? [])
    }
}

/// Where a server is.
package struct Origin: Sendable, Hashable {
    package let isSecure: Bool
    /// A name, or an address without brackets.
    package let host: String
    package let port: Int

    package init(isSecure: Bool, host: String, port: Int) {
        (self.isSecure, self.host, self.port) = (isSecure, host, port)
    }

    /// The field Host: IPv6 addresses in brackets and without their zone, the port unless it is that of the scheme.
    package var field: String {
        let name = host.contains(":") ? "[\(host.prefix { $0 != "%" })]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }
}

extension String {
    /// Why the text is no path with its query, from a slash on, or nil. The empty text is one, too.
    ///
    /// A proxy takes `..` out of a path together with the segment before, so a name that is `.`, `..` or empty would
    /// address something else.
    package var pathFault: String? {
        var escaped = utf8.drop { $0 != 0x25 }
        while !escaped.isEmpty {
            guard escaped.dropFirst().prefix(2).count(where: \.isHexDigit) == 2 else {
                return "% in a path stands before two hexadecimal digits; write % itself as %25."
            }
            escaped = escaped.dropFirst(3).drop { $0 != 0x25 }
        }
        if utf8.contains(where: { $0 < 0x20 || $0 == 0x23 || $0 == 0x5C }) {
            return "A path has no control characters, # or \\; write them as %23 and %5C."
        }
        let path = utf8.prefix { $0 != 0x3F }
        if path.isEmpty { return nil }
        guard path.first == 0x2F else { return "A path begins with a slash." }
        for segment in path.split(separator: 0x2F, omittingEmptySubsequences: false).dropFirst() {
            let name = String(decoding: segment, as: UTF8.self).lowercased()
            if !name.replacing("%2e", with: ".").isSegment {
                return "A name in a path is neither empty nor . nor .. by itself."
            }
        }
        return nil
    }

    /// Whether the text can be a name in a path.
    package var isSegment: Bool { !["", ".", ".."].contains(self) }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
