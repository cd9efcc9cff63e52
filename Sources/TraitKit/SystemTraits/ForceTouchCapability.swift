// Whether the screen feels how hard it is touched.

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
