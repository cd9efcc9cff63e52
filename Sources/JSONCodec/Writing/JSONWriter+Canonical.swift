// The one text that stands for all JSON texts of one value. Values of traits are kept in this form, so that equal
// values have equal bytes in answers, logs, digests and exports.

/// Why a value has no canonical text here.
package enum JSONCanonicalFault: Error, Equatable, Sendable {
    /// Objects and arrays are nested deeper than the caller allows.
    case depth
    /// The number is beyond the range of a double, or nearer to 0 than any double but 0. The text of the number, at
    /// most 40 bytes of it.
    case number(String)
}

extension JSONWriter {
    /// Writes the canonical text of a value: members in the order of the bytes of their names, numbers exactly and in
    /// ECMAScript's shortest form, strings with the fewest escapes. Two values mean the same exactly when their texts
    /// are equal; -0 is 0. O(n log n) for n members.
    ///
    /// - Parameter depthMax: the most containers inside one another; a scalar has none.
    package mutating func canonical(
        _ json: JSONValue, depthMax: Int
    ) throws(JSONCanonicalFault) {
        switch json.kind {
        case .null, .bool: raw(json.rawBytes)
        case .number: raw(try Self.canonicalNumber(json))
        case .string: value(bytes: json.string?.bytes ?? json.rawBytes)
        case .array:
            if depthMax == 0 { throw .depth }
            beginArray()
            for element in json.elements { try canonical(element, depthMax: depthMax - 1) }
            endArray()
        case .object:
            if depthMax == 0 { throw .depth }
            beginObject()
            let members = json.members.sorted {
                $0.0.bytes.lexicographicallyPrecedes($1.0.bytes)
            }
            for (name, member) in members {
                key(name.bytes)
                try canonical(member, depthMax: depthMax - 1)
            }
            endObject()
        }
    }

    /// Digits beyond those of a double are kept. A number that readers would take for infinite or for 0 is refused.
    private static func canonicalNumber(
        _ json: JSONValue
    ) throws(JSONCanonicalFault) -> [UInt8] {
        let text = json.rawBytes
        let digits = significantDigits(text)
        if digits.isEmpty { return [Byte.zero] }
        guard let double = json.double, double != 0 else {
            throw .number(String(decoding: text.prefix(40), as: UTF8.self))
        }
        let sign = text.first == Byte.minus ? [Byte.minus] : []
        return sign + layout(digits, point: decimalPoint(text))
    }

    /// The digits of the significand without zeros at either end.
    private static func significantDigits(_ number: UnsafeRawBufferPointer) -> [UInt8] {
        var digits: [UInt8] = []
        for byte in number {
            if byte | 0x20 == Byte.letterE { break }
            if Byte.isDigit(byte), !digits.isEmpty || byte != Byte.zero { digits.append(byte) }
        }
        while digits.last == Byte.zero { digits.removeLast() }
        return digits
    }

    /// How many of the significant digits stand before the decimal point; below 0 for zeros behind it. The number is
    /// in the range of doubles, so neither the exponent nor the length of the text can overflow.
    private static func decimalPoint(_ number: UnsafeRawBufferPointer) -> Int {
        var point = 0
        var isFraction = false
        var isSignificant = false
        var at = number.first == Byte.minus ? 1 : 0
        while at < number.count, number[at] | 0x20 != Byte.letterE {
            let byte = number[at]
            at &+= 1
            if byte == Byte.point {
                isFraction = true
                continue
            }
            if byte != Byte.zero { isSignificant = true }
            if isFraction {
                if !isSignificant { point &-= 1 }
            } else if isSignificant {
                point &+= 1
            }
        }
        guard at < number.count else { return point }
        at &+= 1
        let isNegative = number[at] == Byte.minus
        if isNegative || number[at] == Byte.plus { at &+= 1 }
        var exponent = 0
        for byte in number[at...] {
            exponent = min(exponent &* 10 &+ Int(byte &- Byte.zero), 1_000_000_000_000)
        }
        return isNegative ? point &- exponent : point &+ exponent
    }

    /// Digits as ECMAScript's Number::toString lays them out: plain up to 21 digits before the point and down to 10^-6,
    /// with an exponent beyond.
    private static func layout(_ digits: [UInt8], point: Int) -> [UInt8] {
        let count = digits.count
        if point >= count, point <= 21 {
            return digits + [UInt8](repeating: Byte.zero, count: point - count)
        }
        if point > 0, point <= 21 {
            return digits[..<point] + [Byte.point] + digits[point...]
        }
        if point > -6, point <= 0 {
            return [Byte.zero, Byte.point] + [UInt8](repeating: Byte.zero, count: -point) + digits
        }
        var text = [digits[0]]
        if count > 1 { text += [Byte.point] + digits[1...] }
        text += [Byte.letterE, point > 0 ? Byte.plus : Byte.minus]
        return text + Array(String((point - 1).magnitude).utf8)
    }
}
