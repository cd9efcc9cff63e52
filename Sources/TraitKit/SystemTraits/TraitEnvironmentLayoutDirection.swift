// The direction in which an interface reads.

/// The direction of layout (`UITraitEnvironmentLayoutDirection`).
public enum TraitEnvironmentLayoutDirection: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// From left to right.
    case leftToRight
    /// From right to left.
    case rightToLeft
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case -1: .unspecified
            case 0: .leftToRight
            case 1: .rightToLeft
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: -1
        case .leftToRight: 0
        case .rightToLeft: 1
        case .other(let rawValue): rawValue
        }
    }
}

/// Source of the rule: UIKit's `UITraitLayoutDirection`.
public struct TraitLayoutDirection: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = TraitEnvironmentLayoutDirection.unspecified
}

extension TraitCollection {
    /// The environment's direction of layout. What a view shows depends on its semantic content
    /// attribute as well, which is not part of the trait system.
    public var layoutDirection: TraitEnvironmentLayoutDirection { self[TraitLayoutDirection.self] }

    /// A collection of this trait alone. Deprecated since iOS 17, where the closure took over.
    public init(layoutDirection: TraitEnvironmentLayoutDirection) {
        self.init(TraitLayoutDirection.self, value: layoutDirection)
    }
}

extension MutableTraits {
    /// The environment's direction of layout. What a view shows depends on its semantic content
    /// attribute as well, which is not part of the trait system.
    public var layoutDirection: TraitEnvironmentLayoutDirection {
        get { self[TraitLayoutDirection.self] }
        set { self[TraitLayoutDirection.self] = newValue }
    }
}
