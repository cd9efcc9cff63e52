// The cases of request heads: one line each, with a name, the bytes and what comes of them.

import Testing

@testable import HTTPWire

struct HeadCase: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let outcome: String
    var limits = WireLimits()

    var testDescription: String { name }

    init(_ name: String, _ request: String, _ outcome: String) {
        self.init(name, Array(request.utf8), outcome)
    }

    init(_ name: String, _ bytes: [UInt8], _ outcome: String) {
        self.name = name
        self.bytes = bytes
        self.outcome = outcome
    }

    /// A GET with `Host: h` and these further field lines.
    static func fields(_ name: String, _ lines: String, _ outcome: String) -> HeadCase {
        HeadCase(name, "GET / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n\r\n", outcome)
    }

    /// A POST with `Host: h` and these further field lines.
    static func post(_ name: String, _ lines: String, _ outcome: String) -> HeadCase {
        HeadCase(name, "POST / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n\r\n", outcome)
    }

    /// A request line followed by `Host: h`.
    static func line(_ name: String, _ line: String, _ outcome: String) -> HeadCase {
        HeadCase(name, "\(line)\r\nHost: h\r\n\r\n", outcome)
    }

    /// A request with this as its only field line.
    static func host(_ name: String, _ line: String, _ outcome: String) -> HeadCase {
        HeadCase(name, "GET / HTTP/1.1\r\n\(line)\r\n\r\n", outcome)
    }
}
