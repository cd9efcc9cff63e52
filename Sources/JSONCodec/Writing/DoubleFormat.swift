// Doubles to decimal: as few digits as read back the same, laid out as ECMAScript's
// Number::toString (ECMA-262, section 6.1.6.1.20) does it, because that is what JSON readers know.

enum DoubleFormat {
    /// The longest result: a sign, `0.00000` and 17 digits.
    static let bytesMax = 32

    /// Writes a finite double at `target`, which has room for ``bytesMax``; returns the length.
    static func write(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        let magnitude = value.magnitude
        var out = 0
        if value < 0 {
            target[0] = Byte.minus
            out = 1
        }
        // Conversions instead of roundings, which would be calls on processors of the base level.
        if magnitude < 9_007_199_254_740_992 {
            let whole = Int64(magnitude)
            if Double(whole) == magnitude {
                return out &+ DecimalDigits.write(whole.magnitude, to: target + out)
            }
        }
        let decimal = short(magnitude) ?? shortest(magnitude)
        // The digits come where `lay` has not written before it has read them.
        let digits = target + out + 11
        let count = DecimalDigits.write(decimal.significand, to: digits)
        return out &+ lay(digits, count, point: count &+ decimal.exponent, to: target + out)
    }

    /// A significand of at most 17 digits, the last of which is not 0, and its power of ten.
    private struct Decimal {
        var significand: UInt64
        var exponent: Int
    }

    /// The common case of up to four decimals, without a search. Two different decimals of at most
    /// 15 digits never share a double, so one that reads back the same is the shortest there is.
    private static func short(_ magnitude: Double) -> Decimal? {
        guard magnitude >= 0.001, magnitude < 1e10 else { return nil }
        var power = 1.0
        for decimals in 1...4 {
            power *= 10
            let scaled = Int64(magnitude * power + 0.5)
            // Both are exact integers below 2^53, so the division rounds as a reader would.
            if Double(scaled) / power == magnitude {
                return Decimal(significand: scaled.magnitude, exponent: -decimals)
            }
        }
        return nil
    }

    /// The general case, from Swift's own description, which has the shortest digits.
    private static func shortest(_ magnitude: Double) -> Decimal {
        var decimal = Decimal(significand: 0, exponent: 0)
        var isFraction = false
        var isExponent = false
        var isNegative = false
        var written = 0
        for byte in magnitude.description.utf8 {
            switch byte {
            case Byte.point: isFraction = true
            case Byte.letterE: isExponent = true
            case Byte.minus: isNegative = true
            case Byte.zero...Byte.nine:
                let digit = byte &- Byte.zero
                if isExponent {
                    written = written &* 10 &+ Int(digit)
                } else {
                    decimal.significand = decimal.significand &* 10 &+ UInt64(digit)
                    if isFraction { decimal.exponent &-= 1 }
                }
            default: break
            }
        }
        decimal.exponent &+= isNegative ? -written : written
        while decimal.significand != 0, decimal.significand % 10 == 0 {
            decimal.significand /= 10
            decimal.exponent &+= 1
        }
        return decimal
    }

    /// Writes a decimal of `count` digits, of which the first and the last are not 0: plain digits up to 21 before the
    /// decimal point, zeros after the point down to 10^-6, an exponent beyond. Returns the length.
    ///
    /// - Parameters:
    ///   - digits: outside of the target, or from its 12th byte on.
    ///   - point: how many digits stand before the decimal point; below 0 for zeros behind it.
    ///   - target: has room for the digits and for `bytesMax` bytes more.
    static func lay(
        _ digits: UnsafePointer<UInt8>, _ count: Int, point: Int,
        to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        if point >= count, point <= 21 {
            target.update(from: digits, count: count)
            (target + count).update(repeating: Byte.zero, count: point &- count)
            return point
        }
        if point > 0, point <= 21 {
            target.update(from: digits, count: point)
            target[point] = Byte.point
            (target + point + 1).update(from: digits + point, count: count &- point)
            return count &+ 1
        }
        if point > -6, point <= 0 {
            (target + 2 - point).update(from: digits, count: count)
            target[0] = Byte.zero
            target[1] = Byte.point
            (target + 2).update(repeating: Byte.zero, count: -point)
            return 2 &- point &+ count
        }
        target[0] = digits[0]
        var out = 1
        if count > 1 {
            target[1] = Byte.point
            (target + 2).update(from: digits + 1, count: count &- 1)
            out = count &+ 1
        }
        target[out] = Byte.letterE
        target[out &+ 1] = point > 0 ? Byte.plus : Byte.minus
        out &+= 2
        return out &+ DecimalDigits.write(UInt64((point &- 1).magnitude), to: target + out)
    }
}
