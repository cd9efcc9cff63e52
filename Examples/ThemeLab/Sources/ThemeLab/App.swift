// The app's model: a scene with a window. The program supplies the traits of the device and its
// settings.

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

    /// Changes the traits of the device or its settings.
    public func changeDevice(_ change: (inout UITraitOverrides) -> Void) {
        change(&scene.suppliedTraits)
        update()
    }

    /// Sets a theme for the whole app.
    public func choose(_ theme: Theme) {
        scene.traitOverrides.theme = theme
        update()
    }

    /// Updates the scene. UIKit does so before each frame; here the program decides when.
    public func update() { scene.layoutIfNeeded() }
}
