// Whether a person asks for bold text.

/// The legibility weight (`UILegibilityWeight`).
public enum LegibilityWeight: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// Text as it is designed.
    case regular
    /// Heavier text, as a person has asked for.
    case bold
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case -1: .unspecified
            case 0: .regular
            case 1: .bold
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: -1
        case .regular: 0
        case .bold: 1
        case .other(let rawValue): rawValue
        }
    }
}

/// Whether the person asks for bold text (`UITraitLegibilityWeight`).
public struct TraitLegibilityWeight: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = LegibilityWeight.unspecified
}

extension TraitCollection {
    /// Whether the person asked for bold text.
    public var legibilityWeight: LegibilityWeight { self[TraitLegibilityWeight.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(legibilityWeight: LegibilityWeight) {
        self.init(TraitLegibilityWeight.self, value: legibilityWeight)
    }
}

extension MutableTraits {
    /// Whether the person asked for bold text.
    public var legibilityWeight: LegibilityWeight {
        get { self[TraitLegibilityWeight.self] }
        set { self[TraitLegibilityWeight.self] = newValue }
    }
}
