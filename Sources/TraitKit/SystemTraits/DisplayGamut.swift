// The colours a display can show.

/// A display's gamut (`UIDisplayGamut`).
public enum DisplayGamut: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    // UIKit spells them so.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The colours of sRGB.
    case SRGB
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The wider colours of Display P3.
    case P3
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case -1: .unspecified
            case 0: .SRGB
            case 1: .P3
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: -1
        case .SRGB: 0
        case .P3: 1
        case .other(let rawValue): rawValue
        }
    }
}

/// Source of the rule: UIKit's `UITraitDisplayGamut`.
public struct TraitDisplayGamut: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = DisplayGamut.unspecified
}

extension TraitCollection {
    /// The gamut of the display.
    public var displayGamut: DisplayGamut { self[TraitDisplayGamut.self] }

    /// A collection of this trait alone. Deprecated since iOS 17, where the closure took over.
    public init(displayGamut: DisplayGamut) {
        self.init(TraitDisplayGamut.self, value: displayGamut)
    }
}

extension MutableTraits {
    /// The gamut of the display.
    public var displayGamut: DisplayGamut {
        get { self[TraitDisplayGamut.self] }
        set { self[TraitDisplayGamut.self] = newValue }
    }
}
