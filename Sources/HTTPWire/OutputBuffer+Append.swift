// The ways of appending: all of them one bounds check and one copy.

import Glibc

extension OutputBuffer {
    package func append(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        withRoom(bytes.count) { room in
            if let start = room.baseAddress { memcpy(start, base, bytes.count) }
            return bytes.count
        }
    }

    package func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { append($0) }
    }

    /// The UTF-8 bytes of a string. Disfavoured, so that a literal is a `StaticString`.
    @_disfavoredOverload
    package func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    package func append(byte: UInt8) {
        withRoom(1) { room in
            room[0] = byte
            return 1
        }
    }

    /// An integer in decimal digits.
    package func append(decimal value: Int) {
        withRoom(Digits.decimalBytesMax) { room in
            guard let start = room.baseAddress else { return 0 }
            return Digits.writeDecimal(value, to: start)
        }
    }

    /// An integer in lower-case hexadecimal digits, without a prefix.
    package func append(hex value: UInt) {
        let count = max(1, (UInt.bitWidth - value.leadingZeroBitCount + 3) / 4)
        withRoom(count) { room in
            guard let start = room.baseAddress else { return 0 }
            Digits.writeHex(value, digits: count, to: start)
            return count
        }
    }

    // MARK: - Header lines

    private static let lineBytes = 4

    /// `name: value` and the end of the line (RFC 9112, section 5).
    package func append(field name: StaticString, _ value: UnsafeRawBufferPointer) {
        withRoom(name.utf8CodeUnitCount &+ value.count &+ Self.lineBytes) { room in
            guard let start = room.baseAddress else { return 0 }
            var end = Self.begin(name, at: start)
            if let base = value.baseAddress { memcpy(end, base, value.count) }
            end += value.count
            return start.distance(to: Self.endLine(at: end))
        }
    }

    package func append(field name: StaticString, decimal value: Int) {
        withRoom(name.utf8CodeUnitCount &+ Digits.decimalBytesMax &+ Self.lineBytes) { room in
            guard let start = room.baseAddress else { return 0 }
            var end = Self.begin(name, at: start)
            end += Digits.writeDecimal(value, to: end)
            return start.distance(to: Self.endLine(at: end))
        }
    }

    /// `ETag: "name.number`: a tag that is still open (RFC 9110, section 8.8.3).
    package func append(entityTagOf name: String, _ number: Int) {
        var name = name
        name.withUTF8 { name in
            withRoom(name.count &+ Digits.decimalBytesMax &+ 8) { room in
                guard let start = room.baseAddress else { return 0 }
                var end = Self.begin("ETag", at: start)
                end.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
                end += 1
                if let base = name.baseAddress { memcpy(end, base, name.count) }
                end += name.count
                end.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
                end += 1
                end += Digits.writeDecimal(number, to: end)
                return start.distance(to: end)
            }
        }
    }

    @inline(__always)
    private static func begin(
        _ name: StaticString, at start: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        memcpy(start, name.utf8Start, name.utf8CodeUnitCount)
        let end = start + name.utf8CodeUnitCount
        end.storeBytes(of: UInt8(ascii: ":"), as: UInt8.self)
        (end + 1).storeBytes(of: UInt8(ascii: " "), as: UInt8.self)
        return end + 2
    }

    @inline(__always)
    private static func endLine(at end: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        end.storeBytes(of: UInt8(ascii: "\r"), as: UInt8.self)
        (end + 1).storeBytes(of: UInt8(ascii: "\n"), as: UInt8.self)
        return end + 2
    }
}

/// Integers as ASCII, without a `String` in between.
enum Digits {
    /// `-9223372036854775808`
    static let decimalBytesMax = 20

    /// Writes at most `decimalBytesMax` bytes and answers how many.
    static func writeDecimal(_ value: Int, to start: UnsafeMutableRawPointer) -> Int {
        var rest = value.magnitude
        var digits = 1
        var power: UInt = 10
        while digits < 20, rest >= power {
            digits &+= 1
            if digits < 20 { power = power &* 10 }
        }
        let sign = value < 0 ? 1 : 0
        if sign == 1 { start.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self) }
        var position = sign &+ digits
        repeat {
            position &-= 1
            let digit = UInt8(truncatingIfNeeded: rest % 10) &+ UInt8(ascii: "0")
            (start + position).storeBytes(of: digit, as: UInt8.self)
            rest /= 10
        } while position > sign
        return sign &+ digits
    }

    /// Writes exactly `digits` digits, with leading zeros.
    static func writeHex(_ value: UInt, digits: Int, to start: UnsafeMutableRawPointer) {
        var rest = value
        var position = digits
        while position > 0 {
            position &-= 1
            let nibble = UInt8(truncatingIfNeeded: rest & 15)
            let ascii = nibble < 10 ? 0x30 &+ nibble : 0x57 &+ nibble
            (start + position).storeBytes(of: ascii, as: UInt8.self)
            rest >>= 4
        }
    }
}
