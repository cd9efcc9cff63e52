// What the escapes in a piece of a target become, and which are refused.

import Testing

@testable import TraitService

@Suite("Percent-decoding")
struct PercentEncodingTests {
    private func decode(_ text: String) -> String? {
        Array(text.utf8).withUnsafeBytes { PercentEncoding.decode($0) }
    }

    @Test(
        "turns escapes into the text that they stand for",
        arguments: [
            ("", ""), ("abc", "abc"), ("%41", "A"), ("a%2Db", "a-b"), ("%c3%A9", "é"),
            ("a+b", "a+b"), ("a%2Bb", "a+b"), ("%2525", "%25"), ("a%20", "a "), ("%2F", "/"),
        ])
    func decodes(_ text: String, _ expected: String) {
        #expect(decode(text) == expected)
    }

    @Test(
        "refuses malformed escapes and what is no UTF-8",
        arguments: ["%", "a%4", "%4g", "%+4", "%%41", "%é", "%2", "%ff", "%c3", "%C3%28"])
    func refuses(_ text: String) {
        #expect(decode(text) == nil)
    }
}
