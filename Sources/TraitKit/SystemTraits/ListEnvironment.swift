// In which kind of list content stands.

/// The kind of list that the content is in (`UITraitListEnvironment`).
public struct TraitListEnvironment: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = ListEnvironment.unspecified
}

extension TraitCollection {
    /// The kind of list around the content. Its flag affects colours though it is in neither list.
    public var listEnvironment: ListEnvironment { self[TraitListEnvironment.self] }

    /// A collection of this trait alone.
    public init(listEnvironment: ListEnvironment) {
        self.init(TraitListEnvironment.self, value: listEnvironment)
    }
}

extension MutableTraits {
    /// The kind of list around the content. Its flag affects colours though it is in neither list.
    public var listEnvironment: ListEnvironment {
        get { self[TraitListEnvironment.self] }
        set { self[TraitListEnvironment.self] = newValue }
    }
}
