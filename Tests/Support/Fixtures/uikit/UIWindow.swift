// Every member of UIWindow that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ scene: UIWindowScene) {
    //: init(windowScene:)
    let window = UIWindow(windowScene: scene)
    //: traitCollection
    let traits: UITraitCollection = window.traitCollection
    _ = traits
    //: traitOverrides
    window.traitOverrides.displayScale = 2
    //: overrideUserInterfaceStyle
    window.overrideUserInterfaceStyle = .dark
    //: init(frame:)
    _ = UIWindow(frame: .zero)
    //: screen
    _ = window.screen.traitCollection
    //: rootViewController
    window.rootViewController = UIViewController()
    //: makeKeyAndVisible()
    window.makeKeyAndVisible()
    //: isKeyWindow
    _ = window.isKeyWindow
}

@MainActor func use2(_ window: UIWindow) {
    //: windowLevel
    window.windowLevel = .alert
    //: Level
    let level: UIWindow.Level = .statusBar
    _ = level
}

@MainActor func useMore(_ window: UIWindow) {
    //: canBecomeKey
    _ = window.canBecomeKey
    //: didBecomeKeyNotification
    _ = UIWindow.didBecomeKeyNotification
}
