// Requests over a socket: however they are cut, coded or piled up, each is answered once, in order.

import HTTPWire
import SeededRandom
import Testing

@testable import HTTPServer

@Suite("Requests")
struct RequestTests {
    static let three =
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
        + "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nxyz"
        + "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n1;x=y\r\n!\r\n0\r\n\r\n"

    static func expectThree(_ client: RawClient, _ comment: Comment) {
        let texts = (0..<3).map { _ in client.response()?.text }
        #expect(texts == ["GET /a ", "POST /b xyz", "PUT /c hi!"], comment)
    }

    @Test("Three pipelined requests, cut in two at every byte")
    func everySplitPoint() throws {
        let server = try TestServer()
        let barrier = try Barrier(server)
        let bytes = Array(Self.three.utf8)
        let client = try server.connect()
        for cut in 0...bytes.count {
            client.send(bytes[..<cut])
            try barrier.pass()
            client.send(bytes[cut...])
            Self.expectThree(client, "cut at \(cut)")
        }
    }

    @Test("Requests that come byte by byte")
    func oneByteWrites() throws {
        let server = try TestServer()
        let barrier = try Barrier(server)
        let client = try server.connect()
        for byte in Self.three.utf8 {
            client.send([byte])
            try barrier.pass()
        }
        Self.expectThree(client, "byte by byte")
    }

    @Test("Random pipelines, cut at random, are answered in order", arguments: 1...6)
    func randomPipelines(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let server = try TestServer(configure: {
            $0.limits.pipelineDepthMax = 3
            $0.limits.batchBytesMax = 2_000
        })
        let barrier = try Barrier(server)
        let client = try server.connect()
        var bytes: [UInt8] = []
        var expected: [String] = []
        for index in 0..<120 {
            let body = String(repeating: "b", count: Int(random.next() % 700))
            switch random.next() % 3 {
            case 0:
                bytes += Array("GET /\(index) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
                expected.append("GET /\(index) ")
            case 1:
                let head = "PUT /\(index) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)"
                bytes += Array("\(head)\r\n\r\n\(body)".utf8)
                expected.append("PUT /\(index) \(body)")
            default:
                let size = String(body.count + 1, radix: 16)
                let head = "POST /\(index) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked"
                bytes += Array("\(head)\r\n\r\n\(size)\r\n\(body)!\r\n0\r\n\r\n".utf8)
                expected.append("POST /\(index) \(body)!")
            }
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let size = Int(random.next() % 1_500) + 1
            client.send(rest.prefix(size))
            rest = rest.dropFirst(size)
            if random.next() % 2 == 0 { try barrier.pass() }
        }
        for (index, text) in expected.enumerated() {
            #expect(client.response()?.text == text, "seed \(seed), request \(index)")
        }
    }

    @Test("A body of a megabyte, its length announced or chunked, arrives whole")
    func largeBodies() throws {
        let server = try TestServer {
            $0.reply("\($0.body.count) \($0.body.allSatisfy { $0 == 7 })")
        }
        let client = try server.connect()
        let body = [UInt8](repeating: 7, count: 1_048_576)
        client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n")
        client.send(body)
        #expect(client.response()?.text == "1048576 true")
        client.send("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<16 {
            client.send("10000\r\n")
            client.send(body[..<65_536])
            client.send("\r\n")
        }
        client.send("0\r\n\r\n")
        #expect(client.response()?.text == "1048576 true")
    }

    @Test("Gzip bodies are undone, announced or chunked; plain ones may say identity")
    func gzipBodies() throws {
        let server = try TestServer()
        let client = try server.connect()
        let packed = RawClient.gzip(Array("{\"value\": 2}".utf8))
        let head = "PUT /z HTTP/1.1\r\nHost: a\r\nContent-Encoding: GZIP\r\n"
        client.send("\(head)Content-Length: \(packed.count)\r\n\r\n")
        client.send(packed)
        #expect(client.response()?.text == "PUT /z {\"value\": 2}")
        client.send("\(head)Transfer-Encoding: chunked\r\n\r\n")
        for byte in packed {
            client.send("1\r\n")
            client.send([byte])
            client.send("\r\n")
        }
        client.send("0\r\n\r\n")
        #expect(client.response()?.text == "PUT /z {\"value\": 2}")
        let plain = client.request(
            "PUT /i HTTP/1.1\r\nHost: a\r\nContent-Encoding: identity\r\nContent-Length: 2\r\n\r\nok"
        )
        #expect(plain?.text == "PUT /i ok")
    }

    @Test(
        "A client that expects 100 Continue gets it before its body, and not when it did not wait")
    func expectContinue() throws {
        let server = try TestServer()
        let client = try server.connect()
        let head = "PUT /e HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        for _ in 0..<2 {
            client.send(head)
            #expect(client.head()?.status == 100)
            client.send("ok")
            #expect(client.response()?.text == "PUT /e ok")
        }
        #expect(client.request(head + "ok")?.text == "PUT /e ok")
    }

    @Test("A handler sees query, repeated fields, authority and version")
    func views() throws {
        let server = try TestServer { exchange in
            var values: [String] = []
            exchange.forEachHeader(.ifMatch) { values.append(String(decoding: $0, as: UTF8.self)) }
            let query = exchange.query.map { String(decoding: $0, as: UTF8.self) }
            let host = exchange.authority.map { String(decoding: $0, as: UTF8.self) }
            let name = String(decoding: exchange.methodName, as: UTF8.self)
            exchange.reply(
                "\(name) \(query ?? "-") \(host ?? "-") \(values) \(exchange.minorVersion) "
                    + "\(exchange.header(.accept) == nil)")
        }
        let client = try server.connect()
        let answer = client.request(
            "BREW /a%2Fb?x=1&y HTTP/1.1\r\nHost: h:1\r\nIf-Match: \"a\"\r\nX: y\r\nif-match: \"b\"\r\n\r\n"
        )
        #expect(answer?.text == "BREW x=1&y h:1 [\"\\\"a\\\"\", \"\\\"b\\\"\"] 1 true")
    }

    @Test("A client that has said all it wants, and closed its side, still gets every answer")
    func halfClose() throws {
        let server = try TestServer()
        let client = try server.connect()
        client.send(Self.three)
        client.finishSending()
        Self.expectThree(client, "half-closed")
        #expect(client.isAtEnd)
    }

    @Test("A request that ends too early is not answered")
    func cutShort() throws {
        let server = try TestServer()
        let client = try server.connect()
        client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab")
        client.finishSending()
        #expect(client.isAtEnd)
    }
}
