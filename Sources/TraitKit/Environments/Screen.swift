// Screens, which show the traits that the system supplies, without the overrides of the app.

/// The screen of a scene (`UIScreen`). A screen has traits but is no part of the hierarchy: nothing
/// inherits from it, and it takes no registrations.
@MainActor
public final class Screen: TraitEnvironment {
    private weak var scene: WindowScene?

    init(_ scene: WindowScene) {
        self.scene = scene
    }

    /// The traits that were supplied for the scene, without the scene's overrides. Empty once the
    /// scene is gone.
    public var traitCollection: TraitCollection {
        guard let scene else { return TraitCollection() }
        return TraitCollection(scene.node.suppliedCollection)
    }

    /// Pixels per point; 1 when no scale was supplied.
    public var scale: Double {
        let scale = traitCollection.displayScale
        return scale > 0 ? scale : 1
    }

    /// Never called: changes of a screen's traits are not reported. Register at the scene.
    public func traitCollectionDidChange(_ previousTraitCollection: TraitCollection?) {}
}

extension WindowScene {
    /// The screen of the scene; each call returns a new object.
    public var screen: Screen { Screen(self) }
}
