// Environment values of nodes: overrides of the trait that holds them, so that they propagate, show
// and are undone like all values.

extension Hierarchy {
    /// Sets an environment value on a node, as SwiftUI's modifier does: what inherits from the
    /// node reads it. With a bridged key this is the trait's override. Costs what an override does,
    /// and O(map).
    ///
    /// - Throws: `unknownEnvironmentKey`, `typeMismatch`, `limit` (for a string).
    public func setEnvironment(
        _ node: NodeIndex, _ key: String, _ value: TraitValue
    ) throws(OperationError) {
        let entry = try environmentEntry(key)
        let definition = entry.key.hiddenTrait
        guard definition.accepts(value) else {
            throw .typeMismatch(trait: key, expected: definition.expectation)
        }
        guard let word = entry.encode(value) else {
            throw .typeMismatch(trait: key, expected: "one of the values that its map translates")
        }
        try setOverride(node, entry.trait, word)
    }

    /// Removes an environment value, so that it is inherited again. Quiet when there is none.
    /// O(values of the node).
    ///
    /// - Throws: `unknownEnvironmentKey`.
    public func removeEnvironment(_ node: NodeIndex, _ key: String) throws(OperationError) {
        removeOverride(node, try environmentEntry(key).trait)
    }

    /// The environment value that a node shows, and what decided it. O(levels, map).
    ///
    /// - Throws: `unknownEnvironmentKey`.
    public func environment(
        _ key: String, at node: NodeIndex
    ) throws(OperationError) -> Resolution {
        let entry = try environmentEntry(key)
        let resolution = resolve(entry.trait, at: node)
        return Resolution(value: entry.decode(resolution.value), source: resolution.source)
    }

    /// The value that is set on the node itself; of a bridged key what the trait's override
    /// stands for. O(values of the node, map).
    ///
    /// - Throws: `unknownEnvironmentKey`.
    public func ownEnvironment(
        _ key: String, of node: NodeIndex
    ) throws(OperationError) -> TraitValue? {
        let entry = try environmentEntry(key)
        return override(entry.trait, of: node).map(entry.decode)
    }

    private func environmentEntry(_ key: String) throws(OperationError) -> EnvironmentEntry {
        guard let entry = definitions.named.environmentKeys[key] else {
            throw .unknownEnvironmentKey(key)
        }
        return entry
    }
}
