// Answers over a socket: framing, connection handling, compression.

import HTTPWire
import Testing

@testable import HTTPServer

@Suite("Answers")
struct AnswerTests {
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n"

    @Test("HEAD gets the head of GET and no body")
    func head() throws {
        let server = try TestServer { $0.reply("hello") }
        let client = try server.connect()
        client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = client.response(toHead: true)
        #expect(head?.fields["content-length"] == "5")
        #expect(client.request("\(Self.get)\r\n")?.text == "hello")
    }

    @Test("Statuses without a body have none", arguments: [204, 304])
    func bodyless(status: Int) throws {
        let server = try TestServer { $0.reply("", status: status) }
        let client = try server.connect()
        for _ in 0..<2 {
            let answer = client.request("\(Self.get)\r\n")
            #expect(answer?.status == status)
            #expect(answer?.fields["content-length"] == nil)
            #expect(answer?.fields["vary"] == (status == 304 ? "Accept-Encoding" : nil))
        }
    }

    @Test("Every answer has the usual fields and the handler's own")
    func fields() throws {
        let server = try TestServer { exchange in
            let lines = Array("ETag: \"1\"\r\nX-Y: z\r\n".utf8)
            lines.withUnsafeBytes {
                exchange.send(
                    status: 201, contentType: "text/plain", fields: $0, body: .borrowed($0))
            }
        }
        let answer = try server.connect().request("\(Self.get)\r\n")
        #expect(answer?.status == 201)
        #expect(answer?.fields["etag"] == "\"1\"")
        #expect(answer?.fields["x-y"] == "z")
        #expect(answer?.fields["content-type"] == "text/plain")
        #expect(answer?.fields["date"]?.hasSuffix("GMT") == true)
        #expect(answer?.fields["connection"] == nil)
    }

    @Test(
        "Connections are kept or closed as the client asks",
        arguments: [
            ("1.1", "", nil, false), ("1.1", "Connection: close\r\n", "close", true),
            ("1.0", "", "close", true), ("1.0", "Connection: keep-alive\r\n", "keep-alive", false),
        ])
    func keepAlive(version: String, field: String, answered: String?, closes: Bool) throws {
        let server = try TestServer()
        let client = try server.connect()
        let request = "GET /k HTTP/\(version)\r\nHost: a\r\n\(field)\r\n"
        let first = client.request(request)
        #expect(first?.text == "GET /k ")
        #expect(first?.fields["connection"] == answered)
        if closes {
            #expect(client.isAtEnd)
        } else {
            #expect(client.request(request)?.text == "GET /k ")
        }
    }

    @Test("Requests behind the last one are not answered, and do not destroy its answer")
    func requestsAfterClose() throws {
        let server = try TestServer()
        let client = try server.connect()
        client.send("GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        for _ in 0..<200 { client.send("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n") }
        #expect(client.response()?.text == "GET /1 ")
        #expect(client.isAtEnd)
    }

    @Test("Bodies are compressed from the limit on, for clients that accept it, in order")
    func compression() throws {
        let server = try TestServer { exchange in
            exchange.reply([UInt8](repeating: 65, count: Int(exchange.pathText.dropFirst()) ?? 0))
        }
        let client = try server.connect()
        let sizes = [1_023, 1_024, 65_536, 65_537, 3_000_000, 10]
        for size in sizes {
            client.send("GET /\(size) HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
        }
        for size in sizes {
            let answer = try #require(client.response())
            let packed = size >= 1_024
            #expect(answer.fields["content-encoding"] == (packed ? "gzip" : nil))
            #expect(answer.fields["vary"] == (packed ? "Accept-Encoding" : nil))
            let body = packed ? try RawClient.gunzip(answer.body) : answer.body
            #expect(body.count == size && body.allSatisfy { $0 == 65 })
        }
        client.send("GET /1024 HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip;q=0, br\r\n\r\n")
        #expect(client.response()?.fields["content-encoding"] == nil)
        let plain = client.request("GET /2000 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(plain?.body.count == 2_000)
        #expect(plain?.fields["vary"] == "Accept-Encoding")
        client.send("HEAD /2000 HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
        #expect(client.response(toHead: true)?.fields["content-encoding"] == "gzip")
    }

    @Test("A handler can know beforehand whether its answer will be compressed, parked or not")
    func willCompress() throws {
        let server = try TestServer { exchange in
            let size = Int(exchange.pathText.dropFirst()) ?? 0
            let now = exchange.willCompress(bodyBytes: size)
            _ = exchange.park(until: 1) { exchange, _ in
                let later = exchange.willCompress(bodyBytes: size)
                exchange.reply("\(now) \(later)")
                return .answered
            }
        }
        let client = try server.connect()
        for (path, coding, text) in [
            ("1023", "gzip", "false false"), ("1024", "gzip", "true true"),
            ("1024", "gzip;q=0", "false false"), ("1024", "*", "true true"),
        ] {
            let answer = client.request(
                "GET /\(path) HTTP/1.1\r\nHost: a\r\nAccept-Encoding: \(coding)\r\n\r\n")
            #expect(answer?.text == text)
        }
    }

    @Test("A client that disconnects while its answer is compressed has no effect on others")
    func leavingDuringCompression() throws {
        let server = try TestServer { $0.reply([UInt8](repeating: 65, count: 4_000_000)) }
        for _ in 0..<5 {
            let client = try server.connect()
            client.send("\(Self.get)Accept-Encoding: gzip\r\n\r\n")
            client.reset()
        }
        let client = try server.connect()
        let answer = client.request("\(Self.get)Accept-Encoding: gzip\r\n\r\n")
        #expect(try RawClient.gunzip(answer?.body ?? []).count == 4_000_000)
    }

    @Test("A client that does not read keeps no other waiting, and loses nothing")
    func slowReader() throws {
        let body = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try TestServer { exchange in
            if exchange.pathText == "/big" { exchange.reply(body) } else { exchange.echo() }
        }
        let slow = try server.connect(receiveBytes: 4_096)
        for _ in 0..<3 { slow.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n") }
        slow.send("GET /after HTTP/1.1\r\nHost: a\r\n\r\n")
        let other = try server.connect()
        for index in 0..<50 {
            let answer = other.request("GET /\(index) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(answer?.text == "GET /\(index) ")
        }
        for _ in 0..<3 { #expect(slow.response()?.body == body) }
        #expect(slow.response()?.text == "GET /after ")
    }

    @Test("A long body is sent together with its head")
    func oneSend() throws {
        let body = [UInt8](repeating: 66, count: 200_000)
        let server = try TestServer { $0.reply(body) }
        for _ in 0..<10 {
            let client = try server.connect()
            client.send("\(Self.get)\r\n")
            let piece = client.piece()
            #expect(piece.last == 66, "only the head came: \(piece.count) bytes")
        }
    }

    @Test(
        "Answers around the limits of a batch and of a turn arrive whole, behind others or alone",
        arguments: [nil, 4_096 as Int32])
    func sizesAroundLimits(receiveBytes: Int32?) throws {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.limits.batchBytesMax = 1_000
            configuration.limits.turnBytesMax = 3_000
        }
        let server = try TestServer(configure: configure) { exchange in
            let size = Int(exchange.pathText.dropFirst()) ?? 0
            exchange.reply((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ size) })
        }
        let sizes =
            Array(996...1_003) + Array(2_600...3_003) + [6_000, 70_000, 200_000]
        let client = try server.connect(receiveBytes: receiveBytes)
        for size in sizes {
            let batch = [5, size, 7, size, size]
            client.send(batch.map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            for size in batch {
                let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ size) }
                #expect(client.response()?.body == body, "\(size) bytes")
            }
        }
    }
}
