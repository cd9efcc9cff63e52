// The one text that stands for all JSON texts of one value: members in the order of the bytes of their names, strings
// with the fewest escapes, one spelling for each number. Two spellings of numbers are in use: that of values of traits,
// so that equal values have equal bytes in answers, logs, digests and exports, and that of values that are compared.

/// Why a value has no canonical text here.
package enum JSONCanonicalFault: Error, Equatable, Sendable {
    /// Objects and arrays are nested deeper than the caller allows.
    case depth
    /// The number is beyond the range of a double, or nearer to 0 than any double but 0. The text of the number, at
    /// most 40 bytes of it.
    case number(String)
}

extension JSONWriter {
    /// Writes the canonical text of a value, with numbers exactly and in ECMAScript's shortest form. Two values mean
    /// the same exactly when their texts are equal; -0 is 0. O(n log n) for n members.
    ///
    /// - Parameter depthMax: the most containers inside one another; a scalar has none.
    package mutating func canonical(
        _ json: JSONValue, depthMax: Int
    ) throws(JSONCanonicalFault) {
        try sorted(json, depthMax) { (number) throws(JSONCanonicalFault) in
            try Self.canonicalNumber(number)
        }
    }

    /// Writes a value so that two values mean the same exactly when their bytes are equal: 2, 2.0 and 0.2e1 are one
    /// number, and 0 has no sign. Numbers are compared exactly, not as doubles, whatever their size. O(n log n) for
    /// n members; recursion is bounded by the depth that the reader accepts.
    package mutating func meaning(of json: JSONValue) {
        do throws(JSONCanonicalFault) {
            try sorted(json, .max) { Self.plainNumber($0.rawBytes) }
        } catch {
            preconditionFailure("a value has no meaning")
        }
    }

    private mutating func sorted(
        _ json: JSONValue, _ depthMax: Int,
        _ number: (JSONValue) throws(JSONCanonicalFault) -> [UInt8]
    ) throws(JSONCanonicalFault) {
        switch json.kind {
        case .null, .bool: raw(json.rawBytes)
        case .number: raw(try number(json))
        case .string: value(bytes: json.string?.bytes ?? json.rawBytes)
        case .array:
            if depthMax == 0 { throw .depth }
            beginArray()
            for element in json.elements { try sorted(element, depthMax - 1, number) }
            endArray()
        case .object:
            if depthMax == 0 { throw .depth }
            beginObject()
            let members = json.members.sorted {
                $0.0.bytes.lexicographicallyPrecedes($1.0.bytes)
            }
            for (name, member) in members {
                key(name.bytes)
                try sorted(member, depthMax - 1, number)
            }
            endObject()
        }
    }

    // MARK: - Numbers

    /// A number of any length, exactly.
    private struct Decimal {
        let isNegative: Bool
        /// The digits of the significand without zeros at either end; none for 0.
        var digits: [UInt8] = []
        /// The power of ten of the last digit.
        var exponent = 0

        /// Nil when the exponent does not fit into 64 bits.
        init?(_ number: UnsafeRawBufferPointer) {
            isNegative = number.first == Byte.minus
            var end = 0
            var isFraction = false
            while end < number.count, number[end] | 0x20 != Byte.letterE {
                let byte = number[end]
                end &+= 1
                if byte == Byte.point { isFraction = true }
                guard Byte.isDigit(byte) else { continue }
                if isFraction { exponent &-= 1 }
                if !digits.isEmpty || byte != Byte.zero { digits.append(byte) }
            }
            if digits.isEmpty { return }
            while digits.last == Byte.zero {
                digits.removeLast()
                exponent &+= 1
            }
            if end == number.count { return }
            var written = number[(end &+ 1)...]
            if written.first == Byte.plus { written = written.dropFirst() }
            guard let power = Int(String(decoding: written, as: UTF8.self)) else { return nil }
            let (sum, overflows) = exponent.addingReportingOverflow(power)
            if overflows { return nil }
            exponent = sum
        }
    }

    /// Digits beyond those of a double are kept. A number that readers would take for infinite or for 0 is refused.
    private static func canonicalNumber(
        _ json: JSONValue
    ) throws(JSONCanonicalFault) -> [UInt8] {
        let decimal = Decimal(json.rawBytes)
        if let decimal, decimal.digits.isEmpty { return [Byte.zero] }
        guard let decimal, let double = json.double, double != 0 else {
            throw .number(String(decoding: json.rawBytes.prefix(40), as: UTF8.self))
        }
        let count = decimal.digits.count
        let text = [UInt8](unsafeUninitializedCapacity: count + DoubleFormat.bytesMax) {
            (target, length) in
            guard let base = target.baseAddress else { return }
            decimal.digits.withUnsafeBufferPointer { digits in
                guard let digits = digits.baseAddress else { return }
                length = DoubleFormat.lay(
                    digits, count, point: count + decimal.exponent, to: base)
            }
        }
        return decimal.isNegative ? [Byte.minus] + text : text
    }

    /// So many zeros at the end of an integer are written out.
    private static let zerosMax = 18

    /// Significant digits and an exponent, which integers of usual length are without. A number whose exponent does
    /// not fit into 64 bits stays as it is.
    private static func plainNumber(_ number: UnsafeRawBufferPointer) -> [UInt8] {
        guard let decimal = Decimal(number) else { return Array(number) }
        if decimal.digits.isEmpty { return [Byte.zero] }
        let plain = (decimal.isNegative ? [Byte.minus] : []) + decimal.digits
        switch decimal.exponent {
        case 0: return plain
        case 1...zerosMax: return plain + repeatElement(Byte.zero, count: decimal.exponent)
        default: return plain + Array("e\(decimal.exponent)".utf8)
        }
    }
}
