// Whether a window looks active.

/// Whether the window looks active (`UITraitActiveAppearance`).
public struct TraitActiveAppearance: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceActiveAppearance.unspecified
}

extension TraitCollection {
    /// Whether the window looks active: follows activation on the Mac, always active elsewhere.
    public var activeAppearance: UserInterfaceActiveAppearance { self[TraitActiveAppearance.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(activeAppearance: UserInterfaceActiveAppearance) {
        self.init(TraitActiveAppearance.self, value: activeAppearance)
    }
}

extension MutableTraits {
    /// Whether the window looks active: follows activation on the Mac, always active elsewhere.
    public var activeAppearance: UserInterfaceActiveAppearance {
        get { self[TraitActiveAppearance.self] }
        set { self[TraitActiveAppearance.self] = newValue }
    }
}
