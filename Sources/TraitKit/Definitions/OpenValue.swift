// Values of custom traits, which may be of any type. The engine compares and passes them between
// threads, so they are wrapped in a type that is Equatable and Sendable.

/// How the values of one type are compared. Found out once, when the trait is defined.
struct Equality<Value>: Sendable {
    private let comparison: (any Comparison)?

    init() {
        let type: Any.Type = Value.self
        comparison =
            if let equatable = type as? any Equatable.Type {
                Self.ofEquatable(equatable)
            } else if type is AnyObject.Type || type is any OptionalObject.Type {
                ComparisonOfObjects()
            } else {
                nil
            }
    }

    /// Whether the values are equal; nil when the type cannot tell.
    func callAsFunction(_ left: Value, _ right: Value) -> Bool? {
        comparison?.isEqual(left, right)
    }

    private static func ofEquatable<Compared: Equatable>(
        _ type: Compared.Type
    ) -> any Comparison { ComparisonOfValues<Compared>() }
}

private protocol Comparison: Sendable {
    func isEqual<Value>(_ left: Value, _ right: Value) -> Bool
}

private struct ComparisonOfValues<Compared: Equatable>: Comparison {
    func isEqual<Value>(_ left: Value, _ right: Value) -> Bool {
        guard let left = left as? Compared, let right = right as? Compared else { return false }
        return left == right
    }
}

private struct ComparisonOfObjects: Comparison {
    func isEqual<Value>(_ left: Value, _ right: Value) -> Bool { object(left) === object(right) }

    private func object<Value>(_ value: Value) -> AnyObject? {
        if let optional = value as? any OptionalObject { return optional.object }
        return value as AnyObject
    }
}

/// An optional reference to an object.
private protocol OptionalObject {
    var object: AnyObject? { get }
}

extension Optional: OptionalObject where Wrapped: AnyObject {
    fileprivate var object: AnyObject? { self }
}

/// A value of a custom trait.
struct OpenValue<Value>: Hashable, @unchecked Sendable, CustomStringConvertible {
    // Unchecked: as in UIKit, the author of a trait whose values are not Sendable has to see to it
    // that they may be read on any thread.

    let value: Value
    private let equality: Equality<Value>
    /// Tells one write from another when the type has no equality.
    private let write: Write?

    private final class Write: Sendable {}

    init(value: Value, equality: Equality<Value>) {
        self.value = value
        self.equality = equality
        write = equality(value, value) == nil ? Write() : nil
    }

    static func == (left: OpenValue, right: OpenValue) -> Bool {
        left.equality(left.value, right.value) ?? (left.write === right.write)
    }

    /// Values that are not Hashable share one hash.
    func hash(into hasher: inout Hasher) {
        if let value = value as? any Hashable { value.hash(into: &hasher) }
    }

    var description: String { String(describing: value) }
}
