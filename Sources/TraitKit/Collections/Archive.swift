// Archiving collections: what UIKit does with secure coding, done with Swift's Codable.

internal import TraitEngine

/// A trait's identifier as a key.
struct ArchiveKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}

/// Traits are kept by identifier: system traits, and custom ones that declare theirs. What cannot
/// be kept reads as its default when it comes back.
extension TraitCollection: Codable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ArchiveKey.self)
        var written = Set<String>()
        for index in values.traits {
            guard let entry = TraitTable.entry(at: index),
                let identifier = entry.type.declaredIdentifier, !written.contains(identifier)
            else { continue }
            let key = ArchiveKey(stringValue: identifier)
            if try entry.coding.archive(values[index], key, into: &container) {
                written.insert(identifier)
            }
        }
    }

    /// Identifiers that no trait in use declares are passed over: a trait is in use once something
    /// was done with its type.
    ///
    /// - Throws: what the decoder throws when a value is not of its trait's type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ArchiveKey.self)
        var read: [(TraitIndex, TraitValue)] = []
        let definitions = TraitTable.definitions
        for key in container.allKeys {
            guard let entry = TraitTable.entry(identifiedBy: key.stringValue),
                let value = try entry.coding.unarchive(key, from: container),
                (try? definitions.validate(value, for: entry.index)) != nil
            else { continue }
            read.append((entry.index, value))
        }
        self.init(
            try TraitEngine.TraitCollection(definitions: definitions) { traits in
                for (trait, value) in read { try traits.set(trait, value) }
            })
    }
}

/// How one value is kept: as itself if it can be, else as its raw value.
enum Archive {
    /// False for a value that cannot be kept.
    static func write<Value>(
        _ value: Value, _ key: ArchiveKey,
        into container: inout KeyedEncodingContainer<ArchiveKey>
    ) throws -> Bool {
        let raw = (value as? any RawRepresentable)?.rawValue
        guard let encodable = value as? any Encodable ?? raw as? any Encodable else { return false }
        try container.encode(encodable, forKey: key)
        return true
    }

    /// Nil for a type whose values cannot be kept, and for a raw value that stands for none.
    static func read<Value>(
        _ type: Value.Type, _ key: ArchiveKey, from container: KeyedDecodingContainer<ArchiveKey>
    ) throws -> Value? {
        if let type = type as? any Decodable.Type {
            return try container.decode(type, forKey: key) as? Value
        }
        guard let type = type as? any RawRepresentable.Type else { return nil }
        return try readRaw(type, key, from: container) as? Value
    }

    private static func readRaw<Value: RawRepresentable>(
        _ type: Value.Type, _ key: ArchiveKey, from container: KeyedDecodingContainer<ArchiveKey>
    ) throws -> Value? {
        guard let rawType = Value.RawValue.self as? any Decodable.Type,
            let raw = try container.decode(rawType, forKey: key) as? Value.RawValue
        else { return nil }
        return Value(rawValue: raw)
    }
}
