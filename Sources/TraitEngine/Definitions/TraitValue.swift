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
}

/// What kind of value a trait holds: types are invariant, nothing is converted silently.
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
    public enum Scalar: String, Hashable, Sendable, CaseIterable {
        case bool, int, double, string
    }

    public let name: String
    public let type: Scalar

    public init(_ name: String, _ type: Scalar) {
        self.name = name
        self.type = type
    }
}
