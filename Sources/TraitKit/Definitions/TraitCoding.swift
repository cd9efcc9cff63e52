// How the values of a trait's Swift type become the engine's values and come back, and how they
// are archived. Decided once, when the trait is defined.

internal import TraitEngine

/// A coding whose value type is erased.
class AnyTraitCoding: @unchecked Sendable {
    // Unchecked: subclasses have constants only; a class that is not final cannot say so.

    /// The engine's type of the values.
    let type: TraitType
    /// Whether `null` is among them.
    let isNullable: Bool

    fileprivate init(type: TraitType, isNullable: Bool) {
        self.type = type
        self.isNullable = isNullable
    }

    /// Writes a value of the trait to an archive; false when its type cannot be archived.
    func archive(
        _ value: TraitValue, _ key: ArchiveKey,
        into container: inout KeyedEncodingContainer<ArchiveKey>
    ) throws -> Bool { false }

    /// Reads what `archive` wrote; nil when the type cannot be archived.
    func unarchive(
        _ key: ArchiveKey, from container: KeyedDecodingContainer<ArchiveKey>
    ) throws -> TraitValue? { nil }
}

/// The coding of one value type.
final class TraitCoding<Value>: AnyTraitCoding, @unchecked Sendable {
    private let encoder: @Sendable (Value) -> TraitValue
    private let decoder: @Sendable (TraitValue) -> Value?

    init(
        _ type: TraitType, isNullable: Bool = false,
        encode: @escaping @Sendable (Value) -> TraitValue,
        decode: @escaping @Sendable (TraitValue) -> Value?
    ) {
        encoder = encode
        decoder = decode
        super.init(type: type, isNullable: isNullable)
    }

    /// The engine's value.
    func encode(_ value: Value) -> TraitValue { encoder(value) }

    /// Nil when the engine's value is no value of the trait.
    func decode(_ value: TraitValue) -> Value? { decoder(value) }

    override func archive(
        _ value: TraitValue, _ key: ArchiveKey,
        into container: inout KeyedEncodingContainer<ArchiveKey>
    ) throws -> Bool {
        guard let value = decode(value) else { return false }
        return try Archive.write(value, key, into: &container)
    }

    override func unarchive(
        _ key: ArchiveKey, from container: KeyedDecodingContainer<ArchiveKey>
    ) throws -> TraitValue? {
        try Archive.read(Value.self, key, from: container).map(encode)
    }
}

// MARK: - Codings

extension TraitCoding {
    /// The coding of a custom trait. Booleans and integers are types of the engine; values of all
    /// other types are opaque to it.
    static func custom() -> TraitCoding<Value> {
        TraitCoding<Bool>.bool as? TraitCoding<Value>
            ?? TraitCoding<Int>.int as? TraitCoding<Value>
            ?? opaque(equality: Equality())
    }
}

extension TraitCoding {
    private static func opaque(equality: Equality<Value>) -> TraitCoding<Value> {
        TraitCoding<Value>(
            .opaque, encode: { .opaque(OpaqueValue(OpenValue(value: $0, equality: equality))) },
            decode: { value in
                guard case .opaque(let opaque) = value else { return nil }
                return opaque.value(as: OpenValue<Value>.self)?.value
            })
    }
}

extension TraitCoding where Value == Bool {
    fileprivate static let bool = TraitCoding(
        .bool, encode: { .bool($0) },
        decode: { value in
            guard case .bool(let flag) = value else { return nil }
            return flag
        })
}

extension TraitCoding where Value == Int {
    fileprivate static let int = TraitCoding(
        .int, encode: { .int(Int64($0)) },
        decode: { value in
            guard case .int(let number) = value else { return nil }
            return Int(truncatingIfNeeded: number)
        })
}
