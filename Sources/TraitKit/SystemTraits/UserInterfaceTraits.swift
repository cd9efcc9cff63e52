// What the interface is like: its kind, style, level and size, and whether it is in front.

/// The kind of device that the interface is made for (`UITraitUserInterfaceIdiom`).
public struct TraitUserInterfaceIdiom: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceIdiom.unspecified
}

/// Light or dark appearance (`UITraitUserInterfaceStyle`).
public struct TraitUserInterfaceStyle: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceStyle.unspecified
}

/// Whether content lies above other content (`UITraitUserInterfaceLevel`).
public struct TraitUserInterfaceLevel: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceLevel.unspecified
}

/// Whether the window looks active (`UITraitActiveAppearance`).
public struct TraitActiveAppearance: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceActiveAppearance.unspecified
}

/// How much room there is in width (`UITraitHorizontalSizeClass`).
public struct TraitHorizontalSizeClass: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceSizeClass.unspecified
}

extension TraitCollection {
    /// The kind of device; the system supplies it at the scene.
    public var userInterfaceIdiom: UserInterfaceIdiom { self[TraitUserInterfaceIdiom.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(userInterfaceIdiom: UserInterfaceIdiom) {
        self.init(TraitUserInterfaceIdiom.self, value: userInterfaceIdiom)
    }

    /// Light or dark appearance.
    public var userInterfaceStyle: UserInterfaceStyle { self[TraitUserInterfaceStyle.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(userInterfaceStyle: UserInterfaceStyle) {
        self.init(TraitUserInterfaceStyle.self, value: userInterfaceStyle)
    }

    /// The visual level: elevated in alerts, popovers and some sheets.
    public var userInterfaceLevel: UserInterfaceLevel { self[TraitUserInterfaceLevel.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(userInterfaceLevel: UserInterfaceLevel) {
        self.init(TraitUserInterfaceLevel.self, value: userInterfaceLevel)
    }

    /// Whether the window looks active: follows activation on the Mac, always active elsewhere.
    public var activeAppearance: UserInterfaceActiveAppearance { self[TraitActiveAppearance.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(activeAppearance: UserInterfaceActiveAppearance) {
        self.init(TraitActiveAppearance.self, value: activeAppearance)
    }

    /// The horizontal size class.
    public var horizontalSizeClass: UserInterfaceSizeClass { self[TraitHorizontalSizeClass.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(horizontalSizeClass: UserInterfaceSizeClass) {
        self.init(TraitHorizontalSizeClass.self, value: horizontalSizeClass)
    }
}

extension MutableTraits {
    /// The kind of device; the system supplies it at the scene.
    public var userInterfaceIdiom: UserInterfaceIdiom {
        get { self[TraitUserInterfaceIdiom.self] }
        set { self[TraitUserInterfaceIdiom.self] = newValue }
    }

    /// Light or dark appearance.
    public var userInterfaceStyle: UserInterfaceStyle {
        get { self[TraitUserInterfaceStyle.self] }
        set { self[TraitUserInterfaceStyle.self] = newValue }
    }

    /// The visual level: elevated in alerts, popovers and some sheets.
    public var userInterfaceLevel: UserInterfaceLevel {
        get { self[TraitUserInterfaceLevel.self] }
        set { self[TraitUserInterfaceLevel.self] = newValue }
    }

    /// Whether the window looks active: follows activation on the Mac, always active elsewhere.
    public var activeAppearance: UserInterfaceActiveAppearance {
        get { self[TraitActiveAppearance.self] }
        set { self[TraitActiveAppearance.self] = newValue }
    }

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
