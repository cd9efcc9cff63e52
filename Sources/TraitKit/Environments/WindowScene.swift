// Scenes: where traits come from.

internal import TraitEngine

/// A window scene (`UIWindowScene`): the top of a trait hierarchy. What the system says of the
/// device and the person's settings goes into its `suppliedTraits`.
open class WindowScene: Responder {
    /// The windows in the scene, in the order in which they came. The scene keeps them.
    public internal(set) var windows: [Window] = []
    /// The window that was made key last.
    public internal(set) weak var keyWindow: Window?

    override class var nodeKind: NodeKind { .windowScene }

    /// Updates traits and layout of everything in the scene now; see `updateLayout()`. A loop is
    /// reported to `UpdateLoop.handler`.
    public func layoutIfNeeded() {
        UpdateLoop.report { () throws(UpdateLoop) in try updateLayout() }
    }

    /// Updates everything in the scene until nothing is left to do: traits with their change
    /// handlers, properties and layout from the top down, then drawing. UIKit does this before
    /// each frame.
    ///
    /// - Throws: `UpdateLoop` after 16 passes.
    public func updateLayout() throws(UpdateLoop) {
        try UpdatePass(self, includesLayout: true).run()
    }

    override var subtree: [Responder] { [self] + windows.flatMap(\.subtree) }
}
