// Light and dark appearance.

/// Light or dark appearance (`UITraitUserInterfaceStyle`).
public struct TraitUserInterfaceStyle: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceStyle.unspecified
}

extension TraitCollection {
    /// Light or dark appearance.
    public var userInterfaceStyle: UserInterfaceStyle { self[TraitUserInterfaceStyle.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(userInterfaceStyle: UserInterfaceStyle) {
        self.init(TraitUserInterfaceStyle.self, value: userInterfaceStyle)
    }
}

extension MutableTraits {
    /// Light or dark appearance.
    public var userInterfaceStyle: UserInterfaceStyle {
        get { self[TraitUserInterfaceStyle.self] }
        set { self[TraitUserInterfaceStyle.self] = newValue }
    }
}
