// Whether a window looks active.

/// The active appearance (`UIUserInterfaceActiveAppearance`).
public enum UserInterfaceActiveAppearance: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// The window looks as if it were in the background.
    case inactive
    /// The window looks like the window in use.
    case active
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case -1: .unspecified
            case 0: .inactive
            case 1: .active
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: -1
        case .inactive: 0
        case .active: 1
        case .other(let rawValue): rawValue
        }
    }
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
