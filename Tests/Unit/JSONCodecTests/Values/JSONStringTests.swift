// Strings and names: content after unescaping, compared as bytes.

import JSONCodec
import Testing

@Suite("Strings")
struct JSONStringTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let source: String
        let content: String
        let isEscaped: Bool
        var testDescription: String { source }
    }

    static let cases: [Case] = [
        Case(source: #""""#, content: "", isEscaped: false),
        Case(source: #""plain""#, content: "plain", isEscaped: false),
        Case(source: #""é€😀""#, content: "é€😀", isEscaped: false),
        Case(source: #""\"\\\/\b\f\n\r\t""#, content: "\"\\/\u{8}\u{C}\n\r\t", isEscaped: true),
        Case(source: #""\u00e9\u20AC\uD83D\uDE00""#, content: "é€😀", isEscaped: true),
        Case(source: #""a\u0000b""#, content: "a\u{0}b", isEscaped: true),
        Case(source: #""before\nafter and é""#, content: "before\nafter and é", isEscaped: true),
        Case(source: #""éé\tüü""#, content: "éé\tüü", isEscaped: true),
        Case(source: #""\n""#, content: "\n", isEscaped: true),
    ]

    @Test("the content is the source with its escapes resolved", arguments: cases)
    func content(_ expected: Case) throws {
        // Twice in one text, as value and as name, behind other escaped strings.
        try JSONTape().with(#"["\t",{\#(expected.source):\#(expected.source)}]"#) { root in
            let object = try #require(root.elements.map { $0 }.last)
            for (key, value) in object.members {
                let string = try #require(value.string)
                for found in [key, string] {
                    #expect(found.string == expected.content)
                    #expect(found.count == expected.content.utf8.count)
                    #expect(found.isEscaped == expected.isEscaped)
                    #expect(found.bytes.elementsEqual(expected.content.utf8))
                    #expect(found.equals(string.bytes))
                }
                #expect(key == string)
            }
        }
    }

    @Test("every escape at every position among plain and non-ASCII text is resolved")
    func positions() throws {
        let tape = JSONTape()
        let escapes = [("\\n", "\n"), ("\\u0041", "A"), ("\\uD83D\\uDE00", "😀"), ("é", "é")]
        for before in 0..<20 {
            for after in 0..<20 {
                for (source, content) in escapes {
                    let left = String(repeating: "l", count: before)
                    let right = String(repeating: "r", count: after)
                    try tape.with("\"\(left)\(source)\(right)\(source)\"") { root in
                        try #require(root.string?.string == left + content + right + content)
                    }
                }
            }
        }
    }

    @Test("strings compare with literals and match them in a switch")
    func literals() throws {
        try JSONTape().with(#"["unspecified","d\u0061rk",""]"#) { root in
            let strings = root.elements.compactMap(\.string)
            #expect(strings[0] == "unspecified")
            #expect(!(strings[0] == "unspecifie"))
            #expect(!(strings[0] == "unspecified "))
            #expect(strings[1] == "dark")
            #expect(strings[2] == "")
            #expect(!(strings[2] == "x"))
            let names = strings.map { string in
                switch string {
                case "dark": 1
                case "unspecified": 2
                default: 3
                }
            }
            #expect(names == [2, 1, 3])
        }
    }

    @Test("a prefix ends at a whole character")
    func prefix() throws {
        try JSONTape().with(#""aé€😀z""#) { root in
            let string = try #require(root.string)
            let prefixes = (-1...12).map { string.prefix(bytesMax: $0) }
            #expect(
                prefixes == [
                    "", "", "a", "a", "aé", "aé", "aé", "aé€", "aé€", "aé€", "aé€", "aé€😀",
                    "aé€😀z", "aé€😀z",
                ])
        }
    }
}
