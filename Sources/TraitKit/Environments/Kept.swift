// The form of all members that only keep a value for the program.

/// A member that is stored and returned. What the program itself sets on a view stays when appearance
/// proxies have another value for it. Only members of this library are wrapped so.
@propertyWrapper
public struct Kept<Value> {
    var value: Value
    /// Whether the program set the value on the object itself.
    var isOwn = false

    /// A member with its first value.
    public init(wrappedValue: Value) {
        value = wrappedValue
    }

    /// Not for use: members are read and written through their objects.
    @available(*, unavailable, message: "for members of classes")
    public var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    /// The member of an object.
    @MainActor
    public static subscript<Object: AnyObject>(
        _enclosingInstance object: Object,
        wrapped property: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        get { object[keyPath: storage].value }
        set {
            if AppearanceRules.shared.target === object {
                if object[keyPath: storage].isOwn { return }
            } else {
                object[keyPath: storage].isOwn = true
            }
            object[keyPath: storage].value = newValue
        }
    }
}
