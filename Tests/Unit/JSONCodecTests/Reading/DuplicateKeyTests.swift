// A name may occur once in an object. The check must take time in proportion to the names, also
// when a client chose them to make it slow.

import JSONCodec
import Testing

@Suite("Names that occur twice")
struct DuplicateKeyTests {
    @Test("a repeated name is found at any two places of an object of any small size")
    func everyPair() throws {
        let tape = JSONTape()
        for size in 2...36 {
            for second in 1..<size {
                for first in 0..<second where first % 3 == 0 || second - first == 1 {
                    var names = (0..<size).map { "name\($0)" }
                    names[second] = names[first]
                    let text = object(names)
                    let error = try #require(tape.error(text))
                    try #require(error.code == .duplicateKey)
                    try #require(error.key == names[first])
                    // Where the shorter object is closed, the longer has a comma and the name.
                    let before = object(Array(names[..<second]))
                    try #require(error.offset == before.count)
                }
            }
            try #require(tape.error(object((0..<size).map { "name\($0)" })) == nil)
        }
    }

    @Test(
        "names are compared after unescaping",
        arguments: [
            (#""a""#, #""\u0061""#), (#""/""#, #""\/""#), (#""\n""#, #""\u000a""#),
            (#""é""#, #""\u00E9""#), (#""\ud83d\ude00""#, #""😀""#), (#""\u0022""#, #""\"""#),
            (#""\\""#, #""\u005c""#), (#""""#, #""""#),
        ])
    func escaped(_ pair: (String, String)) throws {
        for filler in [0, 5, 30] {
            let members = (0..<filler).map { "\"f\($0)\":0," }.joined()
            let text = "{\(pair.0):1,\(members)\(pair.1):2}"
            #expect(JSONTape().error(text)?.code == .duplicateKey, "\(text)")
        }
    }

    @Test(
        "names that only look alike are different",
        arguments: [
            [#""a""#, #""A""#, #""a ""#, #""a\u0000""#, #""""#, #""aa""#],
            [#""\\n""#, #""\n""#, #""n""#, #""\\\\n""#],
            [#""é""#, #""e\u0301""#, #""è""#],
            [#""abcdefgh1""#, #""abcdefgh2""#, #""abcdefgh""#, #""1abcdefgh""#],
        ])
    func different(_ names: [String]) {
        let text = "{" + names.map { "\($0):0" }.joined(separator: ",") + "}"
        #expect(JSONTape().error(text) == nil)
    }

    @Test("inner objects do not disturb the names of outer ones")
    func nested() {
        let inner = String(decoding: object((0..<40).map { "name\($0)" }), as: UTF8.self)
        let text = "{\"a\":\(inner),\"b\":[\(inner),{\"c\":\(inner)}],\"c\":\(inner)}"
        #expect(JSONTape().error(text) == nil)
        #expect(JSONTape().error(text.dropLast() + ",\"b\":1}")?.key == "b")
    }

    @Test("one hundred thousand names are checked in linear time")
    func many() throws {
        let count = 100_000
        let families: [(String, (Int) -> String)] = [
            ("counted", { "member-\($0)" }),
            ("same beginning and end", { "aaaaaaaaaaaaaaaa\($0 + 1_000_000)zzzzzzzzzzzzzzzz" }),
            (
                "differing in the first bytes only",
                { "\($0)00000000" }
            ),
            ("long", { String(repeating: "x", count: 100) + "\($0)" }),
            (
                "two letters of each byte",
                { number in
                    String((0..<17).map { number >> $0 & 1 == 0 ? "a" : "b" })
                }
            ),
            // Equal under sums and under multiplication by 31: "Aa" and "BB", all combinations.
            (
                "colliding in simple hashes",
                { number in
                    (0..<17).map { number >> $0 & 1 == 0 ? "Aa" : "BB" }.joined()
                }
            ),
        ]
        let tape = JSONTape()
        for (name, make) in families {
            var names = (0..<count).map(make)
            #expect(tape.error(object(names)) == nil, "\(name)")
            names.append(names[7])
            let error = try #require(tape.error(object(names)), "\(name)")
            #expect(error.code == .duplicateKey)
            #expect(error.key == names[7])
        }
    }

    @Test("the seed does not change what is found")
    func seeds() {
        for seed in [0, 1, .max, 0x9E37_79B9_7F4A_7C15] as [UInt64] {
            let tape = JSONTape(hashSeed: seed)
            #expect(tape.error(object((0..<100).map { "n\($0)" })) == nil)
            #expect(tape.error(object((0..<100).map { "n\($0 % 99)" }))?.key == "n0")
        }
    }

    private func object(_ names: [String]) -> [UInt8] {
        var text = Array("{".utf8)
        for (position, name) in names.enumerated() {
            if position > 0 { text.append(UInt8(ascii: ",")) }
            text += Array("\"\(name)\":0".utf8)
        }
        text.append(UInt8(ascii: "}"))
        return text
    }
}
