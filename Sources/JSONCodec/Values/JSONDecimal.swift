// The value of a JSON number. JSON numbers are decimals of any length; here they are taken apart once,
// exactly, and then made an integer or the nearest double.

/// A decimal that matches the number grammar of RFC 8259, as significand times a power of ten.
struct JSONDecimal {
    let isNegative: Bool
    /// The first 19 significant digits, without leading zeros.
    private(set) var significand: UInt64 = 0
    /// The power of ten of the significand's last digit.
    private(set) var exponent = 0
    /// Whether a digit other than zero follows those of the significand.
    private(set) var isCut = false

    /// 10^19 is the largest power of ten below 2^64.
    private static let digitsMax = 19

    /// Takes a number apart. Linear in its length.
    init(_ number: UnsafeBufferPointer<UInt8>) {
        var at = 0
        let end = number.count
        isNegative = end > 0 && number[0] == Byte.minus
        if isNegative { at = 1 }
        var kept = 0
        var isFraction = false
        while at < end {
            let byte = number[at]
            if byte == Byte.point {
                isFraction = true
            } else if Byte.isDigit(byte) {
                let digit = UInt64(byte &- Byte.zero)
                if kept < Self.digitsMax {
                    significand = significand &* 10 &+ digit
                    if significand != 0 { kept &+= 1 }
                    if isFraction { exponent &-= 1 }
                } else {
                    if digit != 0 { isCut = true }
                    if !isFraction { exponent &+= 1 }
                }
            } else {
                break
            }
            at &+= 1
        }
        if at < end { exponent &+= Self.exponent(number, at &+ 1) }
    }

    /// The written exponent, which starts at `at`; kept within 10^12, far beyond any text's length.
    private static func exponent(_ number: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var at = start
        let end = number.count
        var isNegative = false
        if at < end, number[at] == Byte.plus || number[at] == Byte.minus {
            isNegative = number[at] == Byte.minus
            at &+= 1
        }
        var value = 0
        while at < end {
            value = min(value &* 10 &+ Int(number[at] &- Byte.zero), 1_000_000_000_000)
            at &+= 1
        }
        return isNegative ? -value : value
    }

    /// The exact integer; nil when there is a fraction or it does not fit.
    var int64: Int64? {
        if significand == 0 { return 0 }
        // A further digit that counts makes it a fraction or longer than any 64-bit integer.
        if isCut { return nil }
        guard exponent >= -Self.digitsMax, exponent <= Self.digitsMax else { return nil }
        var magnitude = significand
        for _ in 0..<max(0, -exponent) {
            let (quotient, rest) = magnitude.quotientAndRemainder(dividingBy: 10)
            guard rest == 0 else { return nil }
            magnitude = quotient
        }
        for _ in 0..<max(0, exponent) {
            let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
            guard !overflows else { return nil }
            magnitude = product
        }
        if isNegative {
            guard magnitude <= Int64.min.magnitude else { return nil }
            return Int64(truncatingIfNeeded: 0 &- magnitude)
        }
        return Int64(exactly: magnitude)
    }

    /// The nearest double; nil when it would be infinite. `number` is the text of the decimal.
    func double(of number: UnsafeBufferPointer<UInt8>) -> Double? {
        if significand == 0 { return isNegative ? -0.0 : 0.0 }
        // Both factors are exact doubles, so the one rounding is the right one (Clinger, 1990).
        if !isCut, significand <= 1 &<< 53, exponent.magnitude < Self.powersOfTen.count {
            let power = Self.powersOfTen[Int(exponent.magnitude)]
            let magnitude = Double(significand)
            let value = exponent < 0 ? magnitude / power : magnitude * power
            return isNegative ? -value : value
        }
        // The largest double is below 10^309, half of the smallest above 10^-325.
        if exponent > 309 { return nil }
        if exponent < -400 { return isNegative ? -0.0 : 0.0 }
        guard let value = Double(normalized(number)), value.isFinite else { return nil }
        return value
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// At most 767 digits decide which double is nearest; of those after them it matters only
    /// whether one is not zero.
    private static let decidingDigitsMax = 800

    /// A number of at most 801 digits that rounds to the same double, in the form `ddd…e±x`.
    private func normalized(_ number: UnsafeBufferPointer<UInt8>) -> String {
        guard isCut else { return "\(isNegative ? "-" : "")\(significand)e\(exponent)" }
        var digits: [UInt8] = isNegative ? [Byte.minus] : []
        digits.reserveCapacity(Self.decidingDigitsMax &+ 32)
        var kept = 0
        for byte in number {
            if byte | 0x20 == Byte.letterE { break }
            guard Byte.isDigit(byte), kept > 0 || byte != Byte.zero else { continue }
            if kept < Self.decidingDigitsMax {
                digits.append(byte)
            } else if byte != Byte.zero {
                // A cut decimal has more than 19 digits, so the last one may stand for the rest.
                digits.append(UInt8(ascii: "1"))
                kept &+= 1
                break
            }
            kept &+= 1
        }
        // The exponent belongs to the 19th digit; each further one makes it one smaller.
        digits.append(contentsOf: "e\(exponent &- (digitsWritten(digits) &- Self.digitsMax))".utf8)
        return String(decoding: digits, as: UTF8.self)
    }

    private func digitsWritten(_ digits: [UInt8]) -> Int {
        digits.count &- (isNegative ? 1 : 0)
    }
}

extension Int64 {
    /// The value of an optional sign and at most 18 digits, without a possibility of overflow.
    @inline(__always)
    init?(shortDigits digits: UnsafeBufferPointer<UInt8>) {
        guard digits.count <= 18, digits.count > 0 else { return nil }
        let isNegative = digits[0] == Byte.minus
        var value: Int64 = 0
        for index in (isNegative ? 1 : 0)..<digits.count {
            value = value &* 10 &+ Int64(digits[index] &- Byte.zero)
        }
        self = isNegative ? 0 &- value : value
    }
}
