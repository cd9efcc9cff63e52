// The inputs that UIKit had before trait overrides. They lie between what a container supplies and
// the overrides; only what they specify counts, so unspecified values do nothing here.

extension Hierarchy {
    /// Sets the legacy collection of a node: on a child controller the one that its parent gives it
    /// (`setOverrideTraitCollection(_:forChild:)`), on a presentation controller the one for its presented
    /// content (`overrideTraitCollection`). nil and the empty collection clear. Each value that changes costs
    /// what an override does.
    ///
    /// - Throws: `typeMismatch`, `privateTrait`, `limit`.
    public func setLegacyCollection(
        _ node: NodeIndex, _ collection: TraitCollection?
    ) throws(OperationError) {
        try replace(node.rawValue, .legacyCollection, specified(collection))
    }

    func specified(_ collection: TraitCollection?) -> [(TraitIndex, TraitValue)] {
        guard let collection else { return [] }
        return collection.traits.intersection(definitions.settable).map { ($0, collection[$0]) }
    }

    /// `overrideUserInterfaceStyle`. nil and the unspecified style mean none. It wins over the
    /// style in a legacy collection. Costs what an override does.
    ///
    /// - Throws: `typeMismatch`.
    public func setLegacyStyle(_ node: NodeIndex, _ style: TraitValue?) throws(OperationError) {
        guard let trait = TraitDefinitions.system.index(of: "userInterfaceStyle") else { return }
        if let style, style != definitions[trait].unspecifiedValue {
            try set(node.rawValue, trait, .legacyStyle, style)
        } else {
            remove(node.rawValue, trait.rawValue, .legacyStyle)
        }
    }

    /// By trait index. O(values of the node).
    public func legacyCollection(of node: NodeIndex) -> [(TraitIndex, TraitValue)] {
        values(of: node, in: .legacyCollection)
    }

    /// Nil when the node overrides no style by itself. O(values of the node).
    public func legacyStyle(of node: NodeIndex) -> TraitValue? {
        values(of: node, in: .legacyStyle).first?.1
    }
}
