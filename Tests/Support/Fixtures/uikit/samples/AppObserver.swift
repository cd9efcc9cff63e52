// Notifications of the app, its scenes and the text size.

import TraitKitUI

@MainActor
final class AppObserver {
    private(set) var names: [Notification.Name] = []
    private var tokens: [any NSObjectProtocol] = []

    func start() {
        let center = NotificationCenter.default
        let observed: [Notification.Name] = [
            UIApplication.didBecomeActiveNotification, UIApplication.willResignActiveNotification,
            UIApplication.didEnterBackgroundNotification,
            UIApplication.willEnterForegroundNotification,
            UIApplication.didReceiveMemoryWarningNotification,
            UIApplication.willTerminateNotification,
            UIScene.willConnectNotification, UIScene.didDisconnectNotification,
            UIScene.didActivateNotification, UIScene.willDeactivateNotification,
            UIContentSizeCategory.didChangeNotification,
            UIAccessibility.boldTextStatusDidChangeNotification,
            UIWindow.didBecomeKeyNotification, UIResponder.keyboardWillShowNotification,
        ]
        tokens = observed.map { name in
            center.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
                let name = notification.name
                MainActor.assumeIsolated { self?.names.append(name) }
            }
        }
    }

    func stop() {
        tokens.forEach(NotificationCenter.default.removeObserver)
        tokens = []
    }

    static func category(of notification: Notification) -> UIContentSizeCategory? {
        let key = UIContentSizeCategory.newValueUserInfoKey
        return (notification.userInfo?[key] as? String).map(UIContentSizeCategory.init(rawValue:))
    }
}
