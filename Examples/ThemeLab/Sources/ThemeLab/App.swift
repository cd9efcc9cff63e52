// The app's model: a scene with a window. What a device knows and a person sets, a program says here.

import TraitKitUI

@MainActor
public final class App {
    public let scene = UIWindowScene()
    public let controller = ThemeController()
    private let window: UIWindow

    public init(device: UITraitCollection) {
        window = UIWindow(windowScene: scene)
        window.rootViewController = controller
        changeDevice { traits in
            traits.userInterfaceIdiom = device.userInterfaceIdiom
            traits.userInterfaceStyle = device.userInterfaceStyle
            traits.horizontalSizeClass = device.horizontalSizeClass
            traits.preferredContentSizeCategory = device.preferredContentSizeCategory
        }
    }

    /// The device or its settings change.
    public func changeDevice(_ change: (inout UITraitOverrides) -> Void) {
        change(&scene.suppliedTraits)
        settle()
    }

    /// The person chooses a theme for the whole app.
    public func choose(_ theme: Theme) {
        scene.traitOverrides.theme = theme
        settle()
    }

    /// Brings everything up to date. UIKit does so before each frame; here it is done when it is due.
    public func settle() { scene.layoutIfNeeded() }
}
