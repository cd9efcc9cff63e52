// What a client says it can read, and what is picked from it.

import Testing

@testable import HTTPWire

@Suite("Content negotiation")
struct NegotiationTests {
    @Test(
        "compresses only where gzip is welcome",
        arguments: [
            ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate, gzip, br", true),
            ("gzip;q=0", false), ("gzip;q=0.000", false), ("gzip; q=0.001", true),
            ("gzip ; Q=1.0", true), ("gzip;q=1.001", false), ("gzip;q=2", false),
            ("gzip;q=", false), ("gzip;q=x", false), ("gzip;q=0.1234", false), ("gzip;q=-1", false),
            ("*", true), ("*;q=0", false), ("*;q=0, gzip", true), ("*, gzip;q=0.5", false),
            ("*;q=0.5, gzip", true), ("gzip;q=0, *", false),
            ("identity", false), ("identity, gzip;q=0.5", false), ("identity;q=0.5, gzip", true),
            ("identity;q=0, gzip;q=0.1", true), ("", false), (",, ,", false), ("gzipp", false),
            ("br", false), ("gzip, gzip;q=0", true), ("gzip;level=1", true), ("\"gzip\"", false),
        ] as [(String, Bool)])
    func gzip(_ value: String, _ expected: Bool) {
        let request = "GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: \(value)\r\n\r\n"
        #expect(RequestHead.withParsed(request) { $0.acceptsGzip(in: $1) } == expected)
    }

    @Test("compresses nothing for a client that does not ask, and reads repeated fields together")
    func gzipLines() {
        let silent = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        #expect(RequestHead.withParsed(silent) { $0.acceptsGzip(in: $1) } == false)
        let repeated =
            "GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: br\r\nA: b\r\n"
            + "accept-encoding: gzip\r\n\r\n"
        #expect(RequestHead.withParsed(repeated) { $0.acceptsGzip(in: $1) } == true)
    }

    private static let offered: [StaticString] = [
        "application/json", "text/css", "text/event-stream",
    ]

    @Test(
        "picks the media type that is wanted most",
        arguments: [
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
