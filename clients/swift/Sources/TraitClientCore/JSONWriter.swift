// Writes TraitValue as JSON for the wire, and in the form that digests hash (docs/streams.md).

/// A value that JSON cannot write.
public struct UnwritableNumber: Error, Sendable, Hashable, CustomStringConvertible {
    /// The infinity, or NaN.
    public let number: Double
    /// What is wrong and what to do.
    public var description: String { "JSON has no \(number). Send a finite number." }
}

extension TraitValue {
    /// The value as JSON without white space, in UTF-8; members in their order. Complexity: O(n).
    /// - Throws: ``UnwritableNumber`` for an infinity and for NaN.
    public func json() throws(UnwritableNumber) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        if let number = writer.unwritable { throw UnwritableNumber(number: number) }
        return writer.bytes
    }

    /// The value as the digest takes it: JSON without white space, where a number is the 16 hexadecimal digits
    /// of its double, -0 is 0, and members are sorted by the bytes of their names. Complexity: O(n log n).
    public var canonical: String { String(decoding: canonicalBytes, as: UTF8.self) }

    var canonicalBytes: [UInt8] {
        var writer = JSONWriter()
        writer.isCanonical = true
        writer.write(self)
        return writer.bytes
    }
}

struct JSONWriter {
    private static let digits = Array("0123456789abcdef".utf8)

    private(set) var bytes: [UInt8] = []
    /// A number that is not finite, after it was written as text.
    private(set) var unwritable: Double?
    var isCanonical = false

    mutating func write(_ value: TraitValue) {
        switch value {
        case .null: add("null")
        case .bool(let value): add(value ? "true" : "false")
        case .integer(let value): isCanonical ? addDigits(Double(value)) : add(String(value))
        case .number(let value): isCanonical ? addDigits(value) : addNumber(value)
        case .string(let value): addString(value)
        case .array(let values):
            addList("[", values, "]") { writer, value in writer.write(value) }
        case .object(let object) where isCanonical:
            addList("{", object.sortedMembers, "}") { writer, member in writer.addMember(member) }
        case .object(let object):
            addList("{", object, "}") { writer, member in writer.addMember(member) }
        }
    }

    private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func addList<Elements: Sequence>(
        _ open: Unicode.Scalar, _ elements: Elements, _ close: Unicode.Scalar,
        _ add: (inout JSONWriter, Elements.Element) -> Void
    ) {
        bytes.append(UInt8(ascii: open))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            add(&self, element)
        }
        bytes.append(UInt8(ascii: close))
    }

    private mutating func addMember(_ member: TraitObject.Element) {
        addString(member.name)
        bytes.append(UInt8(ascii: ":"))
        write(member.value)
    }

    private mutating func addNumber(_ number: Double) {
        guard number.isFinite else {
            unwritable = number
            return add(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
        }
        add(number.description)
    }

    /// The IEEE 754 double, big end first; adding 0 makes 0 of -0.
    private mutating func addDigits(_ number: Double) {
        let pattern = (number + 0).bitPattern
        for shift in stride(from: UInt64(60), through: 0, by: -4) {
            bytes.append(Self.digits[Int(pattern >> shift & 15)])
        }
    }

    /// Escapes as `JSON.stringify` does.
    private mutating func addString(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x08: add("\\b")
            case 0x0C: add("\\f")
            case 0x0A: add("\\n")
            case 0x0D: add("\\r")
            case 0x09: add("\\t")
            case ..<0x20:
                add("\\u00")
                bytes.append(Self.digits[Int(byte >> 4)])
                bytes.append(Self.digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
