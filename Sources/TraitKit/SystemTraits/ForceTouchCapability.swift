// Whether the screen feels how hard it is touched.

/// The force touch capability (`UIForceTouchCapability`); `unknown` plays the unspecified role.
public enum ForceTouchCapability: SystemEnumeration, Sendable {
    /// No value is specified; other traits call this case `unspecified`.
    case unknown
    /// The screen does not feel pressure, or a person has turned that off.
    case unavailable
    /// The screen feels how hard it is pressed.
    case available
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case 0: .unknown
            case 1: .unavailable
            case 2: .available
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unknown: 0
        case .unavailable: 1
        case .available: 2
        case .other(let rawValue): rawValue
        }
    }
}

/// Whether the screen measures the force of touches (`UITraitForceTouchCapability`).
public struct TraitForceTouchCapability: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = ForceTouchCapability.unknown
}

extension TraitCollection {
    /// Whether the device feels how hard it is touched.
    public var forceTouchCapability: ForceTouchCapability { self[TraitForceTouchCapability.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(forceTouchCapability: ForceTouchCapability) {
        self.init(TraitForceTouchCapability.self, value: forceTouchCapability)
    }
}

extension MutableTraits {
    /// Whether the device feels how hard it is touched.
    public var forceTouchCapability: ForceTouchCapability {
        get { self[TraitForceTouchCapability.self] }
        set { self[TraitForceTouchCapability.self] = newValue }
    }
}
