// Screens: what the system says of the device, apart from what the app overrides.

/// The screen that a scene is on (`UIScreen`). It has traits, but is no part of the hierarchy: nothing
/// inherits from it, and nothing can be registered at it.
@MainActor
public final class Screen: TraitEnvironment {
    private weak var scene: WindowScene?

    init(_ scene: WindowScene) {
        self.scene = scene
    }

    /// What the system supplies for the scene, without what the scene overrides; empty once the scene
    /// is gone.
    public var traitCollection: TraitCollection {
        guard let scene else { return TraitCollection() }
        return TraitCollection(scene.node.suppliedCollection)
    }

    /// Pixels a point; 1 when nothing was supplied.
    public var scale: Double {
        let scale = traitCollection.displayScale
        return scale > 0 ? scale : 1
    }

    /// Never called, as nothing is told of a screen's traits. Register at the scene.
    public func traitCollectionDidChange(_ previousTraitCollection: TraitCollection?) {}
}

extension WindowScene {
    /// The screen that the scene is on.
    public var screen: Screen { Screen(self) }
}
