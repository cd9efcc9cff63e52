// What no client library would send: malformed requests that smuggle one request inside another. HTTPServerTests have
// pieces, chunks, pipelines and versions.

import TestSupport
import Testing

@Suite("The wire")
struct WireTests {
    private func connect() throws -> RawConnection {
        try RawConnection(port: try sharedServer().port)
    }

    static let malformedRequests: [(String, Int)] = [
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        (
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "0\r\n\r\n", 400
        ),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nContent-Length: 1\r\n\r\nx", 417),
        ("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
        (
            "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "a", count: 17_000))\r\n\r\n",
            431
        ),
        (
            "GET / HTTP/1.1\r\nHost: localhost\r\n"
                + (0..<200).map { "X\($0): y\r\n" }.joined() + "\r\n", 431
        ),
    ]

    @Test("A malformed request gets one refusal, then the connection closes")
    func malformed() throws {
        for (text, status) in Self.malformedRequests {
            let raw = try connect()
            // What follows must not be taken for a request of its own.
            try raw.send(text + "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let bytes = try raw.readToEnd()
            #expect(statusCodes(in: bytes) == [status], "\(text.prefix(60).debugDescription)")
            let answer = String(decoding: bytes, as: UTF8.self)
            #expect(answer.contains("application/problem+json"), "\(text.prefix(60))")
        }
        #expect(try HTTPClient(sharedServer().url).get("/livez").status == 200)
    }
}
