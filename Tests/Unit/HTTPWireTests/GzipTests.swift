// Compression and decompression, bombs and damage included.

import SeededRandom
import Testing

@testable import HTTPWire

@Suite("gzip")
struct GzipTests {
    private func decode(_ bytes: [UInt8], max: Int, with decoder: GzipDecoder = .init()) -> String {
        let out = OutputBuffer()
        out.append("=" as StaticString)
        let error: WireError? = bytes.withUnsafeBytes { body in
            do throws(WireError) {
                try decoder.decode(body, into: out, decodedBytesMax: max)
                return nil
            } catch {
                return error
            }
        }
        if let error {
            #expect(out.count == 1)
            return "\(error.status) \(error.code)"
        }
        return String(decoding: out.bytes, as: UTF8.self)
    }

    private func encode(_ text: String, level: Int = 1) -> [UInt8] {
        let out = OutputBuffer()
        Array(text.utf8).withUnsafeBytes {
            #expect(GzipEncoder(level: level).encode($0, into: out))
        }
        return out.array()
    }

    @Test("gives back what went in, at every level", arguments: -1...10)
    func roundTrip(_ level: Int) {
        for text in ["", "a", String(repeating: "hello ", count: 20_000)] {
            let coded = encode(text, level: level)
            #expect(decode(coded, max: text.utf8.count) == "=" + text)
            if text.utf8.count > 100 { #expect(coded.count < text.utf8.count / 10) }
        }
    }

    @Test("gives back bytes that cannot be compressed")
    func randomBytes() {
        var random = SeededRandom(seed: 1)
        let bytes = (0..<200_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let coded = OutputBuffer()
        let encoder = GzipEncoder()
        bytes.withUnsafeBytes { #expect(encoder.encode($0, into: coded)) }
        let out = OutputBuffer()
        let decoder = GzipDecoder()
        #expect(throws: Never.self) {
            try decoder.decode(coded.bytes, into: out, decodedBytesMax: bytes.count)
        }
        #expect(out.array() == bytes)
    }

    @Test("stops at the limit, however small the body is")
    func bombs() {
        let bomb = encode(String(repeating: "0", count: 5_000_000), level: 9)
        #expect(bomb.count < 10_000)
        #expect(decode(bomb, max: 4_999_999) == "413 body-too-large")
        #expect(decode(bomb, max: 1_000) == "413 body-too-large")
        #expect(decode(bomb, max: 0) == "413 body-too-large")
        #expect(decode(encode("") + bomb, max: 1_000) == "413 body-too-large")
        #expect(decode(encode("abc") + encode("d"), max: 3) == "413 body-too-large")
        #expect(decode(encode(""), max: 0) == "=")
        #expect(decode(encode("a"), max: -5) == "413 body-too-large")
    }

    private func decode(pieces: [[UInt8]]) throws -> (text: String, isAtEnd: Bool) {
        let decoder = GzipDecoder()
        var text: [UInt8] = []
        for piece in pieces {
            try piece.withUnsafeBytes { bytes in
                try decoder.feed(bytes, failure: { WireError.gzip($0.reason) }) {
                    part throws(WireError) in text += part
                }
            }
        }
        return (String(decoding: text, as: UTF8.self), decoder.isAtEnd)
    }

    @Test("reads a text in pieces, cut at any byte, and says where one may end")
    func pieces() throws {
        let text = "hello" + String(repeating: "0", count: 70_000)
        let first = encode("hello")
        let whole = first + encode(String(text.dropFirst(5)))
        for cut in 0...whole.count {
            let (start, rest) = (Array(whole[..<cut]), Array(whole[cut...]))
            let both = try decode(pieces: [start, rest])
            #expect(both.text == text && both.isAtEnd)
            let part = try decode(pieces: [start])
            #expect(part.isAtEnd == [0, first.count, whole.count].contains(cut))
        }
        for rest in ["d", "dust"] {
            let pieces = [first + Array("t".utf8), Array(rest.utf8)]
            let error = #expect(throws: WireError.self) { try decode(pieces: pieces) }
            #expect(error?.detail == "it begins as gzip, and is damaged")
        }
    }

    @Test("reads several members as one body")
    func members() {
        #expect(decode(encode("ab") + encode("") + encode("cd"), max: 4) == "=abcd")
    }

    @Test("refuses every truncation")
    func truncated() {
        let whole = encode("hello hello hello")
        for size in 0..<whole.count {
            #expect(decode(Array(whole[..<size]), max: 100) == "400 malformed-gzip")
            let second = encode("a") + whole[..<size]
            if size > 0 { #expect(decode(second, max: 100) == "400 malformed-gzip") }
        }
    }

    @Test("refuses damage, other formats, and anything after the end")
    func damaged() {
        let whole = encode("hello hello hello")
        #expect(decode(whole + [0], max: 100) == "400 malformed-gzip")
        #expect(decode(whole + Array("GET /".utf8), max: 100) == "400 malformed-gzip")
        #expect(decode(Array("plain text".utf8), max: 100) == "400 malformed-gzip")
        // A zlib wrapper instead of gzip's.
        #expect(decode([0x78, 0x9C, 0x03, 0x00, 0, 0, 0, 1], max: 100) == "400 malformed-gzip")
        var wrongSum = whole
        wrongSum[whole.count - 8] ^= 1
        #expect(decode(wrongSum, max: 100) == "400 malformed-gzip")
        var wrongLength = whole
        wrongLength[whole.count - 1] ^= 1
        #expect(decode(wrongLength, max: 100) == "400 malformed-gzip")
    }

    @Test("can be used again after any failure")
    func decoderIsReusable() {
        let decoder = GzipDecoder()
        let whole = encode("hello")
        for _ in 0..<3 {
            #expect(decode(Array(whole.dropLast(3)), max: 9, with: decoder) == "400 malformed-gzip")
            #expect(decode(whole, max: 4, with: decoder) == "413 body-too-large")
            #expect(decode(whole, max: 9, with: decoder) == "=hello")
        }
    }

    @Test("compresses a stream piece by piece, each readable when it was flushed")
    func streams() {
        let encoder = GzipEncoder()
        for _ in 0..<2 {
            let out = OutputBuffer()
            for word in ["one ", "", "two ", "three"] {
                let before = out.count
                Array(word.utf8).withUnsafeBytes {
                    #expect(encoder.write($0, flush: .sync, into: out))
                }
                #expect(word.isEmpty || out.count > before)
                #expect(encoder.isOpen)
            }
            #expect(encoder.finish(into: out))
            #expect(!encoder.isOpen)
            #expect(decode(out.array(), max: 100) == "=one two three")
        }
    }
}
