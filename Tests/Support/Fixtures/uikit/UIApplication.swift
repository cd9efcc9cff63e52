// Every member of UIApplication that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: shared
    let application = UIApplication.shared
    //: preferredContentSizeCategory
    let size: UIContentSizeCategory = application.preferredContentSizeCategory
    _ = size
    //: connectedScenes
    let scenes: Set<UIScene> = application.connectedScenes
    _ = scenes
    //: userInterfaceLayoutDirection
    let direction: UIUserInterfaceLayoutDirection = application.userInterfaceLayoutDirection
    _ = direction
    //: windows
    _ = application.windows.first
    //: keyWindow
    _ = application.keyWindow
}

@MainActor func use2(_ application: UIApplication) {
    //: applicationState
    _ = application.applicationState == .active
    //: State
    let state: UIApplication.State = .background
    _ = state
    //: didBecomeActiveNotification
    _ = UIApplication.didBecomeActiveNotification
    //: willResignActiveNotification
    _ = UIApplication.willResignActiveNotification
    //: didEnterBackgroundNotification
    _ = UIApplication.didEnterBackgroundNotification
    //: willEnterForegroundNotification
    _ = UIApplication.willEnterForegroundNotification
}

@MainActor func useMore() {
    //: didReceiveMemoryWarningNotification
    _ = UIApplication.didReceiveMemoryWarningNotification
    //: willTerminateNotification
    _ = UIApplication.willTerminateNotification
    //: LaunchOptionsKey
    let options: [UIApplication.LaunchOptionsKey: Any] = [:]
    _ = options
}
