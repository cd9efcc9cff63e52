// UIKit's trait collection as a value, without any hierarchy: what a client builds, merges and
// compares. Nodes of a hierarchy do not hold collections; they resolve traits when asked.

/// An immutable, sparse map from trait to value. A trait that is absent reads as its default.
///
/// For system traits, storing the unspecified value is the same as not storing it. Two
/// collections are equal when every trait reads equal in both. Operations on two collections
/// expect that both were made with definitions of the same hierarchy, if at different times.
/// Reading a trait is O(1), every other operation O(traits specified).
public struct TraitCollection: Sendable {
    /// The definitions that give the traits their defaults and flags.
    public let definitions: TraitDefinitions
    private let values: [TraitIndex: TraitValue]

    /// The empty collection: every trait reads as its default.
    public init(definitions: TraitDefinitions = .system) {
        self.definitions = definitions
        values = [:]
    }

    private init(_ traits: MutableTraits) {
        definitions = traits.definitions
        values = traits.values
    }

    /// The collection of a node's resolved values; unspecified ones are left out.
    init(definitions: TraitDefinitions, resolved values: [TraitIndex: TraitValue]) {
        self.definitions = definitions
        self.values = values.filter { $0.value != definitions[$0.key].unspecifiedValue }
    }

    /// A collection of what the closure writes; the last write of a trait stays.
    public init<Failure: Error>(
        definitions: TraitDefinitions = .system,
        _ write: (inout MutableTraits) throws(Failure) -> Void
    ) throws(Failure) {
        var traits = MutableTraits(definitions: definitions, values: [:])
        try write(&traits)
        self.init(traits)
    }

    /// A collection of one trait.
    public init(
        definitions: TraitDefinitions = .system, _ trait: TraitIndex, _ value: TraitValue
    ) throws(OperationError) {
        var traits = MutableTraits(definitions: definitions, values: [:])
        try traits.set(trait, value)
        self.init(traits)
    }

    /// This collection with later definitions of the same hierarchy: before two collections are
    /// compared, both have to know each other's traits. O(1).
    public func adopting(_ definitions: TraitDefinitions) -> TraitCollection {
        TraitCollection(MutableTraits(definitions: definitions, values: values))
    }

    /// This collection with another value of a trait that it specifies, which later definitions have.
    func converting(
        _ trait: TraitIndex, _ convert: (TraitValue) -> TraitValue?
    ) -> TraitCollection {
        var values = values
        if let value = values[trait] { values[trait] = convert(value) ?? value }
        return TraitCollection(MutableTraits(definitions: definitions, values: values))
    }

    // MARK: - Reading

    /// The trait's value, its default when absent. O(1).
    public subscript(trait: TraitIndex) -> TraitValue {
        values[trait] ?? definitions.definition(at: trait)?.defaultValue ?? .null
    }

    /// The traits this collection specifies. A custom trait set to its default is among them:
    /// custom traits have no unspecified value.
    public var traits: TraitSet { TraitSet(values.keys) }

    /// The traits that read other than their default.
    public var nonDefaultTraits: TraitSet {
        TraitSet(values.keys.filter { definitions.definition(at: $0)?.defaultValue != values[$0] })
    }

    // MARK: - Deriving

    /// A copy with the closure's writes; the receiver is untouched (`modifyingTraits`).
    public func modifying<Failure: Error>(
        _ write: (inout MutableTraits) throws(Failure) -> Void
    ) throws(Failure) -> TraitCollection {
        var traits = MutableTraits(definitions: definitions, values: values)
        try write(&traits)
        return TraitCollection(traits)
    }

    /// A copy with one trait written.
    public func replacing(
        _ trait: TraitIndex, with value: TraitValue
    ) throws(OperationError) -> TraitCollection {
        var traits = MutableTraits(definitions: definitions, values: values)
        try traits.set(trait, value)
        return TraitCollection(traits)
    }

    /// `init(traitsFrom:)`: each system trait comes from the last collection that specifies it;
    /// custom traits are not merged but come from the first collection alone. No collections
    /// give the empty one.
    public init(merging collections: [TraitCollection]) {
        guard let first = collections.first else {
            self.init()
            return
        }
        var values = first.values
        for collection in collections.dropFirst() {
            for (trait, value) in collection.values where collection.isSystem(trait) {
                values[trait] = value
            }
        }
        self.init(MutableTraits(definitions: first.definitions, values: values))
    }

    private func isSystem(_ trait: TraitIndex) -> Bool {
        Int(trait.rawValue) < TraitDefinitions.customStart
    }

    // MARK: - Comparing

    /// `containsTraits(in:)`: whether every *system* trait that `other` specifies has the same
    /// value here. Custom traits do not count; nil and the empty collection are contained.
    public func contains(_ other: TraitCollection?) -> Bool {
        guard let other else { return true }
        return other.values.allSatisfy { !isSystem($0.key) || values[$0.key] == $0.value }
    }

    /// The traits that read differently in `previous`, custom ones included; against nil those
    /// that read other than their default. Symmetric.
    public func changedTraits(from previous: TraitCollection?) -> TraitSet {
        guard let previous else { return nonDefaultTraits }
        return TraitSet(
            traits.union(previous.traits).filter {
                value(of: $0, or: previous.definitions) != previous.value(of: $0, or: definitions)
            })
    }

    /// A trait that only the other collection's definitions know reads here as its default, too:
    /// it was defined after this collection was made.
    private func value(of trait: TraitIndex, or later: TraitDefinitions) -> TraitValue {
        if let value = values[trait] { return value }
        let definition = definitions.definition(at: trait) ?? later.definition(at: trait)
        return definition?.defaultValue ?? .null
    }

    /// Whether a trait that can influence colours differs. The flag of the definition decides,
    /// so custom traits with it count, and so does `listEnvironment`. nil counts as empty.
    public func hasDifferentColorAppearance(comparedTo other: TraitCollection?) -> Bool {
        changedTraits(from: other).contains {
            definitions.definition(at: $0)?.affectsColorAppearance
                ?? other?.definitions.definition(at: $0)?.affectsColorAppearance ?? false
        }
    }
}

extension TraitCollection: Hashable {
    public static func == (left: TraitCollection, right: TraitCollection) -> Bool {
        left.changedTraits(from: right).isEmpty
    }

    public func hash(into hasher: inout Hasher) {
        for trait in nonDefaultTraits {
            hasher.combine(trait)
            hasher.combine(self[trait])
        }
    }
}

/// The traits of a collection under construction.
public struct MutableTraits {
    public let definitions: TraitDefinitions
    private(set) var values: [TraitIndex: TraitValue]

    /// The value written last, or the default: reading here never fails, unlike an override.
    public subscript(trait: TraitIndex) -> TraitValue {
        values[trait] ?? definitions.definition(at: trait)?.defaultValue ?? .null
    }

    /// Writes a trait. The unspecified value of a system trait takes the trait out again. O(1), and
    /// the length of a string.
    ///
    /// - Throws: `typeMismatch`, `privateTrait`, `limit`; `invalidDefinition` for a trait that
    ///   these definitions do not have, where UIKit raises an exception.
    public mutating func set(
        _ trait: TraitIndex, _ value: TraitValue
    ) throws(OperationError) {
        guard let definition = definitions.definition(at: trait) else {
            throw .invalidDefinition(key: "\(trait)", reason: "it is not defined here")
        }
        try definitions.validate(value, for: trait)
        values[trait] = value == definition.unspecifiedValue ? nil : value
    }
}
