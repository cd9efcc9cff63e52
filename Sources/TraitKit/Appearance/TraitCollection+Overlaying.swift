// Laying one collection over another, as configurations of images do.

internal import TraitEngine

extension TraitCollection {
    /// This collection with the values that the other one specifies, custom traits included.
    func overlaid(with other: TraitCollection) -> TraitCollection {
        let newer = other.comparable
        do throws(OperationError) {
            let values = try comparable.modifying { (traits) throws(OperationError) in
                for trait in newer.traits { try traits.set(trait, newer[trait]) }
            }
            return TraitCollection(values)
        } catch {
            misuse("a value of a collection was refused: \(error)")
        }
    }
}
