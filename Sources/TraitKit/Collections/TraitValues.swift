// The values that a container of traits holds, as the engine knows them.

internal import TraitEngine

/// Traits with their values, as a container of overrides or of supplied values has them.
struct TraitValues: Sendable, Equatable {
    private(set) var values: [TraitIndex: TraitValue] = [:]

    init() {}

    init(_ pairs: [(TraitIndex, TraitValue)]) {
        values = Dictionary(pairs) { _, last in last }
    }

    var traits: TraitSet { TraitSet(values.keys) }

    /// By index.
    var pairs: [(TraitIndex, TraitValue)] {
        values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Nil when the trait is not held.
    func value<Definition: TraitDefinition>(of trait: Definition.Type) -> Definition.Value? {
        let (index, coding) = TraitTable.entry(of: trait)
        return values[index].flatMap(coding.decode)
    }

    /// - Throws: `refusedValue`, `privateTrait`.
    mutating func set<Definition: TraitDefinition>(
        _ trait: Definition.Type, _ value: Definition.Value
    ) throws(TraitError) {
        let (index, coding) = TraitTable.entry(of: trait)
        let value = coding.encode(value)
        let definitions = TraitTable.definitions
        do throws(OperationError) {
            try definitions.validate(value, for: index)
        } catch {
            if case .typeMismatch(_, let expected) = error {
                throw .refusedValue(trait: Definition.name, expected: expected)
            }
            throw TraitError(error)
        }
        values[index] = value
    }

    mutating func remove(_ trait: TraitKey) {
        values[TraitTable.entry(of: trait).index] = nil
    }

    /// Adds the values of the other container, which win.
    mutating func merge(_ other: TraitValues) {
        values.merge(other.values) { _, new in new }
    }

    /// The values as a collection.
    var collection: TraitEngine.TraitCollection {
        var bag = TraitBag(base: TraitCollection())
        bag.take(self)
        return bag.collection
    }

    func contains(_ trait: TraitKey) -> Bool {
        values[TraitTable.entry(of: trait).index] != nil
    }
}
