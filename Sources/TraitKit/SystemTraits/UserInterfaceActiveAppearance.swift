// Whether a window looks active.

/// The active appearance (`UIUserInterfaceActiveAppearance`).
@nonexhaustive(warn)
public enum UserInterfaceActiveAppearance: Int, SystemEnumeration {
    /// No value is specified.
    case unspecified = -1
    /// The window looks as if it were in the background.
    case inactive = 0
    /// The window looks like the window in use.
    case active = 1
}

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
