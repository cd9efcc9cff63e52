// How much room there is: the size classes of both axes.

/// How much room there is in width (`UITraitHorizontalSizeClass`).
public struct TraitHorizontalSizeClass: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceSizeClass.unspecified
}

extension TraitCollection {
    /// The horizontal size class.
    public var horizontalSizeClass: UserInterfaceSizeClass { self[TraitHorizontalSizeClass.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(horizontalSizeClass: UserInterfaceSizeClass) {
        self.init(TraitHorizontalSizeClass.self, value: horizontalSizeClass)
    }
}

extension MutableTraits {
    /// The horizontal size class.
    public var horizontalSizeClass: UserInterfaceSizeClass {
        get { self[TraitHorizontalSizeClass.self] }
        set { self[TraitHorizontalSizeClass.self] = newValue }
    }
}

/// How much room there is in height (`UITraitVerticalSizeClass`).
public struct TraitVerticalSizeClass: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceSizeClass.unspecified
}

extension TraitCollection {
    /// The vertical size class.
    public var verticalSizeClass: UserInterfaceSizeClass { self[TraitVerticalSizeClass.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(verticalSizeClass: UserInterfaceSizeClass) {
        self.init(TraitVerticalSizeClass.self, value: verticalSizeClass)
    }
}

extension MutableTraits {
    /// The vertical size class.
    public var verticalSizeClass: UserInterfaceSizeClass {
        get { self[TraitVerticalSizeClass.self] }
        set { self[TraitVerticalSizeClass.self] = newValue }
    }
}
