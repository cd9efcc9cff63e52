// A trait's value, as the outside of the engine sees it. Inside, values are 8-byte words
// (see ValuePool); this type is what goes in and what comes out.

/// A value of a trait.
///
/// Enumerations travel as their raw value: `.int` for integer cases, `.string` for the content
/// size category. A structure is its fields' values in the order in which the definition
/// declares them. `.null` is a value only of a trait that is nullable.
public enum TraitValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case structure([TraitValue])
    /// The canonical text of a JSON value, never `null`. The engine compares its bytes and does not read it.
    case json(String)
    /// A Swift value that only a program linking the engine can set; it does not travel.
    case opaque(OpaqueValue)
}

extension TraitValue {
    /// Strings are equal when their bytes are (String's own `==` takes canonically equivalent
    /// ones for equal), numbers by value: -0 equals 0.
    public static func == (left: TraitValue, right: TraitValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.string(let left), .string(let right)): TraitValue.isSameUTF8(left, right)
        case (.structure(let left), .structure(let right)): left == right
        case (.json(let left), .json(let right)): TraitValue.isSameUTF8(left, right)
        case (.opaque(let left), .opaque(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .string(var value):
            value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .structure(let values): hasher.combine(values)
        case .json(var text):
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .opaque(let value): hasher.combine(value)
        }
    }
}

extension TraitValue {
    /// Strings are equal when their bytes are: String's own `==` takes canonically equivalent
    /// ones for equal. O(bytes), eight at a time, as a value may have 16 KiB; O(1) for copies of one
    /// string.
    static func isSameUTF8(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                left.baseAddress == right.baseAddress
                    || hasSameBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            }
        }
    }

    /// - Parameter right: as many bytes as `left`.
    private static func hasSameBytes(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        let wordsEnd = left.count & ~7
        for position in stride(from: 0, to: wordsEnd, by: 8) {
            let word = left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let other = right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if word != other { return false }
        }
        return left[wordsEnd...].elementsEqual(right[wordsEnd...])
    }
}

/// The type of a trait's values. Types are invariant: no value is converted silently.
public enum TraitType: Hashable, Sendable {
    case bool
    case int
    case double
    case string
    /// Integer-backed cases, in declaration order.
    case enumeration([EnumCase<Int64>])
    /// String-backed cases: the content size categories.
    case stringEnumeration([EnumCase<String>])
    case structure([StructField])
    /// Any JSON value; `.null` stands for `null`.
    case json
    /// Any Swift value; for traits that a program defines, never for those of a client.
    case opaque
}

public struct EnumCase<Raw: Hashable & Sendable>: Hashable, Sendable {
    public let name: String
    public let raw: Raw

    public init(_ name: String, _ raw: Raw) {
        self.name = name
        self.raw = raw
    }
}

public struct StructField: Hashable, Sendable {
    /// The types of fields. `json` is no scalar, but a value like the others to a struct.
    public enum Scalar: String, Hashable, Sendable, CaseIterable {
        case bool, int, double, string, json
    }

    public let name: String
    public let type: Scalar

    public init(_ name: String, _ type: Scalar) {
        self.name = name
        self.type = type
    }
}
