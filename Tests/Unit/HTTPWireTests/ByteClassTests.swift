// Every byte in every place of a head, against the grammar spelled out once more.

import GuardedBytes
import Testing

@testable import HTTPWire

@Suite("Every byte")
struct ByteClassTests {
    private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    /// RFC 9110 section 5.6.2.
    private static let token = Set((letters + "!#$%&'*+-.^_`|~").utf8)
    /// RFC 9110 section 5.5: tabs, spaces, visible characters, and what is not ASCII.
    private static let value = Set([0x09] + Array(0x20...0x7E) + Array(0x80...0xFF) as [UInt8])
    /// Everything visible in ASCII but `#`; browsers send more than RFC 3986 allows.
    private static let target = Set((0x21...0x7E).filter { $0 != 0x23 } as [UInt8])
    /// RFC 3986 section 3.2.2, without escapes.
    private static let host = Set((letters + "-._~!$&'()*+,;=").utf8)

    private static func isAccepted(_ request: [UInt8], _ memory: GuardedBytes) -> Bool {
        var verdicts = Set<Bool>()
        for lengths in [[request.count], Array(0...request.count)] {
            let outcome = HeadOutcome.of(request, lengths: lengths, limits: .init(), memory)
            verdicts.insert(outcome.hasSuffix(" \(request.count)"))
        }
        #expect(verdicts.count == 1, "\(request)")
        return verdicts == [true]
    }

    struct Place: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let before: String
        let after: String
        let allowed: Set<UInt8>
    }

    static let places = [
        Place(
            testDescription: "in a method", before: "A",
            after: "B / HTTP/1.1\r\nHost: h\r\n\r\n", allowed: token),
        Place(
            testDescription: "in a path", before: "GET /a",
            after: "b HTTP/1.1\r\nHost: h\r\n\r\n", allowed: target),
        Place(
            testDescription: "in a query", before: "GET /?a",
            after: "b HTTP/1.1\r\nHost: h\r\n\r\n", allowed: target),
        Place(
            testDescription: "in an unknown name", before: "GET / HTTP/1.1\r\nHost: h\r\nX",
            after: "Y-And-More: z\r\n\r\n", allowed: token.union(":".utf8)),
        Place(
            testDescription: "in a known name", before: "GET / HTTP/1.1\r\nHost: h\r\nAcc",
            after: "pt: z\r\n\r\n", allowed: token.union(":".utf8)),
        Place(
            testDescription: "in a value", before: "GET / HTTP/1.1\r\nHost: h\r\nX: a",
            after: "b\r\n\r\n", allowed: value),
        Place(
            testDescription: "first in a value", before: "GET / HTTP/1.1\r\nHost: h\r\nX:",
            after: "b\r\n\r\n", allowed: value),
        Place(
            testDescription: "last in a value", before: "GET / HTTP/1.1\r\nHost: h\r\nX: a",
            after: "\r\n\r\n", allowed: value),
        Place(
            testDescription: "in a host", before: "GET / HTTP/1.1\r\nHost: a",
            after: "8\r\n\r\n", allowed: host.union(":".utf8)),
        Place(
            testDescription: "in a port", before: "GET / HTTP/1.1\r\nHost: a:8",
            after: "\r\n\r\n", allowed: Set("0123456789 \t".utf8)),
        Place(
            testDescription: "in a length",
            before: "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 8",
            after: "\r\n\r\n", allowed: Set("0123456789 \t".utf8)),
        Place(
            testDescription: "for the minor version", before: "GET / HTTP/1.",
            after: "\r\nHost: h\r\n\r\n", allowed: Set("0123456789".utf8)),
        Place(
            testDescription: "for the CR after the request line", before: "GET / HTTP/1.1",
            after: "\nHost: h\r\n\r\n", allowed: [0x0D]),
        Place(
            testDescription: "for the LF after a field", before: "GET / HTTP/1.1\r\nHost: h\r",
            after: "\r\n", allowed: [0x0A]),
        Place(
            testDescription: "for the LF at the end", before: "GET / HTTP/1.1\r\nHost: h\r\n\r",
            after: "", allowed: [0x0A]),
    ]

    @Test("is accepted where the grammar has it, and nowhere else", arguments: places)
    func place(_ place: Place) {
        let memory = GuardedBytes(capacity: 256)
        for byte in UInt8.min...UInt8.max {
            let request = Array(place.before.utf8) + [byte] + Array(place.after.utf8)
            let isAllowed = place.allowed.contains(byte)
            #expect(
                Self.isAccepted(request, memory) == isAllowed,
                "0x\(String(byte, radix: 16)) \(place.testDescription)")
        }
    }
}
