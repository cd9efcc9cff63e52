// The protocol of UIKit's open enumerations, which keep a raw value without a case as it is.

/// An integer-backed enumeration whose last case takes every other raw value.
protocol SystemEnumeration: RawRepresentable, Hashable, Sendable where RawValue == Int {
    /// The value of any raw value.
    init(raw: Int)
}

extension SystemEnumeration {
    /// The value of a raw value. Failable as in UIKit, but never nil: a raw value without a case is
    /// kept.
    public init?(rawValue: Int) {
        self.init(raw: rawValue)
    }

    /// Values are equal when their raw values are, whichever case spells them.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
