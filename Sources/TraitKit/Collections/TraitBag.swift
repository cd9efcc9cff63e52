// The bag that a collection's closure writes in.

internal import TraitEngine

/// A collection under construction. Reading a trait that was not written gives what the
/// collection began with, or the default; never an error, unlike an override.
struct TraitBag: MutableTraits {
    let base: TraitEngine.TraitCollection
    /// Hears of what is read of the base, while a method runs whose reads are tracked.
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

    /// Writes all that the values hold.
    mutating func take(_ values: TraitValues) { writes.merge(values) }

    /// What was written goes over what was there; the unspecified value of a system trait takes
    /// the trait out.
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
