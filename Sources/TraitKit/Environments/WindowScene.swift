// Window scenes, the roots of trait hierarchies, and their screens, which show the traits that the
// system supplies.

public import Foundation
internal import TraitEngine

/// A window scene (`UIWindowScene`): the root of a trait hierarchy. The traits of the device and of
/// the person's settings go into its `suppliedTraits`.
@preconcurrency @MainActor
open class WindowScene: Scene {
    /// The windows in the scene, in the order in which they were added. The scene keeps them.
    public internal(set) var windows: [Window] = []
    /// The window that was made key last.
    public internal(set) weak var keyWindow: Window?

    /// The screen of the scene.
    public private(set) lazy var screen = Screen(self)

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

/// The screen of a scene (`UIScreen`). A screen has traits but is no environment of the hierarchy: it
/// takes no registrations.
@preconcurrency @MainActor
public final class Screen: TraitEnvironment {
    private weak var scene: WindowScene?
    private let isMain: Bool

    init(_ scene: WindowScene?, isMain: Bool = false) {
        self.scene = scene
        self.isMain = isMain
    }

    /// The screen of the scene that was made first, of those that are there. Without a scene, a screen
    /// whose style is light unless the program supplies another.
    public static var main: Screen {
        let hierarchy = TraitHierarchy.current
        return hierarchy.mainScene?.screen ?? hierarchy.screen.object
    }

    /// The traits that the system supplies. They are those of the scene, which has them in its
    /// `suppliedTraits`. All that is made outside of updates shows the main screen's.
    public var suppliedTraits: TraitOverrides {
        get {
            if let scene { return scene.suppliedTraits }
            return isMain ? TraitHierarchy.current.screen.own : TraitOverrides(TraitValues())
        }
        set {
            if let scene {
                scene.suppliedTraits = newValue
            } else if isMain {
                TraitHierarchy.current.screen.own = newValue
                TraitHierarchy.current.screenChanged()
            }
        }
    }

    /// The supplied traits, without a scene's overrides. Empty once the scene is gone.
    public var traitCollection: TraitCollection {
        TraitCollection(suppliedTraits.values.collection)
    }

    /// The size of the screen. Here the program sets it.
    public var bounds = Rect.zero

    /// Pixels per point; 1 when no scale was supplied.
    public var scale: Double {
        let scale = traitCollection.displayScale
        return scale > 0 ? scale : 1
    }

    /// Never called: changes of a screen's traits are not reported. Register at the scene.
    public func traitCollectionDidChange(_ previousTraitCollection: TraitCollection?) {}
}
