// Texts of more than a hundred megabytes: nothing about them is special, and that is the point.

import JSONCodec
import Testing

@Suite("Large texts")
struct LargeTextTests {
    @Test(
        "more than a hundred megabytes are read, and the memory is given back")
    func large() throws {
        let filler = String(repeating: "a quick brown fox; ", count: 3_000)
        let record = Array(
            "{\"id\":\"n\",\"\\u0076\":[1,2.5,true,null],\"text\":\"\(filler)\"},".utf8)
        let records = 104_857_600 / record.count + 1
        var text: [UInt8] = [UInt8(ascii: "[")]
        text.reserveCapacity(records * record.count + 8)
        for _ in 0..<records { text += record }
        text[text.count - 1] = UInt8(ascii: "]")
        #expect(text.count > 100_000_000)
        let tape = JSONTape()
        try text.withUnsafeBytes { bytes in
            try tape.withDocument(
                bytes, refusal: { $0 as any Error },
                { root in
                    #expect(root.count == records)
                    #expect(root.rawBytes.count == text.count)
                    var seen = 0
                    for (position, element) in root.elements.enumerated() {
                        let isSound =
                            element.offset == 1 + position * record.count
                            && element.member("v")?.count == 4
                            && element.member("text")?.string?.count == filler.utf8.count
                        if isSound { seen += 1 }
                    }
                    #expect(seen == records)
                })
        }
        #expect(tape.error("[1]") == nil)
    }

    @Test("a million small values are read")
    func values() throws {
        let text = "[" + String(repeating: "1,", count: 999_999) + "7]"
        try JSONTape().with(text) { root in
            #expect(root.count == 1_000_000)
            #expect(root.elements.reduce(0) { $0 + ($1.int64 ?? 0) } == 1_000_006)
        }
    }
}
