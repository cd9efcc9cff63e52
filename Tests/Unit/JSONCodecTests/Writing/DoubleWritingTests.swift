// Doubles are written with as few digits as read back the same, in the form of ECMAScript.

import JSONCodec
import SeededRandom
import Testing

@Suite("Writing doubles")
struct DoubleWritingTests {
    private func written(_ value: Double) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("the form is that of ECMAScript's Number-to-String")
    func form() {
        let expected: [(Double, String)] = [
            (0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (2, "2"), (10, "10"), (100, "100"),
            (0.5, "0.5"), (-0.5, "-0.5"), (2.75, "2.75"), (0.1, "0.1"),
            (0.2 + 0.1, "0.30000000000000004"),
            (1.0 / 3, "0.3333333333333333"), (123.456, "123.456"), (1e5, "100000"),
            (0.001, "0.001"), (0.0001, "0.0001"), (0.00001, "0.00001"), (0.000001, "0.000001"),
            (0.0000015, "0.0000015"), (1e-7, "1e-7"), (1.5e-7, "1.5e-7"), (-1.5e-10, "-1.5e-10"),
            (1e15, "1000000000000000"), (1e20, "100000000000000000000"),
            (123_456_789_012_345_683_968, "123456789012345680000"), (1e21, "1e+21"),
            (1.5e21, "1.5e+21"),
            (1.2345e25, "1.2345e+25"), (1e100, "1e+100"), (-1e100, "-1e+100"),
            (.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
            (2.2250738585072014e-308, "2.2250738585072014e-308"),
            (9_007_199_254_740_991, "9007199254740991"),
            (9_007_199_254_740_992, "9007199254740992"),
            (9_007_199_254_740_994, "9007199254740994"),
            (9_223_372_036_854_775_808, "9223372036854776000"),
            (18_446_744_073_709_551_616, "18446744073709552000"), (4.35, "4.35"),
            (0.000035, "0.000035"),
            (1234567.125, "1234567.125"), (100.25, "100.25"), (1e10 + 0.5, "10000000000.5"),
            (0.0035, "0.0035"), (9.9999, "9.9999"), (9.99995, "9.99995"),
        ]
        for (value, text) in expected { #expect(written(value) == text) }
    }

    @Test(
        "a written double reads back as the same one, in the fewest digits"
    )
    func roundTrip() throws {
        var random = SeededRandom.make("written doubles")
        for _ in 0..<100_000 {
            try check(Double(bitPattern: random.next()))
        }
    }

    @Test("doubles with few decimals are written in the fewest digits")
    func fewDecimals() throws {
        var random = SeededRandom.make("few decimals")
        for _ in 0..<50_000 {
            let digits = UInt64.random(
                in: 0...(.max >> UInt64.random(in: 11..<64, using: &random)), using: &random)
            let value =
                Double(digits)
                / [10, 100, 1_000, 10_000, 100_000][Int.random(in: 0..<5, using: &random)]
            try check(value)
            try check(value.nextUp)
            try check(-value.nextDown)
        }
    }

    private func check(_ value: Double) throws {
        guard value.isFinite else { return }
        let text = written(value)
        try #require(Double(text) == value, "\(text)")
        try #require(try JSONTape().with(text) { $0.double } == value, "\(text)")
        try #require(significant(text) == significant(value.description), "\(text)")
    }

    /// The digits of a decimal without sign, point, exponent and zeros at either end.
    private func significant(_ text: String) -> String {
        let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
        return String(String(digits.reversed()).drop { $0 == "0" }.reversed())
    }

    @Test("infinite and undefined numbers are a programmer's error")
    func notFinite() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.value(Double.infinity)
        }
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.value(Double.nan)
        }
    }
}
