// Integers to decimal, two digits at a time, without a String in between.

enum DecimalDigits {
    /// Writes `value` at `target`, which has room for 20 digits; returns how many it took.
    @inline(__always)
    static func write(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
        if value < 10 {
            target[0] = Byte.zero &+ UInt8(truncatingIfNeeded: value)
            return 1
        }
        let length = count(value)
        var rest = value
        var at = length
        while rest >= 100 {
            let pair = rest % 100
            rest /= 100
            at &-= 2
            put(pair, to: target + at)
        }
        if rest >= 10 {
            put(rest, to: target)
        } else {
            target[0] = Byte.zero &+ UInt8(truncatingIfNeeded: rest)
        }
        return length
    }

    /// Writes a number below 100 with two digits.
    @inline(__always)
    private static func put(_ pair: UInt64, to target: UnsafeMutablePointer<UInt8>) {
        // Exact for numbers below 179, and cheaper than a division.
        let pair = UInt32(truncatingIfNeeded: pair)
        let tens = (pair &* 103) &>> 10
        target[0] = Byte.zero &+ UInt8(truncatingIfNeeded: tens)
        target[1] = Byte.zero &+ UInt8(truncatingIfNeeded: pair &- tens &* 10)
    }

    /// How many digits `value` has; one for 0.
    @inline(__always)
    static func count(_ value: UInt64) -> Int {
        var length = 1
        var rest = value
        while rest >= 10_000 {
            rest /= 10_000
            length &+= 4
        }
        if rest >= 1_000 { return length &+ 3 }
        if rest >= 100 { return length &+ 2 }
        return rest >= 10 ? length &+ 1 : length
    }
}
