// Scalars and what is JSON already. Numbers are written digit by digit into the writer's memory.

extension JSONWriter {
    @inlinable
    package mutating func null() { word("null") }

    @inlinable
    package mutating func value(_ value: Bool) { word(value ? "true" : "false") }

    @inlinable @inline(__always)
    mutating func word(_ word: StaticString) {
        reserve(6)
        comma()
        word.withUTF8Buffer { put(UnsafeRawBufferPointer($0)) }
        needsComma = true
    }

    @inlinable
    package mutating func value(_ value: Int) { self.value(Int64(value)) }

    @usableFromInline
    package mutating func value(_ value: Int64) {
        // A comma, a sign and 19 digits at most.
        reserve(21)
        comma()
        if value < 0 { put(Byte.minus) }
        written &+= DecimalDigits.write(value.magnitude, to: base + written)
        needsComma = true
    }

    /// Writes the shortest decimal that reads back as the same double, in the form of ECMAScript's
    /// Number-to-String: `2`, not `2.0`; `1e+21`; negative zero as `0`.
    ///
    /// - Precondition: The value is finite; JSON has no other numbers.
    @usableFromInline
    package mutating func value(_ value: Double) {
        precondition(value.isFinite, "JSON has no infinite and no undefined numbers")
        reserve(DoubleFormat.bytesMax &+ 1)
        comma()
        written &+= DoubleFormat.write(value, to: base + written)
        needsComma = true
    }

    /// Writes 16 hexadecimal digits as a string.
    package mutating func value(hexadecimal value: UInt64) {
        reserve(19)
        comma()
        put(Byte.quote)
        var shift: UInt64 = 64
        while shift > 0 {
            shift &-= 4
            let digit = UInt8(truncatingIfNeeded: value &>> shift) & 15
            put(digit < 10 ? Byte.zero &+ digit : UInt8(ascii: "a") &+ digit &- 10)
        }
        put(Byte.quote)
        needsComma = true
    }

    /// Inserts a value that is JSON already.
    @inlinable
    package mutating func raw(_ json: UnsafeRawBufferPointer) {
        reserve(json.count &+ 1)
        comma()
        put(json)
        needsComma = true
    }

    @inlinable
    package mutating func raw(_ json: [UInt8]) {
        json.withUnsafeBytes { raw($0) }
    }

    /// Appends one byte as it is. Commas are left as they were.
    @inlinable
    package mutating func rawByte(_ byte: UInt8) {
        reserve(1)
        put(byte)
    }

    /// Has the next value follow another of its array, which was written before a `reset`.
    package mutating func separate() { needsComma = true }

    /// Ends a record of newline-delimited JSON: an LF, after which the next value stands alone.
    @inlinable
    package mutating func newline() {
        rawByte(Byte.lineFeed)
        needsComma = false
    }

    /// Ends an object that is a text of its own: the brace and an LF.
    @inlinable
    package mutating func endText() {
        endObject()
        newline()
    }
}
