// Integers are exact: whatever is one, however it is written, and nothing that is not.

import JSONCodec
import SeededRandom
import Testing

@Suite("Integers")
struct IntegerTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let text: String
        let value: Int64?
        init(_ text: String, _ value: Int64?) {
            self.text = text
            self.value = value
        }
        var testDescription: String { String(text.prefix(60)) }
    }

    static let cases: [Case] = [
        Case("0", 0), Case("-0", 0), Case("0.0", 0), Case("-0.000e9", 0),
        Case("0e999999999999999999999", 0), Case("0e-999999999999999999999", 0),
        Case("1", 1), Case("-1", -1), Case("1.0", 1), Case("1e0", 1), Case("1e2", 100),
        Case("1E+2", 100), Case("100e-2", 1), Case("1.5e1", 15), Case("12.50e1", 125),
        Case("0.001e3", 1), Case("-2.50e+2", -250), Case("1e18", 1_000_000_000_000_000_000),
        Case("0.0000000000000000000000000000001e31", 1),
        Case("10000000000000000000000000000000000e-34", 1),
        Case("1" + String(repeating: "0", count: 2_000) + "e-2000", 1),
        Case("0." + String(repeating: "0", count: 2_000) + "7e2001", 7),
        Case("9007199254740993", 9_007_199_254_740_993),
        Case("999999999999999999", 999_999_999_999_999_999),
        Case("1000000000000000000", 1_000_000_000_000_000_000),
        Case("9223372036854775807", .max), Case("-9223372036854775808", .min),
        Case("9223372036854775807.0", .max), Case("9.223372036854775807e18", .max),
        Case("-922337203685477580.8e1", .min), Case("922337203685477580700e-2", .max),
        Case("9223372036854775808", nil), Case("-9223372036854775809", nil),
        Case("18446744073709551616", nil), Case("9999999999999999999", nil),
        Case("-9999999999999999999", nil), Case("99999999999999999999", nil),
        Case("1e19", nil), Case("1e999999999999999999999", nil), Case("1e-1", nil),
        Case("1e-999999999999999999999", nil), Case("1.5", nil), Case("-0.1", nil),
        Case("9223372036854775806.5", nil), Case("0.99999999999999999999999999", nil),
        Case("1.00000000000000000000000000000001", nil),
        Case("12345678901234567890e-1", 1_234_567_890_123_456_789),
        Case("12345678901234567891e-1", nil),
    ]

    @Test("a number is the integer it stands for, or none", arguments: cases)
    func exact(_ expected: Case) throws {
        try JSONTape().with(expected.text) { #expect($0.int64 == expected.value) }
    }

    @Test("random integers are read exactly, in many spellings")
    func random() throws {
        var random = SeededRandom.make("random integers")
        let tape = JSONTape()
        for _ in 0..<5_000 {
            let shift = UInt64.random(in: 0..<64, using: &random)
            let value = Int64(truncatingIfNeeded: random.next()) >> Int64(shift)
            let zeros = Int.random(in: 0...5, using: &random)
            let tail = String(repeating: "0", count: zeros)
            for text in [
                "\(value)", "\(value).\(tail)0",
                "\(value)\(value == 0 ? "" : tail)e-\(value == 0 ? 0 : zeros)",
                "\(value)e0",
            ] {
                try tape.with(text) { root in
                    try #require(root.int64 == value, "\(text)")
                    try #require(root.double == Double(text), "\(text)")
                }
            }
        }
    }

    @Test("what is no number is no integer")
    func others() throws {
        try JSONTape().with(#"["1",true,null,[1],{"a":1}]"#) { root in
            for element in root.elements {
                #expect(element.int64 == nil)
                #expect(element.double == nil)
            }
        }
    }
}
