// Whether content lies above other content, as in an alert.

/// The visual level (`UIUserInterfaceLevel`).
public enum UserInterfaceLevel: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// The level of a window.
    case base
    /// The level above a window's, as of sheets and popovers.
    case elevated
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case -1: .unspecified
            case 0: .base
            case 1: .elevated
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: -1
        case .base: 0
        case .elevated: 1
        case .other(let rawValue): rawValue
        }
    }
}

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
