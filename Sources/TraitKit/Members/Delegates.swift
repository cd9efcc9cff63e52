// The delegates of the application and of its scenes. A program calls their methods itself.

/// Is asked about the application (`UIApplicationDelegate`).
@preconcurrency @MainActor
public protocol ApplicationDelegate: AnyObject {}

/// Is asked about a scene (`UISceneDelegate`).
@preconcurrency @MainActor
public protocol SceneDelegate: AnyObject {}

/// A delegate of a window scene, which may hold the window (`UIWindowSceneDelegate`).
@preconcurrency @MainActor
public protocol WindowSceneDelegate: SceneDelegate {}

extension Application {
    /// Why the program was launched (`UIApplication.LaunchOptionsKey`).
    public typealias LaunchOptionsKey = String
}
