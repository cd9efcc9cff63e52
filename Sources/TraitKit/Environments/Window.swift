// Windows: the views at the top.

internal import TraitEngine

/// A window (`UIWindow`): inherits from its scene.
open class Window: View {
    /// A window in a scene.
    public convenience init(windowScene: WindowScene) {
        self.init(frame: .zero)
        self.windowScene = windowScene
    }

    override class var nodeKind: NodeKind { .window }

    private weak var scene: WindowScene?

    /// The scene that the window is in. The scene keeps the window. The window's content appears
    /// when the window is added to a scene.
    public var windowScene: WindowScene? {
        get { scene }
        set {
            let old = scene
            if newValue === old { return }
            let move = SceneMove(from: old, to: newValue)
            announce(move)
            scene = newValue
            old?.windows.removeAll { $0 === self }
            newValue?.windows.append(self)
            node.place(below: newValue?.node)
            finish(move)
        }
    }

    /// The controller whose view fills the window. It inherits from the window.
    public var rootViewController: ViewController? {
        didSet {
            if oldValue === rootViewController { return }
            oldValue?.viewIfLoaded?.removeFromSuperview()
            oldValue?.node.place(below: nil)
            guard let rootViewController else { return }
            rootViewController.node.place(below: node)
            insertSubview(rootViewController.view, at: 0)
        }
    }

    /// Whether this is the key window of its scene.
    public var isKeyWindow: Bool { windowScene?.keyWindow === self }

    /// Makes this the key window of its scene. All windows of a scene are visible here.
    public func makeKeyAndVisible() { windowScene?.keyWindow = self }
}
