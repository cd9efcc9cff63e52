// The kind of device an interface is made for.

/// The kind of device that the interface is made for (`UITraitUserInterfaceIdiom`).
public struct TraitUserInterfaceIdiom: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceIdiom.unspecified
}

extension TraitCollection {
    /// The kind of device; the system supplies it at the scene.
    public var userInterfaceIdiom: UserInterfaceIdiom { self[TraitUserInterfaceIdiom.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(userInterfaceIdiom: UserInterfaceIdiom) {
        self.init(TraitUserInterfaceIdiom.self, value: userInterfaceIdiom)
    }
}

extension MutableTraits {
    /// The kind of device; the system supplies it at the scene.
    public var userInterfaceIdiom: UserInterfaceIdiom {
        get { self[TraitUserInterfaceIdiom.self] }
        set { self[TraitUserInterfaceIdiom.self] = newValue }
    }
}
