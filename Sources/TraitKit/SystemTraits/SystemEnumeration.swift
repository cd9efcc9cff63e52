// What UIKit's enumerations have in common: they are open, so that a raw value from a newer
// system, or none at all, is kept as it is.

/// An integer-backed enumeration whose last case takes every other raw value.
protocol SystemEnumeration: RawRepresentable, Hashable, Sendable where RawValue == Int {
    init(rawValue: Int)
}

extension SystemEnumeration {
    /// Values are equal when their raw values are, whichever case spells them.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
