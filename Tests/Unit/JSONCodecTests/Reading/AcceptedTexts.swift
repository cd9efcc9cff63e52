// Texts every reader of RFC 8259 must accept: the families of the public JSON parsing test suite's
// `y_` files, each written out again as one line.

import JSONCodec
import JSONReference
import Testing

enum AcceptedTexts {
    static let arrays: [NamedText] = [
        NamedText("array with spaces", "[[]   ]"),
        NamedText("array with an empty string", "[\"\"]"),
        NamedText("empty array", "[]"),
        NamedText("array ending with a newline", "[\"a\"\n]"),
        NamedText("array with false", "[false]"),
        NamedText("array of every kind", "[null, 1, \"1\", {}, [], true]"),
        NamedText("array with null", "[null]"),
        NamedText("array with an element and a newline", "[1\n]"),
        NamedText("array with leading space", " [1]"),
        NamedText("array with several nulls", "[1,null,null,null,2]"),
        NamedText("array with trailing space", "[2] "),
    ]

    static let numbers: [NamedText] = [
        NamedText("number with exponent", "[123e65]"),
        NamedText("zero with exponent", "[0e+1]"),
        NamedText("zero with plain exponent", "[0e1]"),
        NamedText("number after a space", "[ 4]"),
        NamedText("double close to zero", "[-0." + String(repeating: "0", count: 77) + "1]"),
        NamedText("integer with exponent", "[20e1]"),
        NamedText("minus zero", "[-0]"),
        NamedText("negative integer", "[-123]"),
        NamedText("negative one", "[-1]"),
        NamedText("real with capital E", "[1E22]"),
        NamedText("real with capital E and minus", "[1E-2]"),
        NamedText("real with capital E and plus", "[1E+2]"),
        NamedText("real with exponent", "[123e45]"),
        NamedText("real with fraction and exponent", "[123.456e78]"),
        NamedText("real with minus in the exponent", "[1e-2]"),
        NamedText("real with plus in the exponent", "[1e+2]"),
        NamedText("simple integer", "[123]"),
        NamedText("simple real", "[123.456789]"),
        NamedText("zero with a fraction of zero", "[0.0]"),
        NamedText("exponent with leading zeros", "[1e0000002]"),
    ]

    static let objects: [NamedText] = [
        NamedText("basic object", "{\"asd\":\"sdf\"}"),
        NamedText("two members", "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}"),
        NamedText("empty object", "{}"),
        NamedText("empty key", "{\"\":0}"),
        NamedText("escaped NUL in key", "{\"foo\\u0000bar\": 42}"),
        NamedText("extreme numbers", "{ \"min\": -1.0e+28, \"max\": 1.0e+28 }"),
        NamedText(
            "long strings",
            "{\"x\":[{\"id\": \"" + String(repeating: "x", count: 40) + "\"}], \"id\": \""
                + String(repeating: "x", count: 40) + "\"}"),
        NamedText("simple object", "{\"a\":[]}"),
        NamedText("Cyrillic in escapes", "{\"title\":\"\\u041f\\u043e\\u043b\"}"),
        NamedText("object with newlines", "{\n\"a\": \"b\"\n}"),
        NamedText("the same key in different objects", "{\"a\":{\"a\":{\"a\":1}},\"b\":{\"a\":2}}"),
        NamedText("keys that differ in case", "{\"a\":1,\"A\":2}"),
        NamedText("keys equivalent but not equal", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
    ]

    static let strings: [NamedText] = [
        NamedText("escapes of one to three bytes", "[\"\\u0060\\u012a\\u12AB\"]"),
        NamedText("accepted surrogate pair", "[\"\\uD801\\udc37\"]"),
        NamedText("accepted surrogate pairs", "[\"\\ud83d\\ude39\\ud83d\\udc8d\"]"),
        NamedText("all short escapes", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]"),
        NamedText("backslash and an escaped quote", "[\"\\\\u0000\"]"),
        NamedText("escaped backslash and quote", "[\"\\\"\"]"),
        NamedText("comments inside a string", "[\"a/*b*/c/*d//e\"]"),
        NamedText("escaped backslash before a letter", "[\"\\\\a\"]"),
        NamedText("escaped backslash before n", "[\"\\\\n\"]"),
        NamedText("escaped control", "[\"\\u0012\"]"),
        NamedText("escaped noncharacter U+FFFF", "[\"\\uFFFF\"]"),
        NamedText("string in an array", "[\"asd\"]"),
        NamedText("string after a space", "[ \"asd\"]"),
        NamedText("last surrogate pairs", "[\"\\uDBFF\\uDFFF\"]"),
        NamedText("escaped no-break space", "[\"new\\u00A0line\"]"),
        NamedText(
            "noncharacter U+10FFFF", bytes: [0x5B, 0x22, 0xF4, 0x8F, 0xBF, 0xBF, 0x22, 0x5D]),
        NamedText("noncharacter U+FFFF", bytes: [0x5B, 0x22, 0xEF, 0xBF, 0xBF, 0x22, 0x5D]),
        NamedText("escaped NUL", "[\"\\u0000\"]"),
        NamedText("escaped comma", "[\"\\u002c\"]"),
        NamedText("pi", "[\"\u{3C0}\"]"),
        NamedText("reserved character", "[\"\u{1BFFF}\"]"),
        NamedText("simple ASCII", "[\"asd \"]"),
        NamedText("bare string", "\" \""),
        NamedText("G clef as a pair", "[\"\\uD834\\uDd1e\"]"),
        NamedText("three bytes of UTF-8", "[\"\\u0821\"]"),
        NamedText("two bytes of UTF-8", "[\"\\u0123\"]"),
        NamedText("line separator unescaped", "[\"\u{2028}\"]"),
        NamedText("paragraph separator unescaped", "[\"\u{2029}\"]"),
        NamedText("DEL unescaped", "[\"a\u{7F}a\"]"),
        NamedText("escaped letter", "[\"\\u0061\\u30af\\u30EA\\u30b9\"]"),
        NamedText("escaped quote by number", "[\"\\u0022\"]"),
        NamedText("escaped backslash by number", "[\"\\u005C\"]"),
        NamedText("escaped invisible plus", "[\"\\u2064\"]"),
        NamedText("escaped noncharacter pair", "[\"\\uDBFF\\uDFFE\"]"),
        NamedText("escaped U+1FFFE", "[\"\\uD83F\\uDFFE\"]"),
        NamedText("escaped U+FDD0", "[\"\\uFDD0\"]"),
        NamedText("escaped U+FFFE", "[\"\\uFFFE\"]"),
        NamedText("byte order mark inside a string", "[\"\u{FEFF}\"]"),
        NamedText("text beyond the basic plane", "[\"\u{20AC}\u{1D11E}\"]"),
    ]

    static let structures: [NamedText] = [
        NamedText("lonely false", "false"),
        NamedText("lonely integer", "42"),
        NamedText("lonely negative real", "-0.1"),
        NamedText("lonely null", "null"),
        NamedText("lonely string", "\"asd\""),
        NamedText("lonely true", "true"),
        NamedText("empty string", "\"\""),
        NamedText("newline at the end", "[\"a\"]\n"),
        NamedText("true in an array", "[true]"),
        NamedText("white space in an array", " [] "),
        NamedText("all white space characters", "\t\n\r [\t\n\r 1\t\n\r ,\t\n\r 2\t\n\r ]\t\n\r "),
        NamedText(
            "white space around everything",
            "\n{\t\"a\"\r:\n[\t]\r,\n\"b\"\t:\r{\n}\t}\r"),
    ]

    static let all = arrays + numbers + objects + strings + structures
}

@Suite("Texts that are JSON")
struct AcceptedTextTests {
    @Test("a text of the accepted families is read", arguments: AcceptedTexts.all)
    func accepted(_ text: NamedText) {
        #expect(JSONTape().error(text.bytes) == nil)
        #expect(ReferenceReader.judge(text.bytes) == .accepted)
    }

    @Test("an accepted text survives being written and read again", arguments: AcceptedTexts.all)
    func written(_ text: NamedText) throws {
        let tape = JSONTape()
        let tree = try tape.read(text.bytes).get()
        var writer = JSONWriter()
        tree.write(to: &writer)
        #expect(try tape.read(writer.array()).get() == tree)
    }

    /// The suite leaves these to the reader; this is what this reader does with them.
    @Test(
        "numbers of any size and precision are read",
        arguments: [
            "[0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999]",
            "[-1e+9999]", "[1.5e+9999]", "[-123123e100000]", "[123123e100000]", "[123e-10000000]",
            "[-123123123123123123123123123123]", "[100000000000000000000]",
            "[-237462374673276894279832749832423479823246327846]", "[1e-400]", "[1E400]",
        ])
    func anySize(_ text: String) {
        #expect(JSONTape().error(text) == nil)
    }
}
