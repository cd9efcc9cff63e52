// Every short text over a small alphabet, judged by the reader and by the reference.

import JSONCodec
import JSONReference
import Testing

@Suite("All short texts")
struct ExhaustiveTextTests {
    struct Family: CustomTestStringConvertible, Sendable {
        let name: String
        let alphabet: [[UInt8]]
        let length: Int
        var before = ""
        var after = ""
        var testDescription: String { "\(name), up to \(length) symbols" }

        init(
            _ name: String, _ symbols: [String], _ length: Int, before: String = "",
            after: String = ""
        ) {
            self.name = name
            alphabet = symbols.map { Array($0.utf8) }
            self.length = length
            self.before = before
            self.after = after
        }
    }

    static let families: [Family] = [
        Family("structure", ["{", "}", "[", "]", ",", ":", "\"", "1", " "], 5),
        Family("objects", ["{", "}", ",", "\"a\"", "\"b\"", "\"\\u0061\"", ":", "0", "[", "]"], 5),
        Family("members", [",", "\"a\":", "\"b\":", "1", "{", "}"], 6, before: "{", after: "}"),
        Family("numbers", ["-", "+", "0", "1", ".", "e", "E"], 5),
        Family("number in array", ["-", "0", "9", ".", "e", "+", ","], 5, before: "[", after: "]"),
        Family("literals", ["t", "r", "u", "e", "n", "l"], 5),
        Family(
            "escapes", ["\\", "u", "0", "n", "\"", "a", "\u{1F}"], 5, before: "\"", after: "\""),
        Family(
            "surrogates", ["\\", "u", "D8", "DC", "00", "\\uD83D", "\\uDE00"], 5, before: "\"",
            after: "\""),
    ]

    @Test("the reader agrees with the reference", arguments: families)
    func agreement(_ family: Family) {
        let tape = JSONTape()
        var disagreements = 0
        func visit(_ text: [UInt8], _ left: Int) {
            let whole = Array(family.before.utf8) + text + Array(family.after.utf8)
            if !agrees(tape, whole), disagreements < 5 {
                disagreements += 1
                Issue.record("\(String(decoding: whole, as: UTF8.self).debugDescription)")
            }
            guard left > 0 else { return }
            for symbol in family.alphabet { visit(text + symbol, left - 1) }
        }
        visit([], family.length)
    }

    @Test("sequences of bytes outside ASCII are accepted exactly when they are UTF-8")
    func utf8() {
        let tape = JSONTape()
        let followers: [[UInt8]] = [
            [
                0x00, 0x22, 0x5C, 0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xED, 0xF4,
                0xFF,
            ],
            [0x22, 0x7F, 0x80, 0xBF, 0xC0],
            [0x7F, 0x80, 0xBF],
        ]
        var disagreements = 0
        func visit(_ content: [UInt8]) {
            // In quotes, and with the text ending right there.
            for text in [[0x22] + content + [0x22], [0x22] + content]
            where !agrees(tape, text) && disagreements < 5 {
                disagreements += 1
                Issue.record("\(text.map { String($0, radix: 16) })")
            }
            guard content.count <= followers.count else { return }
            for byte in followers[content.count - 1] { visit(content + [byte]) }
        }
        for lead in 0x80...0xFF as ClosedRange<UInt8> { visit([lead]) }
    }

    @Test("each four-digit escape means its scalar, unless it is a surrogate")
    func escapes() throws {
        let tape = JSONTape()
        for number in 0...0xFFFF as ClosedRange<UInt32> {
            let digits = String(number, radix: 16, uppercase: number % 2 == 0)
            let padded = String(repeating: "0", count: 4 - digits.count) + digits
            let result = tape.read(Array("\"\\u\(padded)\"".utf8))
            if let scalar = Unicode.Scalar(number) {
                try #require(try result.get() == .string(Array(String(scalar).utf8)))
            } else {
                guard case .failure(let error) = result, error.code == .loneSurrogate else {
                    Issue.record("accepted \\u\(padded)")
                    continue
                }
            }
        }
    }

    @Test("surrogate pairs mean the scalar beyond the basic plane")
    func pairs() throws {
        let tape = JSONTape()
        for number in stride(from: 0x10000 as UInt32, through: 0x10FFFF, by: 257) {
            let scalar = try #require(Unicode.Scalar(number))
            let units = String(scalar).utf16.map { "\\u" + String($0, radix: 16) }.joined()
            try #require(
                try tape.read(Array("\"\(units)\"".utf8)).get()
                    == .string(Array(String(scalar).utf8)))
        }
    }
}

/// Whether the reader and the reference say the same, the position of an error included.
func agrees(_ tape: JSONTape, _ text: [UInt8]) -> Bool {
    let verdict = ReferenceReader.judge(text)
    switch tape.read(text) {
    case .success: return verdict == .accepted
    case .failure(let error):
        let isUnfinished = error.code == .unexpectedEnd || error.code == .emptyText
        return verdict == (isUnfinished ? .incomplete : .wrong(at: error.offset))
            && (!isUnfinished || error.offset == text.count)
    }
}
