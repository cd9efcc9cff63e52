// A file as public code for UIKit has it: its traits, and the members around them.

import TraitKitUI

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = UINavigationController(rootViewController: UIViewController())
        window.overrideUserInterfaceStyle = .dark
        window.windowLevel = .normal
        window.makeKeyAndVisible()
        self.window = window
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
        window?.isHidden = scene.activationState != .foregroundActive
    }
}

@MainActor
enum ActiveWindow {
    static var current: UIWindow? {
        UIApplication.shared.connectedScenes
            .filter { $0.activationState == .foregroundActive }
            .compactMap { $0 as? UIWindowScene }
            .flatMap(\.windows)
            .first(where: \.isKeyWindow)
    }

    static var isActive: Bool { UIApplication.shared.applicationState == .active }

    static func observe() -> [any NSObjectProtocol] {
        [UIScene.willConnectNotification, UIScene.didActivateNotification].map {
            NotificationCenter.default.addObserver(forName: $0, object: nil, queue: .main) { _ in }
        }
    }
}
