// The canonical text of a value.

import JSONCodec
import Testing

@Suite("Canonical text")
struct CanonicalTests {
    private func canonical(_ text: String, depthMax: Int = 16) throws -> String {
        try JSONTape().with(text) { value in
            var writer = JSONWriter()
            try writer.canonical(value, depthMax: depthMax)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    @Test("a text has the canonical text that this table says, which is its own")
    func vectors() throws {
        let vectors: [(String, String)] = [
            ("null", "null"), (" true ", "true"), ("-0", "0"), ("0.0e9", "0"), ("-0.000E-5", "0"),
            ("2", "2"), ("2.0", "2"), ("2e0", "2"), ("20e-1", "2"), ("0.2E+1", "2"),
            ("-2.50", "-2.5"),
            ("1e20", "100000000000000000000"), ("1e21", "1e+21"), ("12345e20", "1.2345e+24"),
            ("0.000001", "0.000001"), ("1e-7", "1e-7"), ("0.00000012", "1.2e-7"),
            ("9007199254740993", "9007199254740993"), ("100", "100"), ("1.5e1", "15"),
            ("12345678901234567890123", "1.2345678901234567890123e+22"),
            ("0.1000000000000000055", "0.1000000000000000055"), ("1e308", "1e+308"),
            ("5e-324", "5e-324"), ("-1.7976931348623157e308", "-1.7976931348623157e+308"),
            ("\"\\u0041\\/\\u00e9\\n\"", "\"A/é\\n\""), ("\"\\ud83d\\ude00\"", "\"😀\""),
            ("{ }", "{}"), ("[ 1 , [ ] ]", "[1,[]]"),
            ("{\"b\":1,\"a\":{\"d\":1.0,\"c\":null}}", "{\"a\":{\"c\":null,\"d\":1},\"b\":1}"),
            // The order of bytes: é is C3 A9, the emoji F0 …, U+FFFD is EF ….
            (
                "{\"\\ud83d\\ude00\":1,\"\\ufffd\":2,\"é\":3,\"z\":4,\"\":5}",
                "{\"\":5,\"z\":4,\"é\":3,\"\u{FFFD}\":2,\"😀\":1}"
            ),
            ("{\"e\\u0301\":1,\"\\u00e9\":2}", "{\"e\u{301}\":1,\"é\":2}"),
        ]
        for (text, expected) in vectors {
            #expect(try canonical(text).utf8.elementsEqual(expected.utf8), "\(text)")
            #expect(try canonical(expected).utf8.elementsEqual(expected.utf8), "\(expected)")
        }
    }

    @Test(
        "a number that readers take for infinite or for 0 has none",
        arguments: [
            "1e309", "-1e400", "1.7976931348623159e308", "1e-400", "-1e-324",
            "1e99999999999999999999",
            "[{\"a\":1e999}]",
        ])
    func range(_ text: String) {
        #expect(throws: JSONCanonicalFault.self) { try canonical(text) }
    }

    @Test("levels are counted as containers inside one another")
    func depth() throws {
        #expect(try canonical("1", depthMax: 0) == "1")
        #expect(throws: JSONCanonicalFault.depth) { try canonical("[]", depthMax: 0) }
        #expect(try canonical("[{\"a\":[]}]", depthMax: 3) == "[{\"a\":[]}]")
        #expect(throws: JSONCanonicalFault.depth) { try canonical("[{\"a\":[]}]", depthMax: 2) }
    }

    @Test("the nearest double of a number is that of its canonical text")
    func doubles() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let value = Double(bitPattern: random.next())
            if !value.isFinite { continue }
            let text = try canonical("\(value)")
            #expect(Double(text) == value, "\(value) \(text)")
            var writer = JSONWriter()
            writer.value(value)
            #expect(text == String(decoding: writer.bytes, as: UTF8.self))
        }
    }
}
