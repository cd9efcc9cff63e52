// Text of CSS that may stand in a declaration of a style sheet.

import Testing
import TraitEngine

@Suite("Text of CSS")
struct StyleValueTests {
    @Test(
        "Text that ends neither its declaration nor the sheet is balanced",
        arguments: [
            "", " ", "red", "1px solid rgb(0 0 0 / 50%)", "\"a;b}\" 'c{\"'", "\"a\\\"b\"",
            "/* ; } ! */ a",
            "{a;b!}", "[a](b){c}", "var(--x, {a})", "url(a.png)", "url( a.png )", "url(\"a b)\")",
            "URL(//x/y?z=1&w=2)", "curl(a b)", "my-url(a b)", "a < b > c", "é\u{10ffff}", "-->",
            "a/b*c/",
        ])
    func balanced(text: String) { #expect(StyleValue.isBalanced(text)) }

    @Test(
        "Text that would go on behind its declaration, or end the element around it, is not",
        arguments: [
            ";", "a;b", "!important", "(", ")", "[)", "{]", "a}", "\"", "'", "\"a'", "\"a\\\"",
            "a\\", "\\61",
            "\"\\", "/*", "/* *", "/*/", "</style>", "\"</style>\"", "/* </style> */", "<!--",
            "\"\\</style>\"", "url(", "url(a b)", "url(a'b)", "url(a(b))", "url(\\29)", "Url(/*)",
            "url(a/*)",
            "#url(a b)", "url(a{b)", "\u{0}", "a\nb", "\"a\nb\"", "\"\\\n\"", "/*\n*/", "\u{7f}",
            "\u{c}",
        ])
    func unbalanced(text: String) { #expect(!StyleValue.isBalanced(text)) }

    @Test("No text that is balanced ends a declaration, whatever its bytes")
    func everyShortText() {
        // Every text of four of the bytes that mean something to CSS, read by a machine of its own.
        let bytes = Array("()[]{}\"';!/*a\\<u".utf8)
        var count = 0
        for number in 0..<(bytes.count * bytes.count * bytes.count * bytes.count) {
            var (rest, text) = (number, [UInt8]())
            for _ in 0..<4 {
                text.append(bytes[rest % bytes.count])
                rest /= bytes.count
            }
            guard StyleValue.isBalanced(String(decoding: text, as: UTF8.self)) else { continue }
            count += 1
            if !Self.endsAtMark(text) { Issue.record("\(String(decoding: text, as: UTF8.self))") }
        }
        #expect(count > 500)
    }

    /// Whether the first `;` outside of strings, comments and brackets in the text and `;` behind it is that last one.
    private static func endsAtMark(_ text: [UInt8]) -> Bool {
        let all = text + [UInt8(ascii: ";")]
        var depth = 0
        var position = 0
        while position < all.count {
            let byte = all[position]
            let next = position + 1 < all.count ? all[position + 1] : 0
            if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                position += 2
                while position + 1 < all.count, all[position] != 0x2a || all[position + 1] != 0x2f {
                    position += 1
                }
                position += 2
                continue
            }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                position += 1
                while position < all.count, all[position] != byte {
                    position += all[position] == UInt8(ascii: "\\") ? 2 : 1
                }
            } else if "([{".utf8.contains(byte) {
                depth += 1
            } else if ")]}".utf8.contains(byte) {
                depth -= 1
                if depth < 0 { return false }
            } else if byte == UInt8(ascii: "\\") {
                position += 1
            } else if byte == UInt8(ascii: ";"), depth == 0 {
                return position == all.count - 1
            }
            position += 1
        }
        return false
    }
}
