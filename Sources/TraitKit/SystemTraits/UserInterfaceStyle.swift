// Light and dark appearance.

/// Light or dark (`UIUserInterfaceStyle`).
public enum UserInterfaceStyle: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// Dark on light.
    case light
    /// Light on dark.
    case dark
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case 0: .unspecified
            case 1: .light
            case 2: .dark
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .light: 1
        case .dark: 2
        case .other(let rawValue): rawValue
        }
    }
}

/// Light or dark appearance (`UITraitUserInterfaceStyle`).
public struct TraitUserInterfaceStyle: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceStyle.unspecified
}

extension TraitCollection {
    /// Light or dark appearance.
    public var userInterfaceStyle: UserInterfaceStyle { self[TraitUserInterfaceStyle.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(userInterfaceStyle: UserInterfaceStyle) {
        self.init(TraitUserInterfaceStyle.self, value: userInterfaceStyle)
    }
}

extension MutableTraits {
    /// Light or dark appearance.
    public var userInterfaceStyle: UserInterfaceStyle {
        get { self[TraitUserInterfaceStyle.self] }
        set { self[TraitUserInterfaceStyle.self] = newValue }
    }
}
