// A scene delegate that keeps the chosen style of each window in the user's defaults.

import TraitKitUI

final class DocumentSceneDelegate: UIResponder, UIWindowSceneDelegate {
    static let styleKey = "documentStyle"
    var window: UIWindow?
    private(set) var states: [UIScene.ActivationState] = []

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = (scene as? UIWindowScene) else { return }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = UIViewController()
        window.overrideUserInterfaceStyle = savedStyle
        window.makeKeyAndVisible()
        self.window = window
    }

    func sceneDidDisconnect(_ scene: UIScene) { window = nil }
    func sceneDidBecomeActive(_ scene: UIScene) { states.append(scene.activationState) }
    func sceneWillResignActive(_ scene: UIScene) { save() }
    func sceneWillEnterForeground(_ scene: UIScene) {}
    func sceneDidEnterBackground(_ scene: UIScene) { save() }

    var savedStyle: UIUserInterfaceStyle {
        UIUserInterfaceStyle(rawValue: UserDefaults.standard.integer(forKey: Self.styleKey))
            ?? .unspecified
    }

    private func save() {
        UserDefaults.standard.set(
            window?.overrideUserInterfaceStyle.rawValue, forKey: Self.styleKey)
    }
}
