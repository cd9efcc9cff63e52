// Errors have to say where: the first offending byte, its line and its column.

import JSONCodec
import Testing

@Suite("Where an error is")
struct ErrorPositionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let text: String
        let code: JSONError.Code
        let offset: Int
        init(_ text: String, _ code: JSONError.Code, _ offset: Int) {
            self.text = text
            self.code = code
            self.offset = offset
        }
        var testDescription: String { "\(code) in \(text.debugDescription)" }
    }

    static let cases: [Case] = [
        Case("", .emptyText, 0),
        Case(" \n", .emptyText, 2),
        Case("\u{FEFF}{}", .byteOrderMark, 0),
        Case("[1", .unexpectedEnd, 2),
        Case("tru", .unexpectedEnd, 3),
        Case("-", .unexpectedEnd, 1),
        Case("1e+", .unexpectedEnd, 3),
        Case("\"abc", .unexpectedEnd, 4),
        Case("\"\\", .unexpectedEnd, 2),
        Case("\"\\uD83D", .unexpectedEnd, 7),
        Case("\"\\uD83D\\", .unexpectedEnd, 8),
        Case("{\"a\"", .unexpectedEnd, 4),
        Case("{\"a\":", .unexpectedEnd, 5),
        Case("x", .expectedValue, 0),
        Case("[,1]", .expectedValue, 1),
        Case("[1,,2]", .expectedValue, 3),
        Case("+1", .expectedValue, 0),
        Case("{1:2}", .expectedKey, 1),
        Case("{,}", .expectedKey, 1),
        Case("{\"a\":1,2}", .expectedKey, 7),
        Case("{\"a\" 1}", .expectedColon, 5),
        Case("{\"a\":1 \"b\":2}", .expectedCommaOrBrace, 7),
        Case("{\"a\":1]", .expectedCommaOrBrace, 6),
        Case("[1 2]", .expectedCommaOrBracket, 3),
        Case("[1}", .expectedCommaOrBracket, 2),
        Case("[1, ]", .trailingComma, 4),
        Case("{\"a\":1,\n}", .trailingComma, 8),
        Case("1 2", .trailingBytes, 2),
        Case("{}}", .trailingBytes, 2),
        Case("truE", .invalidLiteral, 3),
        Case("[nil]", .invalidLiteral, 2),
        Case("-x", .invalidNumber, 1),
        Case("1.x", .invalidNumber, 2),
        Case("1e x", .invalidNumber, 2),
        Case("012", .leadingZero, 1),
        Case("-00", .leadingZero, 2),
        Case("\"a\nb\"", .controlCharacter, 2),
        Case("\"12345678\u{1}\"", .controlCharacter, 9),
        Case("\"\\x\"", .invalidEscape, 2),
        Case("\"\\u12g4\"", .invalidEscape, 5),
        Case("\"ab\\uDC00\"", .loneSurrogate, 3),
        Case("\"ab\\uD800x\"", .loneSurrogate, 3),
        Case("\"ab\\uD800\\n\"", .loneSurrogate, 3),
        Case("\"ab\\uD800\\u0041\"", .loneSurrogate, 3),
        Case("{\"a\":1,\"a\":2}", .duplicateKey, 7),
        Case("{\"a\":1, \"\\u0061\" :2}", .duplicateKey, 8),
        Case(String(repeating: "[", count: 65), .depthLimit, 64),
    ]

    @Test("the code and the byte are the expected ones", arguments: cases)
    func position(_ expected: Case) throws {
        let error = try #require(JSONTape().error(expected.text))
        #expect(error.code == expected.code)
        #expect(error.offset == expected.offset)
        let bytes = Array(expected.text.utf8)
        #expect(error.found == (error.offset < bytes.count ? bytes[error.offset] : nil))
    }

    @Test("every code is reached by some text")
    func codes() {
        let reached = Set(Self.cases.map(\.code))
        // Limits have tests of their own; bytes outside UTF-8 cannot stand in a Swift string.
        let elsewhere: Set<JSONError.Code> = [
            .documentBytesLimit, .valuesLimit, .invalidUTF8, .outOfMemory,
        ]
        #expect(reached.union(elsewhere) == Set(JSONError.Code.allCases))
    }

    @Test("malformed UTF-8 is reported at its first byte")
    func malformed() throws {
        let error = try #require(JSONTape().error([0x22, 0x61, 0xC3, 0xA9, 0xE2, 0x82, 0x22]))
        #expect(error.code == .invalidUTF8)
        #expect(error.offset == 4)
        #expect(error.column == 4)
    }

    @Test("lines end with LF and columns count scalars")
    func lines() throws {
        let error = try #require(JSONTape().error("{\r\n \"é€😀\":\n\n \"ü\" x}"))
        #expect(error.line == 4)
        #expect(error.column == 6)
        #expect(error.reason == "expected ',' or '}' but found 'x' at line 4, column 6")
    }

    @Test("the first error in the text is reported, even if a later one comes to light earlier")
    func first() throws {
        // The inner duplicate and the syntax error are met while the outer object is still open.
        for text in [
            #"{"k":1,"k":{"x":1,"x":2}}"#, #"{"k":1,"k":[1,}"#, #"{"k":1,"k""#, #"{"k":1,"k":"#,
            #"{"k":1,"k":[{"a":1"#, #"{"k":1,"k":2,"b":{"c":[tru"#, #"{"k":1,"k":2"#,
        ] {
            let error = try #require(JSONTape().error(text))
            #expect(error.code == .duplicateKey, "\(text)")
            #expect(error.offset == 7, "\(text)")
            #expect(error.key == "k")
            #expect(error.pointer == "/k")
        }
    }

    @Test("a duplicate is named, with a pointer to it")
    func pointer() throws {
        let error = try #require(
            JSONTape().error(#"{"n":[0,{"a/b":{"~":1,"y":[[]],"~":2}}]}"#))
        #expect(error.key == "~")
        #expect(error.pointer == "/n/1/a~1b/~0")
        #expect(
            error.reason == "the member \"~\" occurs twice, the second time at line 1, column 32")
    }

    @Test("a very long name is cut at a character in the error")
    func longName() throws {
        let name = String(repeating: "é", count: 5_000)
        let error = try #require(JSONTape().error("{\"x\(name)\":1,\"x\(name)\":2}"))
        #expect(error.key == "x" + String(repeating: "é", count: 127))
        #expect(error.pointer == nil)
    }
}
