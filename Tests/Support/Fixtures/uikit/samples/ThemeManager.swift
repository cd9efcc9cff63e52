// A theme for all windows of the app, by overrides of its scenes.

import TraitKitUI

struct ManagedThemeTrait: UITraitDefinition {
    static let defaultValue = "system"
    static let affectsColorAppearance = true
}

extension UITraitCollection {
    var managedTheme: String { self[ManagedThemeTrait.self] }
}

extension UIMutableTraits {
    var managedTheme: String {
        get { self[ManagedThemeTrait.self] }
        set { self[ManagedThemeTrait.self] = newValue }
    }
}

extension Notification.Name {
    static let themeDidChange = Notification.Name("themeDidChange")
}

@MainActor
final class ThemeManager: NSObject {
    static let shared = ThemeManager()

    private(set) var theme = "system" {
        didSet { NotificationCenter.default.post(name: .themeDidChange, object: self) }
    }

    private var windowScenes: [UIWindowScene] {
        UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
    }

    func apply(_ theme: String, style: UIUserInterfaceStyle? = nil) {
        self.theme = theme
        for scene in windowScenes {
            scene.traitOverrides.managedTheme = theme
            guard let style else { continue }
            for window in scene.windows { window.overrideUserInterfaceStyle = style }
        }
    }

    func reset() {
        theme = ManagedThemeTrait.defaultValue
        for scene in windowScenes where scene.traitOverrides.contains(ManagedThemeTrait.self) {
            scene.traitOverrides.remove(ManagedThemeTrait.self)
        }
    }
}
