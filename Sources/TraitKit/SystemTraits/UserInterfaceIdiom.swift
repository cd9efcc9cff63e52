// The kind of device an interface is made for.

/// The kind of interface (`UIUserInterfaceIdiom`). There is no 4.
@nonexhaustive(warn)
public enum UserInterfaceIdiom: Int, SystemEnumeration {
    /// No value is specified.
    case unspecified = -1
    /// An iPhone.
    case phone = 0
    /// An iPad.
    case pad = 1
    /// An Apple TV.
    case tv = 2
    /// The screen of a car.
    case carPlay = 3
    /// A Mac.
    case mac = 5
    /// An Apple Vision.
    case vision = 6
}

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
