// Whether a scene is being recorded or mirrored.

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
