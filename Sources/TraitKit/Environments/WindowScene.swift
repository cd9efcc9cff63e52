// Window scenes, the roots of trait hierarchies, and their screens, which show the traits that the
// system supplies.

internal import TraitEngine

/// A window scene (`UIWindowScene`): the root of a trait hierarchy. The traits of the device and of
/// the person's settings go into its `suppliedTraits`.
@preconcurrency @MainActor
open class WindowScene: Scene {
    /// The windows in the scene, in the order in which they were added. The scene keeps them.
    public internal(set) var windows: [Window] = []
    /// The window that was made key last.
    public internal(set) weak var keyWindow: Window?

    override class var nodeKind: NodeKind { .windowScene }

    /// Updates traits and layout of everything in the scene now; see `updateLayout()`. A loop is
    /// reported to `UpdateLoop.handler`.
    public func layoutIfNeeded() {
        UpdateLoop.report { () throws(UpdateLoop) in try updateLayout() }
    }

    /// Updates everything in the scene until no work is left: traits with their change handlers,
    /// properties and layout from the top down, then drawing. UIKit does this before each frame.
    ///
    /// - Throws: `UpdateLoop` after 16 passes.
    public func updateLayout() throws(UpdateLoop) {
        try EnvironmentUpdate(self, includesLayout: true, climbs: true).run()
    }

    override var subtree: [Responder] { [self] + windows.flatMap(\.subtree) }
}

/// The screen of a scene (`UIScreen`). A screen has traits but is no part of the hierarchy: nothing
/// inherits from it, and it takes no registrations.
@preconcurrency @MainActor
public final class Screen: TraitEnvironment {
    private weak var scene: WindowScene?

    init(_ scene: WindowScene?) {
        self.scene = scene
    }

    /// The screen of the scene that was made first, of those that are there.
    public static var main: Screen { Screen(Application.shared.windowScenes.first) }

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
