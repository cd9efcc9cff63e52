// Nodes, registrations and traits as small numbers: a million nodes cost no reference counting, and
// inside the engine nothing hashes or compares a trait's name.

/// A node of one hierarchy. Valid until the commit that deleted the node is acknowledged, or the
/// commit that created it is undone; indices are used again after that.
public struct NodeIndex: Hashable, Sendable {
    public let rawValue: Int32

    @inlinable
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }
}

/// A deleted node of a layout hierarchy whose values are still shown. Valid as long as they are.
public struct DeletedNode: Hashable, Sendable {
    /// The index that it had, which may be another node's by now.
    let node: Int32
    let serial: UInt64
}

/// A registration or a watch of one hierarchy. Valid until the commit that ended it is
/// acknowledged, or the commit that made it is undone.
public struct RegistrationIndex: Hashable, Sendable {
    public let rawValue: Int32

    @inlinable
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }
}

/// The position of a trait among the definitions of one hierarchy.
///
/// Dense: the 22 system traits are 0…21 in catalogue order, the private members of the system
/// sets follow, custom traits come after in the order of their definition. An index is valid
/// until its trait is deleted and means nothing in another hierarchy, except for system traits.
public struct TraitIndex: BitwiseCopyable, Hashable, Comparable, CustomStringConvertible, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public static func < (left: TraitIndex, right: TraitIndex) -> Bool {
        left.rawValue < right.rawValue
    }

    public var description: String { "#\(rawValue)" }
}

/// An edit of one attribute of a node: keep it, clear it, or give it a value.
public enum Change<Value> {
    case keep
    case clear
    case set(Value)
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
