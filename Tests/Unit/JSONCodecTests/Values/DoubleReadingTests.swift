// Decimals become the nearest double, ties to even, for any number of digits.

import JSONCodec
import SeededRandom
import Testing

@Suite("Reading doubles")
struct DoubleReadingTests {
    private func read(_ text: String, _ tape: JSONTape) throws -> Double? {
        try tape.with(text) { $0.double }
    }

    @Test("every double survives its own description")
    func descriptions() throws {
        var random = SeededRandom.make("descriptions of doubles")
        let tape = JSONTape()
        for _ in 0..<100_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            let text = "\(value)"
            let found = try read(text, tape)
            try #require(found?.bitPattern == value.bitPattern, "\(text)")
        }
    }

    @Test("random decimals are what Swift makes of them")
    func decimals() throws {
        var random = SeededRandom.make("random decimals")
        let tape = JSONTape()
        for _ in 0..<100_000 {
            let whole = UInt64.random(
                in: 0...(.max >> UInt64.random(in: 0..<64, using: &random)), using: &random)
            var text = Bool.random(using: &random) ? "-\(whole)" : "\(whole)"
            if Bool.random(using: &random) {
                let digits = Int.random(in: 1...25, using: &random)
                text +=
                    "."
                    + (0..<digits).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
            }
            if Bool.random(using: &random) {
                text += "e\(Int.random(in: -345...320, using: &random))"
            }
            let found = try read(text, tape)
            let expected = Double(text)
            if expected?.isFinite == true {
                try #require(found?.bitPattern == expected?.bitPattern, "\(text)")
            } else {
                try #require(found == nil, "\(text)")
            }
        }
    }

    @Test("a decimal exactly between two doubles goes to the even one, a hair more to the upper")
    func midpoints() throws {
        var random = SeededRandom.make("midpoints")
        let tape = JSONTape()
        for round in 0..<60 {
            // Low exponents have the longest expansions: 767 digits decide at the very bottom.
            let range: ClosedRange<UInt64> = round % 3 == 0 ? 0...3 : 0...2_045
            let exponent = UInt64.random(in: range, using: &random)
            let value = Double(bitPattern: exponent << 52 | random.next() >> 12)
            let (digits, power) = midpointAbove(value)
            let even = value.significandBitPattern % 2 == 0 ? value : value.nextUp
            let zeros = String(repeating: "0", count: round * 20)
            try #require(try read("\(digits)e\(power)", tape) == even)
            try #require(try read("\(digits).\(zeros)0e\(power)", tape) == even)
            try #require(try read("\(digits).\(zeros)1e\(power)", tape) == value.nextUp)
            try #require(try read("-\(digits).\(zeros)1e\(power)", tape) == -value.nextUp)
            try #require(
                try read("0.\(zeros)\(digits)e\(power + digits.count + zeros.count)", tape) == even)
        }
    }

    /// The exact decimal halfway between a positive double and the next, by long multiplication.
    private func midpointAbove(_ value: Double) -> (digits: String, power: Int) {
        let isSubnormal = value.exponentBitPattern == 0
        let significand = value.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
        let binaryExponent = Int(max(1, value.exponentBitPattern)) - 1_075 - 1
        var limbs: [UInt64] = []
        var rest = significand * 2 + 1
        while rest > 0 {
            limbs.append(rest % 1_000_000_000)
            rest /= 1_000_000_000
        }
        for _ in 0..<abs(binaryExponent) {
            var carry: UInt64 = 0
            for index in limbs.indices {
                carry += limbs[index] * (binaryExponent < 0 ? 5 : 2)
                limbs[index] = carry % 1_000_000_000
                carry /= 1_000_000_000
            }
            if carry > 0 { limbs.append(carry) }
        }
        var digits = "\(limbs[limbs.count - 1])"
        for limb in limbs.dropLast().reversed() {
            let part = "\(limb)"
            digits += String(repeating: "0", count: 9 - part.count) + part
        }
        return (digits, min(0, binaryExponent))
    }

    @Test("the edges of the range")
    func edges() throws {
        let tape = JSONTape()
        let expected: [(String, Double?)] = [
            ("0", 0), ("0.0", 0), ("0e999999999999999999999", 0), ("1e-999999999999999999999", 0),
            ("1e-400", 0), ("2e-324", 0), ("3e-324", .leastNonzeroMagnitude),
            ("5e-324", .leastNonzeroMagnitude), ("2.2250738585072014e-308", .leastNormalMagnitude),
            ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown),
            ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("1.7976931348623158e308", .greatestFiniteMagnitude),
            ("1.7976931348623159e308", nil), ("1e309", nil), ("-1e309", nil),
            ("1e999999999999999999999", nil), ("9007199254740993", 9_007_199_254_740_992),
            ("18446744073709551615", 18_446_744_073_709_551_616),
            (String(repeating: "9", count: 308), 1e308), (String(repeating: "9", count: 310), nil),
            ("0." + String(repeating: "0", count: 400) + "1e400", 0.1),
            ("1" + String(repeating: "0", count: 400) + "e-400", 1),
            ("123456789012345678901234567890", 123_456_789_012_345_677_877_719_597_056),
        ]
        for (text, value) in expected {
            #expect(try read(text, tape) == value, "\(text.prefix(50))")
        }
        for text in ["-0", "-0.0", "-0e5", "-1e-999"] {
            #expect(try read(text, tape)?.bitPattern == (-0.0).bitPattern, "\(text)")
        }
    }

    @Test("a number of a million digits is read")
    func long() throws {
        let tape = JSONTape()
        let digits = String(repeating: "7", count: 1_000_000)
        #expect(try read("0." + digits, tape) == Double("0.7777777777777777777777777"))
        #expect(try read(digits + "e-1000000", tape) == Double("0.7777777777777777777777777"))
        #expect(try read(digits, tape) == nil)
    }
}
