// Nodes and registrations as seen from outside: small numbers instead of objects, so that a
// million of them cost no reference counting.

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

/// What to do with one attribute of a node: nothing, clear it, or give it a value.
public enum Change<Value> {
    case keep
    case clear
    case set(Value)
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
