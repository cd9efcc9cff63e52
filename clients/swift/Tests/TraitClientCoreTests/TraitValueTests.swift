// Values as JSON: what is read, what is written, and what is equal.

import Testing

@testable import TraitClientCore

@Suite struct TraitValueTests {
    @Test("a whole number of 64 bits stays exact")
    func integers() throws {
        for text in ["9223372036854775807", "-9223372036854775808", "9007199254740993", "0"] {
            let value = try TraitValue(json: text)
            #expect(value.integer == Int64(text))
            #expect(try String(decoding: value.json(), as: UTF8.self) == text)
        }
        // Beyond 64 bits a number is a double.
        #expect(try TraitValue(json: "9223372036854775808").integer == nil)
        #expect(try TraitValue(json: "9223372036854775808").double == 9_223_372_036_854_775_808)
    }

    @Test("1, 1.0 and 10e-1 are equal, and unequal to 1.5, true and \"1\"")
    func ones() throws {
        let ones = try ["1", "1.0", "10e-1"].map { try TraitValue(json: $0) }
        #expect(Set(ones).count == 1)
        #expect(ones.allSatisfy { $0.canonical == "3ff0000000000000" && $0.integer == 1 })
        for other in ["1.5", "true", "\"1\"", "[1]", "{\"1\":1}", "null"] {
            #expect(try TraitValue(json: other) != ones[0])
        }
    }

    @Test("integers that share a double are different values with one canonical form")
    func canonicalIntegers() throws {
        let (one, other) = (TraitValue.integer(1 << 53), TraitValue.integer(1 << 53 + 1))
        #expect(one != other)
        #expect(one.canonical == other.canonical)
    }

    @Test("a number beyond a double is infinity, which cannot be written")
    func infinity() throws {
        let value = try TraitValue(json: "1e400")
        #expect(value.double == .infinity)
        #expect(value.canonical == "7ff0000000000000")
        #expect(throws: UnwritableNumber.self) { try value.json() }
        #expect(throws: UnwritableNumber.self) { try (["a": [.number(.nan)]] as TraitValue).json() }
        #expect(try TraitValue(json: "-0.0").canonical == "0000000000000000")
        #expect(try TraitValue(json: "1e-400").double == 0)
    }

    @Test("what is written reads as the same value")
    func roundTrips() throws {
        let texts = [
            "null", "true", "false", "\"\"", "[]", "{}", "[1,[2,{\"a\":null}]]", "-1.5", "1e-07",
            "5e-324",
            "1.7976931348623157e+308", "\"\\u0000\\u001f\\\"\\\\\\b\\f\\n\\r\\t\\u007f\"",
            "\"h\\u00e9 \\ud83d\\ude00 \\u2028\"", "{\"z\":1,\"a\":{\"y\":[],\"b\":0}}",
        ]
        for text in texts {
            let value = try TraitValue(json: text)
            #expect(try TraitValue(json: value.json()) == value, "\(text)")
        }
        #expect(try TraitValue(json: " { \"a\" : [ 1 , 2 ] }\r\n\t").description == "{\"a\":[1,2]}")
    }

    @Test("composed and decomposed letters are different values and different names")
    func unicode() throws {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        #expect(TraitValue.string(composed) != .string(decomposed))
        let object = try TraitValue(json: "{\"\(composed)\":1,\"\(decomposed)\":2}")
        #expect(object.object?.count == 2)
        #expect(object[composed] == 1)
        #expect(object[decomposed] == 2)
        #expect(
            pairHash(node: "n", trait: "t", value: .string(composed))
                != pairHash(node: "n", trait: "t", value: .string(decomposed)))
    }

    @Test("canonical sorts members by bytes; JSON keeps their order")
    func order() throws {
        // U+FFFF comes before U+1F600 by bytes, and after it by UTF-16 units.
        let text = "{\"\u{1F600}\":1,\"\u{FFFF}\":2,\"b\":3,\"B\":4,\"aa\":5,\"a\":6}"
        let value = try TraitValue(json: text)
        #expect(try String(decoding: value.json(), as: UTF8.self) == text)
        let names = value.canonical.split(separator: "\"").map(String.init)
            .filter { !$0.contains(":") && !$0.contains("{") }
        #expect(names == ["B", "a", "aa", "b", "\u{FFFF}", "\u{1F600}"])
        #expect(try TraitValue(json: "{\"b\":1,\"a\":2}") == ["a": 2, "b": 1])
    }

    @Test("of two members with one name the last one counts")
    func repeatedNames() throws {
        let value = try TraitValue(json: "{\"a\":1,\"b\":2,\"a\":3}")
        #expect(value.description == "{\"b\":2,\"a\":3}")
        var object: TraitObject = ["x": 1, "x": 2]
        #expect(object.count == 1)
        object["y"] = 3
        object["x"] = nil
        #expect(object == ["y": 3])
    }

    @Test(
        "bytes that are no JSON are refused",
        arguments: [
            "", " ", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "+1",
            "1e", "--1", "-",
            "tru", "nul", "NaN", "Infinity", "\"", "\"\\x\"", "\"\\u12\"", "\"\\u00g0\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\n\"", "1 2", "{}x", "'a'", "\"\\",
        ])
    func malformed(_ text: String) {
        #expect(throws: MalformedJSON.self) { try TraitValue(json: text) }
    }

    @Test("malformed UTF-8 and deep nesting are refused")
    func malformedBytes() throws {
        #expect(throws: MalformedJSON.self) { try TraitValue(json: [0x22, 0xFF, 0x22]) }
        #expect(throws: MalformedJSON.self) {
            try TraitValue(json: [0x22, 0x5C, 0x6E, 0xC3, 0x22])
        }
        let levels = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        _ = try TraitValue(json: levels(128))
        #expect(throws: MalformedJSON.self) { try TraitValue(json: levels(129)) }
        #expect(throws: MalformedJSON.self) { try TraitValue(json: levels(100_000)) }
    }

    @Test("random bytes never trap the reader")
    func randomBytes() throws {
        var dice = Dice(seed: .random(in: 0...UInt64.max))
        let alphabet = Array("{}[]\",:\\u0eE+-.19tfn \u{e9}".utf8)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0..<24, using: &dice)).map { _ in
                alphabet.randomElement(using: &dice) ?? 0
            }
            guard let value = try? TraitValue(json: bytes) else { continue }
            guard let written = try? value.json() else { continue }
            #expect(try TraitValue(json: written) == value, "\(dice)")
        }
    }
}

/// Random numbers of a seed (SplitMix64). Its description is the seed.
struct Dice: RandomNumberGenerator, CustomStringConvertible {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64) { (self.seed, state) = (seed, seed) }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    var description: String { "seed \(seed)" }
}
