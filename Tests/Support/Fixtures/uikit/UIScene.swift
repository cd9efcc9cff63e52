// Every member of UIScene that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ scene: UIScene) {
    //: session
    _ = scene.session.persistentIdentifier
    //: title
    scene.title = "main"
    //: traitCollection
    _ = scene.traitCollection
}

@MainActor func use2(_ scene: UIScene) {
    //: activationState
    _ = scene.activationState == .foregroundActive
    //: delegate
    scene.delegate = nil
    //: ActivationState
    let state: UIScene.ActivationState = .background
    _ = state
    //: ConnectionOptions
    let options: UIScene.ConnectionOptions? = nil
    _ = options
    //: willConnectNotification
    _ = UIScene.willConnectNotification
    //: didDisconnectNotification
    _ = UIScene.didDisconnectNotification
    //: didActivateNotification
    _ = UIScene.didActivateNotification
    //: willDeactivateNotification
    _ = UIScene.willDeactivateNotification
    //: willEnterForegroundNotification
    _ = UIScene.willEnterForegroundNotification
    //: didEnterBackgroundNotification
    _ = UIScene.didEnterBackgroundNotification
}
