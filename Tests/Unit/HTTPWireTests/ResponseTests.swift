// What answers look like, byte for byte.

import Glibc
import SeededRandom
import Testing

@testable import HTTPWire

@Suite("An answer's head")
struct ResponseHeadTests {
    private static let date = HTTPDate(unixSeconds: 784_111_777)
    private static let dateLine = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

    private func head(
        _ status: Int, type: StaticString? = nil, fields: String = "",
        _ framing: ResponseFraming, _ coding: ContentCoding = .identity,
        _ connection: ConnectionOption = .implied
    ) -> String {
        let out = OutputBuffer()
        Array(fields.utf8).withUnsafeBytes {
            ResponseEncoder.head(
                into: out, status: status, date: Self.date, contentType: type, fields: $0,
                framing: framing, coding: coding, connection: connection)
        }
        return String(decoding: out.bytes, as: UTF8.self)
    }

    private static let noSniffing = "X-Content-Type-Options: nosniff\r\n"

    @Test("holds status, date, type, given fields and length")
    func plain() {
        #expect(
            head(200, type: "application/json", fields: "ETag: \"a.1\"\r\n", .length(400))
                == "HTTP/1.1 200 OK\r\n\(Self.dateLine)Content-Type: application/json\r\n\(Self.noSniffing)"
                + "ETag: \"a.1\"\r\nContent-Length: 400\r\n\r\n")
    }

    @Test("says nothing about a body that cannot be")
    func noContent() {
        #expect(
            head(204, .none) == "HTTP/1.1 204 No Content\r\n\(Self.dateLine)\(Self.noSniffing)\r\n")
    }

    @Test("says that the connection closes, or that it stays for HTTP/1.0")
    func connection() {
        #expect(
            head(400, .length(0), .identity, .close)
                == "HTTP/1.1 400 Bad Request\r\n\(Self.dateLine)\(Self.noSniffing)"
                + "Content-Length: 0\r\nConnection: close\r\n\r\n")
        #expect(
            head(200, .length(0), .identity, .keepAlive)
                == "HTTP/1.1 200 OK\r\n\(Self.dateLine)\(Self.noSniffing)"
                + "Content-Length: 0\r\nConnection: keep-alive\r\n\r\n")
    }

    @Test("says that it is chunked and compressed, and what it varies with")
    func codings() {
        #expect(
            head(200, .chunked, .gzip)
                == "HTTP/1.1 200 OK\r\n\(Self.dateLine)\(Self.noSniffing)Content-Encoding: gzip\r\n"
                + "Vary: Accept-Encoding\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(
            head(200, .length(7), .identityNegotiated)
                == "HTTP/1.1 200 OK\r\n\(Self.dateLine)\(Self.noSniffing)Vary: Accept-Encoding\r\n"
                + "Content-Length: 7\r\n\r\n")
    }

    @Test("has the space after a status without a phrase")
    func unknownStatus() {
        #expect(head(299, .none) == "HTTP/1.1 299 \r\n\(Self.dateLine)\(Self.noSniffing)\r\n")
    }

    @Test("has the status that was asked for, for every status")
    func statusLines() {
        for status in 100...599 {
            #expect(head(status, .none).hasPrefix("HTTP/1.1 \(status) "))
        }
    }

    @Test("of an interim answer is complete in itself")
    func interim() {
        let out = OutputBuffer()
        ResponseEncoder.continue100(into: out)
        #expect(out.array() == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
}

@Suite("Chunks")
struct ResponseChunkTests {
    @Test("are read back by the decoder")
    func roundTrip() {
        let out = OutputBuffer()
        out.append("before" as StaticString)
        Array("hello ".utf8).withUnsafeBytes { ResponseEncoder.chunk($0, into: out) }
        Array("world".utf8).withUnsafeBytes { ResponseEncoder.chunk($0, into: out) }
        ResponseEncoder.lastChunk(into: out)
        #expect(
            String(decoding: out.bytes, as: UTF8.self)
                == "before6\r\nhello \r\n5\r\nworld\r\n0\r\n\r\n")
        out.consume(6)
        var decoder = ChunkedDecoder()
        let body = OutputBuffer()
        let result = decoder.decode(out.bytes, into: body, bodyBytesMax: 100)
        guard case .done = result.state else {
            Issue.record("not done")
            return
        }
        #expect(result.consumed == out.count)
        #expect(body.array() == Array("hello world".utf8))
    }

    @Test("without payload are not written, because they would end the body")
    func emptyChunks() {
        let out = OutputBuffer()
        ResponseEncoder.chunk(UnsafeRawBufferPointer(start: nil, count: 0), into: out)
        #expect(out.isEmpty)
    }
}

@Suite("Dates")
struct HTTPDateTests {
    @Test(
        "are written in the fixed form",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
            (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
            (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (Int64.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
        ] as [(Int64, String)])
    func fixedForm(_ seconds: Int64, _ text: String) {
        #expect(HTTPDate(unixSeconds: seconds).text == text)
    }

    @Test("follow the calendar of the C library")
    func matchesLibrary() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        var date = HTTPDate(unixSeconds: 0)
        for _ in 0..<2_000 {
            let seconds = Int64(random.next() % 253_402_300_800)
            date.update(unixSeconds: seconds)
            #expect(date.text == libraryDate(seconds), "seed \(seed)")
        }
    }

    private func libraryDate(_ seconds: Int64) -> String {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        var text = [UInt8](repeating: 0, count: 64)
        let size = text.withUnsafeMutableBytes {
            strftime($0.baseAddress!, 64, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        }
        return String(decoding: text[..<size], as: UTF8.self)
    }
}
