// What the escapes in a piece of a target become, and which are refused.

import Testing

@testable import HTTPWire

@Suite("Percent-decoding")
struct PercentDecodingTests {
    private func decode(_ text: String, _ context: PercentContext) -> String {
        let out = OutputBuffer()
        out.append("=" as StaticString)
        let error: WireError? = Array(text.utf8).withUnsafeBytes { piece in
            do throws(WireError) {
                try percentDecode(piece, context, into: out)
                return nil
            } catch {
                return error
            }
        }
        if let error {
            #expect(out.count == 1)
            return HeadOutcome.describe(error)
        }
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test(
        "of a path segment",
        arguments: [
            ("", "="), ("abc", "=abc"), ("%41", "=A"), ("a%2Db", "=a-b"), ("%c3%A9", "=é"),
            ("a+b", "=a+b"), ("%2525", "=%25"), ("a%20", "=a "),
            ("%", "400 malformed-percent-encoding @0"),
            ("a%4", "400 malformed-percent-encoding @1"),
            ("%4g", "400 malformed-percent-encoding @0"),
            ("%+4", "400 malformed-percent-encoding @0"),
            ("%%41", "400 malformed-percent-encoding @0"),
            ("%é", "400 malformed-percent-encoding @0"),
            ("a%2Fb", "400 encoded-separator @1"), ("%2f", "400 encoded-separator @0"),
            ("%5C", "400 encoded-separator @0"), ("a%00", "400 encoded-separator @1"),
        ])
    func segment(_ text: String, _ expected: String) {
        #expect(decode(text, .pathSegment) == expected)
    }

    @Test(
        "of a piece of a query",
        arguments: [
            ("a+b", "=a b"), ("a%2Bb", "=a+b"), ("%2F", "=/"), ("+", "= "),
            ("%2", "400 malformed-percent-encoding @0"),
            ("%00", "400 encoded-separator @0"),
        ])
    func query(_ text: String, _ expected: String) {
        #expect(decode(text, .query) == expected)
    }
}
