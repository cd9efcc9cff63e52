// How much room there is: the size classes of both axes.

/// A size class (`UIUserInterfaceSizeClass`).
public enum UserInterfaceSizeClass: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// Little room.
    case compact
    /// Much room.
    case regular
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case 0: .unspecified
            case 1: .compact
            case 2: .regular
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .compact: 1
        case .regular: 2
        case .other(let rawValue): rawValue
        }
    }
}

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
