// Values that a reader supplies for a node, without a change of the hierarchy.

extension Hierarchy {
    /// The value that the trait would resolve to if `value` were supplied for the node: values that the node
    /// overrides and its limits of the content size category go over it, values that the node inherits do not. In a
    /// layout hierarchy the node's overrides are those that it shows. O(levels), as `resolve(_:at:)`.
    ///
    /// - Parameter value: a value that the trait accepts.
    package func resolve(
        _ trait: TraitIndex, at node: NodeIndex, supplying value: TraitValue
    ) -> Resolution {
        let present = resolve(trait, at: node)
        if present.source.node == node, present.source.kind > .limited { return present }
        if trait == Self.contentSize, let limits = parts.contentLimits[node.rawValue],
            let clamped = limits.clamp(value)
        {
            return Resolution(
                value: clamped,
                source: Source(kind: .limited, node: node, revision: limits.revision))
        }
        return Resolution(value: value, source: .supplied)
    }
}

extension Source {
    /// A value that the reader supplies: no node and no revision set it.
    package static let supplied = Source(kind: .supplied, node: nil, revision: nil)
}
