// Whether a scene is being recorded or mirrored.

/// Whether the scene is captured (`UISceneCaptureState`).
public enum SceneCaptureState: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// The scene is neither recorded nor mirrored.
    case inactive
    /// The scene is being recorded or mirrored.
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

/// Whether the scene is mirrored or recorded (`UITraitSceneCaptureState`).
public struct TraitSceneCaptureState: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = SceneCaptureState.unspecified
}

extension TraitCollection {
    /// Whether the scene is being recorded or mirrored.
    public var sceneCaptureState: SceneCaptureState { self[TraitSceneCaptureState.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(sceneCaptureState: SceneCaptureState) {
        self.init(TraitSceneCaptureState.self, value: sceneCaptureState)
    }
}

extension MutableTraits {
    /// Whether the scene is being recorded or mirrored.
    public var sceneCaptureState: SceneCaptureState {
        get { self[TraitSceneCaptureState.self] }
        set { self[TraitSceneCaptureState.self] = newValue }
    }
}
