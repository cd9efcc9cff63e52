// Whether the screen feels how hard it is touched.

/// The force touch capability (`UIForceTouchCapability`); `unknown` plays the unspecified role.
@nonexhaustive(warn)
public enum ForceTouchCapability: Int, SystemEnumeration {
    /// No value is specified; other traits call this case `unspecified`.
    case unknown = 0
    /// The screen does not feel pressure, or a person has turned that off.
    case unavailable = 1
    /// The screen feels how hard it is pressed.
    case available = 2
}

/// Whether the screen measures the force of touches (`UITraitForceTouchCapability`).
public struct TraitForceTouchCapability: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = ForceTouchCapability.unknown
}

extension TraitCollection {
    /// Whether the device feels how hard it is touched.
    public var forceTouchCapability: ForceTouchCapability { self[TraitForceTouchCapability.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(forceTouchCapability: ForceTouchCapability) {
        self.init(TraitForceTouchCapability.self, value: forceTouchCapability)
    }
}

extension MutableTraits {
    /// Whether the device feels how hard it is touched.
    public var forceTouchCapability: ForceTouchCapability {
        get { self[TraitForceTouchCapability.self] }
        set { self[TraitForceTouchCapability.self] = newValue }
    }
}
