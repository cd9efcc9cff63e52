// A value as JSON has it: the value of a trait, a member of a body, or a whole body. JSON values of Foundation
// lose the difference between 1 and true on some platforms, and integers beyond 2^53 on others.

/// A value of a trait, or any other JSON value.
///
/// A number without fraction and exponent that fits into 64 bits is an ``integer(_:)``, every other number a
/// ``number(_:)``. `==` compares what was written: `1` equals `1.0`, and strings are equal if their UTF-8 bytes
/// are, so `"é"` in composed and in decomposed form are two values, as they are for the server.
public enum TraitValue: Sendable {
    /// No value.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number of 64 bits.
    case integer(Int64)
    /// Any other number. A number beyond the range of a double is read as infinity, which cannot be written.
    case number(Double)
    /// A text.
    case string(String)
    /// A list. The server gives no trait such a value; bodies have lists.
    case array([TraitValue])
    /// The value of a structure by field, or an object of a body.
    case object(TraitObject)
}

extension TraitValue {
    /// The flag, or nil if the value is no flag.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The whole number, also of `1.0`, or nil if the value is no whole number of 64 bits.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The number as the nearest double, or nil if the value is no number.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The text, or nil if the value is no text.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The list, or nil if the value is no list.
    public var array: [TraitValue]? { if case .array(let value) = self { value } else { nil } }

    /// The object, or nil if the value is no object.
    public var object: TraitObject? { if case .object(let value) = self { value } else { nil } }

    /// Whether the value is null.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The member of an object, or nil if the value is no object or has no such member.
    public subscript(_ name: String) -> TraitValue? { object?[name] }
}

extension TraitValue: Hashable {
    /// Whether both were written as the same value: members in any order, numbers by their exact value.
    public static func == (one: TraitValue, other: TraitValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.integer(let whole), .number(let double)), (.number(let double), .integer(let whole)):
            Int64(exactly: double) == whole
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .number(let value):
            if let whole = Int64(exactly: value) {
                hasher.combine(whole)
            } else {
                hasher.combine(value)
            }
        case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .array(let values): hasher.combine(values)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension TraitValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes null.
    public init(nilLiteral: ()) { self = .null }
    /// Makes a flag.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Makes a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Makes a number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Makes a text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes a list.
    public init(arrayLiteral elements: TraitValue...) { self = .array(elements) }
    /// Makes an object. Of several members with one name the last one counts.
    public init(dictionaryLiteral elements: (String, TraitValue)...) {
        self = .object(TraitObject(elements))
    }
}

extension TraitValue: CustomStringConvertible {
    /// The value as JSON, with `Infinity` and `NaN` where JSON has no number.
    public var description: String {
        var writer = JSONWriter()
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
