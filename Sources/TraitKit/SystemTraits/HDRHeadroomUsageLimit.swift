// Whether content should do without high dynamic range.

/// The limit on high dynamic range. The names read inverted: `active` means that the limit
/// holds, `inactive` that there is none.
public enum HDRHeadroomUsageLimit: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// The limit holds: keep to standard range.
    case active
    /// There is no limit.
    case inactive
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case -1: .unspecified
            case 0: .active
            case 1: .inactive
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: -1
        case .active: 0
        case .inactive: 1
        case .other(let rawValue): rawValue
        }
    }
}

/// Source of the rule: UIKit's `UITraitHDRHeadroomUsageLimit`.
public struct TraitHDRHeadroomUsageLimit: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = HDRHeadroomUsageLimit.unspecified
}

extension TraitCollection {
    /// Whether to hold back high dynamic range.
    public var hdrHeadroomUsageLimit: HDRHeadroomUsageLimit {
        self[TraitHDRHeadroomUsageLimit.self]
    }

    /// The same under the name that Swift's documentation gives it.
    public var headroomUsageLimit: HDRHeadroomUsageLimit { hdrHeadroomUsageLimit }
}

extension MutableTraits {
    /// Whether to hold back high dynamic range.
    public var hdrHeadroomUsageLimit: HDRHeadroomUsageLimit {
        get { self[TraitHDRHeadroomUsageLimit.self] }
        set { self[TraitHDRHeadroomUsageLimit.self] = newValue }
    }

    /// The same under the name that Swift's documentation gives it.
    public var headroomUsageLimit: HDRHeadroomUsageLimit {
        get { hdrHeadroomUsageLimit }
        set { hdrHeadroomUsageLimit = newValue }
    }
}
