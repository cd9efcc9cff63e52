// Whether content lies above other content, as in an alert.

/// Whether content lies above other content (`UITraitUserInterfaceLevel`).
public struct TraitUserInterfaceLevel: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceLevel.unspecified
}

extension TraitCollection {
    /// The visual level: elevated in alerts, popovers and some sheets.
    public var userInterfaceLevel: UserInterfaceLevel { self[TraitUserInterfaceLevel.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(userInterfaceLevel: UserInterfaceLevel) {
        self.init(TraitUserInterfaceLevel.self, value: userInterfaceLevel)
    }
}

extension MutableTraits {
    /// The visual level: elevated in alerts, popovers and some sheets.
    public var userInterfaceLevel: UserInterfaceLevel {
        get { self[TraitUserInterfaceLevel.self] }
        set { self[TraitUserInterfaceLevel.self] = newValue }
    }
}
