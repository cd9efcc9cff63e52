// Traits as small integers: inside the engine nothing hashes or compares a trait's name.

/// The position of a trait among the definitions of one hierarchy.
///
/// Dense: the 22 system traits are 0…21 in catalogue order, the private members of the system
/// sets follow, custom traits come after in the order of their definition. An index is valid
/// until its trait is deleted and means nothing in another hierarchy, except for system traits.
public struct TraitIndex: BitwiseCopyable, Hashable, Comparable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public static func < (left: TraitIndex, right: TraitIndex) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension TraitIndex: CustomStringConvertible {
    public var description: String { "#\(rawValue)" }
}
