// Windows: the views at the top.

public import Foundation
internal import TraitEngine

/// A window (`UIWindow`): inherits from its scene; without one, from the main screen.
@preconcurrency @MainActor
open class Window: View {
    /// A window in a scene.
    public init(windowScene: WindowScene) {
        super.init(frame: .zero)
        self.windowScene = windowScene
        node.showInherited()
    }

    /// A window without a scene.
    public override init(frame: Rect) {
        super.init(frame: frame)
    }

    /// A window without a scene. Nothing is decoded: views are not archived.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override class var nodeKind: NodeKind { .window }

    private weak var scene: WindowScene?

    /// The scene that the window is in. The scene keeps the window. A window without a scene
    /// is in a hierarchy, too: it inherits the traits of the main screen, whose style is light unless
    /// the program supplies another, and its content appears and is updated as in a scene.
    open var windowScene: WindowScene? {
        get { scene }
        set {
            let old = scene
            if newValue === old { return }
            scene = newValue
            old?.windows.removeAll { $0 === self }
            newValue?.windows.append(self)
            node.place(below: newValue?.node)
        }
    }

    /// The window's scene.
    open override var next: Responder? { windowScene }

    /// The screen of the window's scene, else the main screen.
    open var screen: Screen { windowScene?.screen ?? .main }

    /// The controller whose view fills the window. It inherits from the window.
    open var rootViewController: ViewController? {
        didSet {
            if oldValue === rootViewController { return }
            oldValue?.viewIfLoaded?.removeFromSuperview()
            oldValue?.node.place(below: nil)
            guard let rootViewController else { return }
            rootViewController.node.place(below: node)
            rootViewController.view.frame = bounds
            insertSubview(rootViewController.view, at: 0)
        }
    }

    /// The size of the window. When the size changes, the root controller and presented
    /// controllers have `viewWillTransition(to:with:)` called; then their views get the size.
    open override var bounds: Rect {
        willSet { if newValue.size != bounds.size { announce(newValue.size) } }
        didSet { if oldValue.size != bounds.size { fillWindow() } }
    }

    /// The transition to a new size, from the call of the controllers to the next update.
    private var sizeTransition: TransitionCoordinator?

    private func announce(_ size: Size) {
        let transition = TransitionCoordinator()
        sizeTransition = transition
        for controller in [rootViewController].compactMap(\.self) + presented {
            controller.viewWillTransition(to: size, with: transition)
        }
    }

    private func fillWindow() {
        rootViewController?.viewIfLoaded?.frame = bounds
        for case let view? in subviews.map(\.presentation?.containerView) { view.frame = bounds }
        guard let transition = sizeTransition else { return }
        sizeTransition = nil
        transition.runAlongside()
        node.hierarchy.endingTransitions.append(transition)
    }

    /// The controllers that are presented in the window, the undermost first.
    private var presented: [ViewController] {
        subviews.compactMap(\.presentation?.presentedViewController)
    }

    override func traitsChanged(_ change: ShownChange) {
        super.traitsChanged(change)
        guard change.affectsSizeClass else { return }
        let traits = TraitCollection(node.shownTraits)
        for presentation in subviews.compactMap(\.presentation) { presentation.adapt(to: traits) }
    }

    /// How high a window stands (`UIWindow.Level`).
    public struct Level: NumericRawRepresentable, Hashable, Sendable {
        /// The height.
        public let rawValue: CGFloat

        /// A level by its height.
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        /// The members, as UIKit has them.
        public static let normal = Level(rawValue: 0), statusBar = Level(rawValue: 1000),
            alert = Level(rawValue: 2000)
    }

    /// Posted by the program, as UIKit names it.
    public nonisolated static let didBecomeKeyNotification = Notification.Name(
        "UIWindowDidBecomeKeyNotification")

    /// Whether the window may become the key window: yes, unless overridden.
    open var canBecomeKey: Bool { true }

    /// How high the window stands. Nothing is shown.
    @Kept open var windowLevel = Level.normal

    /// Whether this is the key window of its scene, or of the windows without a scene.
    open var isKeyWindow: Bool {
        (windowScene == nil ? node.hierarchy.screen.keyWindow : windowScene?.keyWindow) === self
    }

    /// Makes this the key window of its scene, or of the windows without a scene, and visible.
    open func makeKeyAndVisible() {
        isHidden = false
        if !canBecomeKey { return }
        if let windowScene {
            windowScene.keyWindow = self
        } else {
            node.hierarchy.screen.keyWindow = self
        }
    }
}
