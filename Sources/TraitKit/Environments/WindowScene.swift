// Window scenes, the roots of trait hierarchies.

internal import TraitEngine

/// A window scene (`UIWindowScene`): the root of a trait hierarchy. The traits of the device and of
/// the person's settings go into its `suppliedTraits`.
open class WindowScene: Responder {
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
        try UpdatePass(self, includesLayout: true).run()
    }

    override var subtree: [Responder] { [self] + windows.flatMap(\.subtree) }
}
