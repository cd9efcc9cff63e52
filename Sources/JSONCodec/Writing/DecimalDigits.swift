// Integers to decimal, without a String and without a table.

enum DecimalDigits {
    /// Writes `value` at `target`, which has room for 20 digits; returns how many it took.
    @inline(__always)
    static func write(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
        let length = count(value)
        var rest = value
        var at = length
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            at &-= 1
            target[at] = Byte.zero &+ UInt8(truncatingIfNeeded: digit)
            rest = quotient
        } while rest != 0
        return length
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
