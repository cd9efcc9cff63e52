// A window above all others, with a style of its own.

import TraitKitUI

final class OverlayWindow: UIWindow {
    override init(windowScene: UIWindowScene) {
        super.init(windowScene: windowScene)
        windowLevel = .alert + 1
        backgroundColor = .clear
        overrideUserInterfaceStyle = .dark
        isUserInteractionEnabled = false
        rootViewController = UIViewController()
        isHidden = false
    }

    required init?(coder: NSCoder) { super.init(coder: coder) }

    override var canBecomeKey: Bool { false }
}

extension UIWindow.Level {
    static let toast = UIWindow.Level(rawValue: UIWindow.Level.statusBar.rawValue - 1)
}

@MainActor
final class OverlayPresenter {
    private var overlays: [ObjectIdentifier: OverlayWindow] = [:]

    func show(in scene: UIWindowScene) -> OverlayWindow {
        if let overlay = overlays[ObjectIdentifier(scene)] { return overlay }
        let overlay = OverlayWindow(windowScene: scene)
        overlays[ObjectIdentifier(scene)] = overlay
        return overlay
    }

    func move(_ window: UIWindow, to scene: UIWindowScene) {
        window.windowScene = scene
        window.layoutIfNeeded()
    }

    func topWindow(of scene: UIWindowScene) -> UIWindow? {
        scene.windows.filter { !$0.isHidden }.max { $0.windowLevel < $1.windowLevel }
    }
}
