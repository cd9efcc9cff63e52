// A text cut off anywhere must be refused as unfinished, exactly at its end, and without a look at
// the byte that is no longer there.

import GuardedBytes
import JSONCodec
import Testing

@Suite("Texts cut off")
struct TruncationTests {
    static let texts: [NamedText] =
        AcceptedTexts.all.filter { isContainer($0.bytes) } + [
            NamedText(
                "a node",
                #"{"id":"w\u0131ndow","kind":"view","parent":null,"overrides":{"scale":2.75,"#
                    + #""userInterfaceStyle":"dark","é":[true,false,-1.5E+3]},"n":[[],{},""]}"#),
            NamedText(
                "long runs",
                "[\"" + String(repeating: "x", count: 70) + "\\n€😀\\uD83D\\uDE00\"]"),
        ]

    private static func isContainer(_ bytes: [UInt8]) -> Bool {
        let first = bytes.first { $0 > 0x20 }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    @Test("each beginning of a text is unfinished at its end", arguments: texts)
    func everyPrefix(_ text: NamedText) throws {
        let tape = JSONTape()
        let end = (text.bytes.lastIndex { $0 > 0x20 } ?? 0) + 1
        for count in 0..<end {
            let prefix = Array(text.bytes[..<count])
            let guarded = GuardedBytes(prefix)
            guard case .failure(let error) = tape.read(guarded.bytes) else {
                Issue.record("accepted the first \(count) bytes of \(text.name)")
                continue
            }
            let isEmpty = prefix.allSatisfy { $0 <= 0x20 }
            #expect(error.code == (isEmpty ? .emptyText : .unexpectedEnd), "\(count) bytes")
            #expect(error.offset == count)
        }
    }

    @Test(
        "no byte beyond the text is read, whatever is wrong with it",
        arguments: AcceptedTexts.all + RefusedTexts.all)
    func guardPage(_ text: NamedText) throws {
        let tape = JSONTape()
        let step = max(1, text.bytes.count / 64)
        for count in stride(from: 0, through: text.bytes.count, by: step) {
            let prefix = Array(text.bytes[..<count])
            let guarded = GuardedBytes(prefix)
            #expect(tape.read(guarded.bytes) == tape.read(prefix), "\(count) bytes")
        }
    }

    @Test("names before the end of the text are hashed without reading beyond it")
    func names() throws {
        for length in 0..<40 {
            let name = String(repeating: "n", count: length)
            for text in ["{\"\(name)\":1,\"\(name)\"", "{\"\(name)\":1,\"\(name)\":[1"] {
                let guarded = GuardedBytes(Array(text.utf8))
                guard case .failure(let error) = JSONTape().read(guarded.bytes) else {
                    Issue.record("accepted \(text)")
                    continue
                }
                #expect(error.code == .duplicateKey)
                #expect(error.offset == length + 6)
            }
        }
    }
}
