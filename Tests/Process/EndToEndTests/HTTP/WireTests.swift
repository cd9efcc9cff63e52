// What no client library would send: requests in pieces, pipelines, and the malformed requests
// that smuggle one request inside another.

import TestSupport
import Testing

@Suite("The wire")
struct WireTests {
    private func connect() throws -> RawConnection {
        try RawConnection(port: try sharedServer().port)
    }

    @Test("A request is the same in pieces of any size", arguments: [1, 2, 7, 64])
    func pieces(size: Int) throws {
        let session = try sampleSession("pieces")
        let body = #"{"value": "bold"}"#
        let raw = try connect()
        try raw.send(
            "PUT \(session.target("nodes/scene/overrides/theme")) HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Connection: close\r\n\r\n" + body, inPiecesOf: size)
        #expect(statusCodes(in: try raw.readToEnd()) == [200])
        #expect(try session.value(of: "theme", at: "cell0") == "bold")
    }

    @Test("A chunked body is the body, in pieces of any size", arguments: [1, 3, 1_000])
    func chunked(size: Int) throws {
        let session = try sampleSession("chunked")
        let raw = try connect()
        try raw.send(
            "PUT \(session.target("nodes/scene/overrides/theme")) HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
                + "Connection: close\r\n\r\n4\r\n{\"va\r\nD;x=y\r\nlue\": \"bold\"}\r\n0\r\n\r\n",
            inPiecesOf: size)
        #expect(statusCodes(in: try raw.readToEnd()) == [200])
        #expect(try session.value(of: "theme", at: "cell0") == "bold")
    }

    @Test("A pipeline is answered in order, half a connection is enough")
    func pipeline() throws {
        let session = try sampleSession("pipeline")
        let raw = try connect()
        let get = { (path: String) in "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
        try raw.send(
            get("/livez") + get(session.target("nodes/lost")) + get(session.target("nodes/cell0"))
                + "BREW /pot HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/version"))
        raw.finishSending()
        let bytes = try raw.readToEnd()
        let codes = statusCodes(in: bytes)
        #expect(codes == [200, 404, 200, 501, 200])
    }

    @Test("Expect: 100-continue is answered before the body")
    func expectContinue() throws {
        let session = try sampleSession("continue")
        let body = #"{"value": "bold"}"#
        let raw = try connect()
        try raw.send(
            "PUT \(session.target("nodes/scene/overrides/theme")) HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Expect: 100-continue\r\nConnection: close\r\n\r\n")
        let interim = try raw.read { $0.suffix(4) == [13, 10, 13, 10] }
        #expect(statusCodes(in: interim) == [100])
        try raw.send(body)
        #expect(statusCodes(in: try raw.readToEnd()) == [200])
    }

    @Test("HTTP/1.0 closes, unless it is asked to stay")
    func oldVersion() throws {
        let closing = try connect()
        try closing.send("GET /livez HTTP/1.0\r\n\r\n")
        #expect(statusCodes(in: try closing.readToEnd()) == [200])
        let staying = try connect()
        let request = "GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
        try staying.send(request)
        _ = try staying.read { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n") }
        try staying.send(request)
        staying.finishSending()
        #expect(statusCodes(in: try staying.readToEnd()) == [200])
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

    @Test("Requests that end early affect no other request")
    func cutShort() throws {
        let session = try sampleSession("cut")
        let before = try session.state()
        let request =
            "PUT \(session.target("nodes/scene/overrides/theme")) HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\nContent-Length: 17\r\n\r\n{\"value\": \"bold\""
        for count in stride(from: 1, through: request.utf8.count, by: 13) {
            let raw = try connect()
            try raw.send(Array(request.utf8.prefix(count)))
            raw.finishSending()
            let codes = statusCodes(in: try raw.readToEnd())
            #expect(codes.isEmpty || codes == [400] || codes == [408])
        }
        #expect(try session.state() == before)
    }
}
