// Values that the engine only stores, compares and returns: what a program written in Swift holds in
// a custom trait. They are never written to a log or sent.

/// A value of any Swift type that can be compared.
///
/// Equality is that of the value's own type; values of different types are never equal.
public struct OpaqueValue: Hashable, Sendable {
    private let box: any Comparing

    public init(_ value: some Equatable & Sendable) {
        box = Box(value: value)
    }

    /// The value, if it is of that type.
    public func value<Value: Equatable & Sendable>(as type: Value.Type) -> Value? {
        (box as? Box<Value>)?.value
    }

    /// The value as it prints.
    public var printed: String { box.printed }

    /// Whether the value equals itself. One that does not (NaN, and what holds it) would count as
    /// changed for ever, so no trait takes it.
    public var equalsItself: Bool { box.isEqual(to: box) }

    public static func == (left: OpaqueValue, right: OpaqueValue) -> Bool {
        left.box.isEqual(to: right.box)
    }

    /// Values that are not Hashable share a hash with all of their type.
    public func hash(into hasher: inout Hasher) { box.hash(into: &hasher) }
}

/// A value whose type is erased: it can be printed, compared and hashed.
private protocol Comparing: Sendable {
    var printed: String { get }
    func isEqual(to other: any Comparing) -> Bool
    func hash(into hasher: inout Hasher)
}

private struct Box<Value: Equatable & Sendable>: Comparing {
    let value: Value

    var printed: String { String(describing: value) }

    func isEqual(to other: any Comparing) -> Bool {
        (other as? Box<Value>)?.value == value
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(Value.self))
        if let value = value as? any Hashable { value.hash(into: &hasher) }
    }
}
