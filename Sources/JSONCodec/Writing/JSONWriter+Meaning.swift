// One text for all JSON texts that mean the same: members sorted by name, numbers in one spelling.

extension JSONWriter {
    /// Writes a value so that two values mean the same exactly when their bytes are equal. The
    /// order of members and the spelling of numbers and strings do not matter: 2, 2.0 and 0.2e1 are
    /// one number, and 0 has no sign. Numbers are compared exactly, not as doubles. O(n log n) for
    /// n members; recursion is bounded by the depth that the reader accepts.
    package mutating func meaning(of json: JSONValue) {
        switch json.kind {
        case .null, .bool: raw(json.rawBytes)
        case .number: raw(Self.plainNumber(json.rawBytes))
        case .string: value(bytes: json.string?.bytes ?? json.rawBytes)
        case .array:
            beginArray()
            for element in json.elements { meaning(of: element) }
            endArray()
        case .object:
            beginObject()
            let members = json.members.sorted {
                $0.0.bytes.lexicographicallyPrecedes($1.0.bytes)
            }
            for (name, member) in members {
                key(name.bytes)
                meaning(of: member)
            }
            endObject()
        }
    }

    /// So many zeros at the end of an integer are written out.
    private static let zerosMax = 18

    /// Significant digits and an exponent, which integers of usual length are without. A number
    /// whose exponent does not fit into 64 bits stays as it is.
    private static func plainNumber(_ number: UnsafeRawBufferPointer) -> [UInt8] {
        var digits: [UInt8] = []
        var fraction = 0
        var isFraction = false
        var end = 0
        while end < number.count, number[end] | 0x20 != Byte.letterE {
            let byte = number[end]
            end &+= 1
            if byte == Byte.point { isFraction = true }
            guard Byte.isDigit(byte) else { continue }
            if isFraction { fraction &+= 1 }
            if !digits.isEmpty || byte != Byte.zero { digits.append(byte) }
        }
        if digits.isEmpty { return [Byte.zero] }
        var exponent = -fraction
        if end < number.count {
            var written = number[(end &+ 1)...]
            if written.first == Byte.plus { written = written.dropFirst() }
            guard let power = Int(String(decoding: written, as: UTF8.self)) else {
                return Array(number)
            }
            let (sum, overflows) = power.addingReportingOverflow(-fraction)
            if overflows { return Array(number) }
            exponent = sum
        }
        while digits.last == Byte.zero {
            digits.removeLast()
            let (sum, overflows) = exponent.addingReportingOverflow(1)
            if overflows { return Array(number) }
            exponent = sum
        }
        var plain = number.first == Byte.minus ? [Byte.minus] : []
        plain += digits
        if exponent > 0, exponent <= zerosMax {
            plain += repeatElement(Byte.zero, count: exponent)
        } else if exponent != 0 {
            plain += Array("e\(exponent)".utf8)
        }
        return plain
    }
}
