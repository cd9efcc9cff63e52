// Indented JSON: the layout is the same wherever the text is split.

import Testing

@testable import JSONCodec

@Suite("Laying out JSON")
struct JSONIndenterTests {
    private static func layout(_ parts: [[UInt8]]) -> String {
        var indenter = JSONIndenter()
        var bytes: [UInt8] = []
        for part in parts {
            part.withUnsafeBytes { indenter.lay($0) { bytes += $0 } }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let cases: [(String, String)] = [
        ("null\n", "null\n"), ("{}\n", "{}\n"), ("[]\n", "[]\n"), ("[[],{}]", "[\n  [],\n  {}\n]"),
        (
            #"{"a":1,"b":[true,"x, y: {\"[\\"],"c":{"d":{}}}"# + "\n",
            """
            {
              "a": 1,
              "b": [
                true,
                "x, y: {\\"[\\\\"
              ],
              "c": {
                "d": {}
              }
            }

            """
        ),
        ("{ \"a\" :\t[ 1 ,\r\n 2 ] }", "{\n  \"a\": [\n    1,\n    2\n  ]\n}"),
        ("[ ]", "[]"), ("{ \n }", "{}"),
    ]

    @Test("has two spaces a level, and empty containers on one line", arguments: cases.indices)
    func layout(index: Int) {
        let (text, wanted) = Self.cases[index]
        #expect(Self.layout([Array(text.utf8)]) == wanted)
    }

    @Test("is the same wherever the text is split, and counted as it is written")
    func split() {
        for (text, wanted) in Self.cases {
            let bytes = Array(text.utf8)
            for cut in 0...bytes.count {
                #expect(Self.layout([Array(bytes[..<cut]), Array(bytes[cut...])]) == wanted)
            }
            #expect(Self.layout(bytes.map { [$0] }) == wanted)
            #expect(bytes.withUnsafeBytes { JSONIndenter.count(of: $0) } == wanted.utf8.count)
        }
    }

    @Test("goes as deep as the text")
    func deep() {
        let depth = 200
        let text = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        let lines = Self.layout([Array(text.utf8)]).split(separator: "\n")
        #expect(lines.count == 2 * depth + 1)
        for (number, line) in lines.enumerated() {
            let level = min(number, 2 * depth - number)
            #expect(line.prefix { $0 == " " }.count == 2 * level)
        }
    }
}
