// The order in which traits are listed: UIKit's as in its catalogue, then the custom ones in the
// order of their definition. Indices of deleted traits are reused once the deletion is acknowledged,
// so the order of indices may differ.

extension TraitDefinitions {
    /// Custom traits in the order of their definition.
    package var customInOrder: [TraitIndex] { storage.order }

    /// Whether the indices of settable traits rise in catalogue order. O(1).
    package var isInCatalogueOrder: Bool { storage.isInOrder }

    /// Traits in catalogue order. O(traits), and a sort when their indices do not rise.
    package func inCatalogueOrder(_ traits: TraitSet) -> [TraitIndex] {
        var list = Array(traits)
        if !storage.ranks.isEmpty {
            list.sort { catalogueRank(of: $0) < catalogueRank(of: $1) }
        }
        return list
    }

    /// Rises in catalogue order; holders of environment values come last, in the order of their
    /// keys. O(1).
    package func catalogueRank(of trait: TraitIndex) -> UInt16 {
        let index = Int(trait.rawValue)
        return index < storage.ranks.count ? storage.ranks[index] : trait.rawValue
    }
}
