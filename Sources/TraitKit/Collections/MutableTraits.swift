// Mutable containers of traits: the protocol, which apps extend with a property for each of their
// traits, and the container that the closure of a collection writes to.

internal import TraitEngine

/// A mutable container of traits (`UIMutableTraits`).
///
///     extension MutableTraits {
///         var theme: Theme {
///             get { self[ThemeTrait.self] }
///             set { self[ThemeTrait.self] = newValue }
///         }
///     }
public protocol MutableTraits {
    /// The value of a trait. Reading a trait that is not set returns the default in a collection
    /// under construction, and is an error in overrides.
    subscript<Definition: TraitDefinition>(trait: Definition.Type) -> Definition.Value { get set }
}

/// A collection under construction. Reading a trait that was not written returns the value of the
/// base collection, or the default.
struct TraitBag: MutableTraits {
    let base: TraitEngine.TraitCollection
    /// The recorder of a tracked method that is running; it gets the reads of the base.
    let reads: ReadRecorder?
    private(set) var writes = TraitValues()

    init(base: TraitCollection) {
        self.base = base.values
        reads = base.reads
    }

    subscript<Definition: TraitDefinition>(trait: Definition.Type) -> Definition.Value {
        get {
            if let written = writes.value(of: trait) { return written }
            let (index, coding) = TraitTable.entry(of: trait)
            reads?.insert(index)
            return coding.decode(base[index]) ?? Definition.defaultValue
        }
        set {
            do throws(TraitError) {
                try writes.set(trait, newValue)
            } catch {
                misuse("\(error)")
            }
        }
    }

    /// Writes all of the values.
    mutating func take(_ values: TraitValues) { writes.merge(values) }

    /// The base with the written values. The unspecified value of a system trait removes the trait.
    var collection: TraitEngine.TraitCollection {
        let base = base.adopting(TraitTable.definitions)
        do throws(OperationError) {
            return try base.modifying { (traits) throws(OperationError) in
                for (trait, value) in writes.pairs { try traits.set(trait, value) }
            }
        } catch {
            misuse("a checked value was refused: \(error)")
        }
    }
}
