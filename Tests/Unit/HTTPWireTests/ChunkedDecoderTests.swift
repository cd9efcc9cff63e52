// Chunked bodies, well-formed and not, whole, split everywhere and byte by byte.

import GuardedBytes
import Testing

@testable import HTTPWire

struct ChunkedCase: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let outcome: String
    var testDescription: String { name }

    init(_ name: String, _ body: String, _ outcome: String) {
        self.name = name
        bytes = Array(body.utf8)
        self.outcome = outcome
    }
}

@Suite("Chunked bodies")
struct ChunkedDecoderTests {
    static let limits: WireLimits = {
        var limits = WireLimits()
        limits.chunkLineBytesMax = 16
        limits.chunkExtensionBytesMax = 20
        limits.trailerBytesMax = 32
        return limits
    }()
    static let bodyBytesMax = 32

    static let cases: [ChunkedCase] = [
        .init("one chunk", "3\r\nabc\r\n0\r\n\r\n", "abc 13"),
        .init("several chunks", "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde 20"),
        .init("no chunk but the last", "0\r\n\r\n", " 5"),
        .init("line ends inside a chunk", "4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n 14"),
        .init("what follows is left alone", "1\r\na\r\n0\r\n\r\nGET /", "a 11"),
        .init("hexadecimal digits", "A\r\n0123456789\r\n0\r\n\r\n", "0123456789 20"),
        .init("lower-case digits", "a\r\n0123456789\r\n0\r\n\r\n", "0123456789 20"),
        .init("leading zeros", "003\r\nabc\r\n000\r\n\r\n", "abc 17"),
        .init("an extension", "3;a\r\nabc\r\n0\r\n\r\n", "abc 15"),
        .init("an extension with a value", "3;a=b\r\nabc\r\n0;c=d\r\n\r\n", "abc 21"),
        .init("two extensions", "3;a=b;c\r\nabc\r\n0\r\n\r\n", "abc 19"),
        .init("a quoted extension", "3;a=\"\\\";\t,\"\r\nabc\r\n0\r\n\r\n", "abc 23"),
        .init("a trailer", "0\r\nA: b\r\n\r\n", " 11"),
        .init("two trailers", "0\r\nA: b\r\nC:\r\n\r\n", " 15"),
        .init("incomplete size", "3", "needMore"),
        .init("incomplete data", "3\r\nab", "needMore"),
        .init("incomplete data end", "3\r\nabc\r", "needMore"),
        .init("incomplete last chunk", "0\r\n", "needMore"),
        .init("incomplete end", "0\r\n\r", "needMore"),
        .init("incomplete trailer", "0\r\nA: b\r\n", "needMore"),
        .init("a body at the limit", "20\r\n\(x(32))\r\n0\r\n\r\n", "\(x(32)) 43"),
        .init("a chunk over the limit", "21\r\n", "413 body-too-large @2 bodyBytesMax=32"),
        .init(
            "chunks over the limit together", "20\r\n\(x(32))\r\n1\r\n",
            "413 body-too-large @39 bodyBytesMax=32"),
        .init("a plus sign", "+3\r\nabc\r\n", "400 malformed-chunk @0"),
        .init("a minus sign", "-1\r\n", "400 malformed-chunk @0"),
        .init("0x", "0x3\r\nabc\r\n", "400 malformed-chunk @1"),
        .init("a leading space", " 3\r\nabc\r\n", "400 malformed-chunk @0"),
        .init("a trailing space", "3 \r\nabc\r\n", "400 malformed-chunk @1"),
        .init("a trailing tab", "3\t\r\nabc\r\n", "400 malformed-chunk @1"),
        .init("an underscore", "1_0\r\n", "400 malformed-chunk @1"),
        .init("a comma", "3,3\r\nabc\r\n", "400 malformed-chunk @1"),
        .init("no size", "\r\nabc\r\n", "400 malformed-chunk @0"),
        .init("no size but an extension", ";a\r\n", "400 malformed-chunk @0"),
        .init("a letter past f", "g\r\n", "400 malformed-chunk @0"),
        .init(
            "a size that overflows", "10000000000000003\r\n",
            "400 malformed-chunk @16 chunkLineBytesMax=16"),
        .init("a size that almost overflows", "FFFFFFFFFFFFFFFF\r\n", "400 malformed-chunk @15"),
        .init("a size as large as they come", "7FFFFFFFFFFFFFFF\r\n", "400 malformed-chunk @15"),
        .init("a bare LF after the size", "3\nabc\r\n", "400 malformed-chunk @1"),
        .init("a bare CR after the size", "3\rabc\r\n", "400 malformed-chunk @2"),
        .init("CR CR LF after the size", "3\r\r\nabc\r\n", "400 malformed-chunk @2"),
        .init("a chunk longer than its size", "2\r\nabc\r\n", "400 malformed-chunk @5"),
        .init("a chunk shorter than its size", "4\r\nabc\r\n0\r\n\r\n", "400 malformed-chunk @7"),
        .init("a bare LF after the data", "3\r\nabc\n0\r\n\r\n", "400 malformed-chunk @6"),
        .init("a bare CR after the data", "3\r\nabc\r0\r\n\r\n", "400 malformed-chunk @7"),
        .init("a NUL for the line end", "3\r\nabc\0\0", "400 malformed-chunk @6"),
        .init("an empty extension", "3;\r\nabc", "400 malformed-chunk @2"),
        .init("an extension without a value", "3;a=\r\nabc", "400 malformed-chunk @4"),
        .init("an extension without a name", "3;=a\r\nabc", "400 malformed-chunk @2"),
        .init("a space before an extension", "3 ;a\r\nabc", "400 malformed-chunk @1"),
        .init("a space in an extension", "3; a\r\nabc", "400 malformed-chunk @2"),
        .init("a bare LF in an extension", "3;a\nabc", "400 malformed-chunk @3"),
        .init("a bare LF in a quoted extension", "3;a=\"\n\"\r\n", "400 malformed-chunk @5"),
        .init("a CR LF in a quoted extension", "3;a=\"\r\n\"\r\n", "400 malformed-chunk @5"),
        .init("a NUL in an extension", "3;a\0\r\n", "400 malformed-chunk @3"),
        .init("something after a quoted extension", "3;a=\"b\"c\r\n", "400 malformed-chunk @7"),
        .init("an endless extension", "3;\(x(99))", "400 malformed-chunk @16 chunkLineBytesMax=16"),
        .init(
            "many extensions", "1;abcdefgh\r\nA\r\n1;abcdefghijklm\r\n",
            "400 malformed-chunk @29 chunkExtensionBytesMax=20"),
        .init("a trailer without a colon", "0\r\nA\r\n\r\n", "400 malformed-trailer @4"),
        .init(
            "a trailer with a space before its colon", "0\r\nA : b\r\n\r\n",
            "400 malformed-trailer @4"),
        .init("a folded trailer", "0\r\nA: b\r\n c\r\n\r\n", "400 malformed-trailer @9"),
        .init("a trailer with a bare LF", "0\r\nA: b\n\r\n", "400 malformed-trailer @7"),
        .init("a trailer with a bare CR", "0\r\nA: b\rc\r\n\r\n", "400 malformed-trailer @8"),
        .init("a trailer with a NUL", "0\r\nA: \0\r\n\r\n", "400 malformed-trailer @6"),
        .init(
            "a length after the body", "0\r\nContent-Length: 5\r\n\r\n",
            "400 malformed-trailer @3"),
        .init(
            "a coding after the body", "0\r\ntransfer-encoding: a\r\n\r\n",
            "400 malformed-trailer @3"),
        .init(
            "authorization after the body", "0\r\nAuthorization: x\r\n\r\n",
            "400 malformed-trailer @3"),
        .init(
            "trailers over the limit", "0\r\nA: \(x(40))\r\n\r\n",
            "431 trailer-too-large @35 trailerBytesMax=32"),
        .init("a size of eight zeros", "00000000\r\n\r\n", " 12"),
        .init("a size with a NUL", "3\0\r\nabc\r\n", "400 malformed-chunk @1"),
        .init("a size in other digits", "٣\r\nabc\r\n", "400 malformed-chunk @0"),
        .init("a size in quotes", "\"3\"\r\nabc\r\n", "400 malformed-chunk @0"),
        .init("a size with an h", "3h\r\nabc\r\n", "400 malformed-chunk @1"),
        .init("a size with a dot", "3.0\r\nabc\r\n", "400 malformed-chunk @1"),
        .init("two sizes", "3 3\r\nabc\r\n", "400 malformed-chunk @1"),
        .init("a vertical tab for the line end", "3\u{0B}\nabc\r\n", "400 malformed-chunk @1"),
        .init("LF CR for CR LF", "3\n\rabc\r\n", "400 malformed-chunk @1"),
        .init("CR LF LF after the size", "2\r\n\nab\r\n", "400 malformed-chunk @5"),
        .init("an empty line between two chunks", "1\r\na\r\n\r\n1\r\n", "400 malformed-chunk @6"),
        .init("an empty line first", "\r\n1\r\na\r\n", "400 malformed-chunk @0"),
        .init("a chunk of zero zeros and more", "0\r\n1\r\n", "400 malformed-trailer @4"),
        .init("a request instead of a chunk", "GET / HTTP/1.1\r\n", "400 malformed-chunk @0"),
        .init(
            "a request instead of a trailer", "0\r\nGET / HTTP/1.1\r\n", "400 malformed-trailer @6"),
        .init("an extension in the last chunk", "0;a=b\r\n\r\n", " 9"),
        .init("an extension that ends in a quote", "1;a=\"\r\nx", "400 malformed-chunk @5"),
        .init("an escaped line end", "1;a=\"\\\r\n\"\r\n", "400 malformed-chunk @6"),
        .init("an escaped quote alone", "1;a=\"\\\"\r\n", "400 malformed-chunk @7"),
        .init("an empty quoted extension", "1;a=\"\"\r\nx\r\n0\r\n\r\n", "x 16"),
        .init("UTF-8 in a quoted extension", "1;a=\"é\"\r\nx\r\n0\r\n\r\n", "x 18"),
        .init("UTF-8 in an extension", "1;é\r\nx", "400 malformed-chunk @2"),
        .init("a DEL in a quoted extension", "1;a=\"\u{7F}\"\r\n", "400 malformed-chunk @5"),
        .init("an extension with two values", "1;a=b=c\r\nx", "400 malformed-chunk @5"),
        .init("two semicolons", "1;;a\r\nx", "400 malformed-chunk @2"),
        .init("a trailer with a folded value", "0\r\nA:\r\n b\r\n\r\n", "400 malformed-trailer @7"),
        .init(
            "a trailer with a tab before its colon", "0\r\nA\t: b\r\n\r\n",
            "400 malformed-trailer @4"),
        .init("a trailer with a bad name", "0\r\nA(: b\r\n\r\n", "400 malformed-trailer @4"),
        .init("a trailer without a name", "0\r\n: b\r\n\r\n", "400 malformed-trailer @3"),
        .init("Host after the body", "0\r\nHost: h\r\n\r\n", "400 malformed-trailer @3"),
        .init(
            "Connection after the body", "0\r\nconnection: x\r\n\r\n", "400 malformed-trailer @3"),
        .init("trailers at the limit", "0\r\nA: \(x(25))\r\n\r\n", " 35"),
        .init(
            "many trailers over the limit", "0\r\n\(String(repeating: "A: b\r\n", count: 6))\r\n",
            "431 trailer-too-large @35 trailerBytesMax=32"),
        .init("a bare LF for the end", "0\r\n\n", "400 malformed-trailer @3"),
        .init("a bare CR for the end", "0\r\n\rA", "400 malformed-trailer @4"),
    ]

    private static func x(_ count: Int) -> String { String(repeating: "x", count: count) }

    private func outcome(_ bytes: [UInt8], pieces: [Int], _ memory: GuardedBytes) -> String {
        var decoder = ChunkedDecoder(limits: Self.limits)
        let out = OutputBuffer()
        var start = 0
        var consumed = 0
        for end in pieces {
            let input = memory.place(bytes[start..<end])
            let result = decoder.decode(input, into: out, bodyBytesMax: Self.bodyBytesMax)
            consumed += result.consumed
            switch result.state {
            case .needMore:
                #expect(result.consumed == end - start)
            case .done:
                return "\(String(decoding: out.bytes, as: UTF8.self)) \(consumed)"
            case .malformed(let error): return HeadOutcome.describe(error)
            }
            start = end
        }
        return "needMore"
    }

    @Test("are decoded as each case says, wherever they are split", arguments: cases)
    func caseHolds(_ one: ChunkedCase) {
        let memory = GuardedBytes(capacity: 4_096)
        let size = one.bytes.count
        #expect(outcome(one.bytes, pieces: [size], memory) == one.outcome)
        for split in 0..<size {
            #expect(
                outcome(one.bytes, pieces: [split, size], memory) == one.outcome,
                "split at \(split)")
        }
        #expect(outcome(one.bytes, pieces: Array(1...size), memory) == one.outcome, "byte by byte")
    }

    @Test("that were decoded leave nothing behind after a reset")
    func resetForgets() {
        var decoder = ChunkedDecoder()
        let out = OutputBuffer()
        for text in ["5\r\nab", "0\r\nA: b", "3;a=\"", "2\r\nab\r\n0\r\n\r\n"] {
            decoder.reset()
            out.removeAll()
            Array(text.utf8).withUnsafeBytes {
                _ = decoder.decode($0, into: out, bodyBytesMax: 5)
            }
        }
        #expect(out.array() == Array("ab".utf8))
    }
}
