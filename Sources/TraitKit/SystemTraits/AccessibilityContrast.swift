// How much contrast a person asks for.

/// The accessibility contrast (`UIAccessibilityContrast`).
public enum AccessibilityContrast: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// The usual contrast.
    case normal
    /// More contrast, as a person has asked for.
    case high
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case -1: .unspecified
            case 0: .normal
            case 1: .high
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: -1
        case .normal: 0
        case .high: 1
        case .other(let rawValue): rawValue
        }
    }
}

/// How much contrast the person asks for (`UITraitAccessibilityContrast`).
public struct TraitAccessibilityContrast: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = AccessibilityContrast.unspecified
}

extension TraitCollection {
    /// The contrast that the person asked for.
    public var accessibilityContrast: AccessibilityContrast {
        self[TraitAccessibilityContrast.self]
    }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(accessibilityContrast: AccessibilityContrast) {
        self.init(TraitAccessibilityContrast.self, value: accessibilityContrast)
    }
}

extension MutableTraits {
    /// The contrast that the person asked for.
    public var accessibilityContrast: AccessibilityContrast {
        get { self[TraitAccessibilityContrast.self] }
        set { self[TraitAccessibilityContrast.self] = newValue }
    }
}
