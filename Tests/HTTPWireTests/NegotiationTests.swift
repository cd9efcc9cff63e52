// What a client says it can read, what is picked from it, and how pieces of targets are decoded.

import Testing

@testable import HTTPWire

@Suite("Content negotiation")
struct NegotiationTests {
    @Test("compresses only where gzip is welcome", arguments: [
        ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate, gzip, br", true),
        ("gzip;q=0", false), ("gzip;q=0.000", false), ("gzip; q=0.001", true),
        ("gzip ; Q=1.0", true), ("gzip;q=1.001", false), ("gzip;q=2", false),
        ("gzip;q=", false), ("gzip;q=x", false), ("gzip;q=0.1234", false), ("gzip;q=-1", false),
        ("*", true), ("*;q=0", false), ("*;q=0, gzip", true), ("gzip;q=0, *", false),
        ("identity", false), ("identity, gzip;q=0.5", false), ("identity;q=0.5, gzip", true),
        ("identity;q=0, gzip;q=0.1", true), ("", false), (",, ,", false), ("gzipp", false),
        ("br", false), ("gzip, gzip;q=0", true), ("gzip;level=1", true), ("\"gzip\"", false),
    ] as [(String, Bool)])
    func gzip(_ value: String, _ expected: Bool) {
        let bytes = Array(value.utf8)
        bytes.withUnsafeBytes { #expect(acceptsGzip($0) == expected) }
        let request = "GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: \(value)\r\n\r\n"
        #expect(RequestHead.withParsed(request) { $0.acceptsGzip(in: $1) } == expected)
    }

    @Test("compresses nothing for a client that does not ask, and reads repeated fields together")
    func gzipLines() {
        let silent = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        #expect(RequestHead.withParsed(silent) { $0.acceptsGzip(in: $1) } == false)
        let repeated =
            "GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: br\r\nA: b\r\naccept-encoding: gzip\r\n\r\n"
        #expect(RequestHead.withParsed(repeated) { $0.acceptsGzip(in: $1) } == true)
    }

    private static let offered: [StaticString] = [
        "application/json", "text/css", "text/event-stream",
    ]

    @Test("picks the media type that is wanted most", arguments: [
        ("*/*", 0), ("application/json", 0), ("text/css", 1), ("TEXT/CSS", 1), ("text/*", 1),
        ("text/css, application/json", 0), ("text/css, application/json;q=0.9", 1),
        ("text/event-stream", 2), ("text/html, */*;q=0.8", 0), ("text/html", nil),
        ("*/*;q=0", nil), ("application/json;q=0, */*", 1), ("text/*, text/css;q=0", 2),
        ("text/*;q=0.5, text/event-stream", 2), ("application/json;charset=utf-8", 0),
        ("application/json; a=\",;\"; q=0.1, text/css;q=0.2", 1), ("", nil), ("*", nil),
        ("application/*;q=0.1, */*;q=0.2", 1), ("text/cs", nil), ("text", nil), ("/", nil),
        ("*/css", nil), (";q=1", nil), ("text/css;q=0.5;q=0.6", 1),
    ] as [(String, Int?)])
    func media(_ accept: String, _ expected: Int?) {
        let request = "GET / HTTP/1.1\r\nHost: h\r\nAccept: \(accept)\r\n\r\n"
        let picked = RequestHead.withParsed(request) {
            $0.bestMediaType(in: $1, offered: Self.offered)
        }
        #expect(picked == .some(expected))
    }

    @Test("picks the first for a client that does not ask, and nothing from nothing")
    func mediaWithoutAccept() {
        let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        #expect(
            RequestHead.withParsed(request) {
                $0.bestMediaType(in: $1, offered: Self.offered)
            } == .some(0))
        #expect(
            RequestHead.withParsed(request) { $0.bestMediaType(in: $1, offered: []) }
                == .some(nil))
    }
}

@Suite("Percent-decoding")
struct PercentDecodingTests {
    private func decode(_ text: String, _ context: PercentContext) -> String {
        let out = OutputBuffer()
        out.append("=" as StaticString)
        let error: WireError? = Array(text.utf8).withUnsafeBytes { piece in
            do throws(WireError) {
                try percentDecode(piece, context, into: out)
                return nil
            } catch {
                return error
            }
        }
        if let error {
            #expect(out.count == 1)
            return HeadOutcome.describe(error)
        }
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test("of a path segment", arguments: [
        ("", "="), ("abc", "=abc"), ("%41", "=A"), ("a%2Db", "=a-b"), ("%c3%A9", "=é"),
        ("a+b", "=a+b"), ("%2525", "=%25"), ("a%20", "=a "),
        ("%", "400 malformed-percent-encoding @0"), ("a%4", "400 malformed-percent-encoding @1"),
        ("%4g", "400 malformed-percent-encoding @0"), ("%+4", "400 malformed-percent-encoding @0"),
        ("%%41", "400 malformed-percent-encoding @0"), ("%é", "400 malformed-percent-encoding @0"),
        ("a%2Fb", "400 encoded-separator @1"), ("%2f", "400 encoded-separator @0"),
        ("%5C", "400 encoded-separator @0"), ("a%00", "400 encoded-separator @1"),
    ])
    func segment(_ text: String, _ expected: String) {
        #expect(decode(text, .pathSegment) == expected)
    }

    @Test("of a piece of a query", arguments: [
        ("a+b", "=a b"), ("a%2Bb", "=a+b"), ("%2F", "=/"), ("+", "= "), ("%2", "400 malformed-percent-encoding @0"),
        ("%00", "400 encoded-separator @0"),
    ])
    func query(_ text: String, _ expected: String) {
        #expect(decode(text, .query) == expected)
    }
}

@Suite("Fields of a request")
struct RequestFieldTests {
    @Test("are found by every name that is known, in any case")
    func everyName() {
        for name in HeaderName.allCases {
            let text = String(decoding: nameBytes(name), as: UTF8.self)
            for spelling in [text, text.lowercased(), text.uppercased()] {
                let host = name == .host ? "" : "Host: h\r\n"
                let version = name == .transferEncoding ? "chunked" : "100"
                let value = name == .expect ? "100-continue" : version
                let request = "GET / HTTP/1.1\r\n\(host)\(spelling): \(value)\r\n\r\n"
                let found = RequestHead.withParsed(request) { head, bytes in
                    head.first(name).map { String(decoding: $0.slice(of: bytes), as: UTF8.self) }
                }
                #expect(found == .some(value), "\(spelling)")
            }
        }
    }

    @Test("are not mistaken for those with one character more, less or other")
    func neighbours() {
        for name in HeaderName.allCases where name != .host {
            var spellings = [nameBytes(name) + [0x78], Array(nameBytes(name).dropLast())]
            for index in nameBytes(name).indices {
                var other = nameBytes(name)
                other[index] = other[index] == 0x7A ? 0x79 : 0x7A
                spellings.append(other)
            }
            for spelling in spellings where spelling != nameBytes(name) {
                let text = String(decoding: spelling, as: UTF8.self)
                let request = "GET / HTTP/1.1\r\nHost: h\r\n\(text): 1\r\n\r\n"
                let found = RequestHead.withParsed(request) { head, _ in head.first(name) != nil }
                #expect(found == false, "\(text)")
            }
        }
    }

    @Test("have names that hash without collisions, within the room there is")
    func tableIsGood() {
        #expect(WireTables.shared.names.collisions == 0)
        #expect(HeaderName.allCases.count <= 32)
        #expect(HeaderName.allCases.allSatisfy { nameBytes($0).count <= 32 })
    }

    @Test("are all there when they are repeated, in their order")
    func repeated() {
        let request =
            "GET / HTTP/1.1\r\nAccept: a\r\nHost: h\r\nX: y\r\naccept:  b \r\nACCEPT:\r\n\r\n"
        let found = RequestHead.withParsed(request) { head, bytes in
            var values: [String] = []
            head.forEach(.accept, in: bytes) { values.append(String(decoding: $0, as: UTF8.self)) }
            head.forEach(.prefer, in: bytes) { _ in values.append("none") }
            head.forEach(.host, in: bytes) { values.append(String(decoding: $0, as: UTF8.self)) }
            return values
        }
        #expect(found == ["a", "b", "", "h"])
    }

    @Test("are all there with their names, known or not")
    func every() {
        let request = "GET / HTTP/1.1\r\nHost: h\r\nX-Y:z\r\nhost-like: \r\n\r\n"
        let found = RequestHead.withParsed(request) { head, bytes in
            var lines: [String] = []
            head.forEachField(in: bytes) {
                lines.append(
                    String(decoding: $0, as: UTF8.self) + "=" + String(decoding: $1, as: UTF8.self))
            }
            return lines
        }
        #expect(found == ["Host=h", "X-Y=z", "host-like="])
    }

    @Test("are not read outside the buffer they are asked of")
    func ranges() {
        let bytes: [UInt8] = [1, 2, 3]
        bytes.withUnsafeBytes { view in
            #expect(Array(ByteRange(1, 3).slice(of: view)) == [2, 3])
            #expect(ByteRange(1, 4).slice(of: view).isEmpty)
            #expect(ByteRange(start: -1, count: 2).slice(of: view).isEmpty)
            #expect(ByteRange(start: 1, count: -1).slice(of: view).isEmpty)
            #expect(ByteRange(start: .max, count: .max).slice(of: view).isEmpty)
        }
    }

    private func nameBytes(_ name: HeaderName) -> [UInt8] {
        Array(UnsafeBufferPointer(start: name.name.utf8Start, count: name.name.utf8CodeUnitCount))
    }
}
