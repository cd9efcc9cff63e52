// Whether a person asks for bold text.

/// Whether the person asks for bold text (`UITraitLegibilityWeight`).
public struct TraitLegibilityWeight: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = LegibilityWeight.unspecified
}

extension TraitCollection {
    /// Whether the person asked for bold text.
    public var legibilityWeight: LegibilityWeight { self[TraitLegibilityWeight.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(legibilityWeight: LegibilityWeight) {
        self.init(TraitLegibilityWeight.self, value: legibilityWeight)
    }
}

extension MutableTraits {
    /// Whether the person asked for bold text.
    public var legibilityWeight: LegibilityWeight {
        get { self[TraitLegibilityWeight.self] }
        set { self[TraitLegibilityWeight.self] = newValue }
    }
}
