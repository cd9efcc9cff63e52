// The application, which has the scenes.

public import Foundation

/// The application (`UIApplication`): its scenes and its text size.
@preconcurrency @MainActor
public final class Application {
    /// The application of the process.
    public static let shared = Application()

    private struct Reference {
        weak var scene: Scene?
    }

    private var scenes: [Reference] = []

    /// How far a program is in front (`UIApplication.State`).
    public typealias State = ApplicationState

    /// How far the program is in front; `active` at first. Read-only in UIKit; here the program sets it.
    public var applicationState = State.active

    /// The notifications, as UIKit names them. A program posts them itself.
    public nonisolated static let didBecomeActiveNotification = name("DidBecomeActive"),
        willResignActiveNotification = name("WillResignActive"),
        didEnterBackgroundNotification = name("DidEnterBackground"),
        willEnterForegroundNotification = name("WillEnterForeground"),
        didReceiveMemoryWarningNotification = name("DidReceiveMemoryWarning"),
        willTerminateNotification = name("WillTerminate")

    private nonisolated static func name(_ event: String) -> Notification.Name {
        Notification.Name("UIApplication\(event)Notification")
    }

    private init() {}

    func connect(_ scene: Scene) {
        scenes.removeAll { $0.scene == nil }
        scenes.append(Reference(scene: scene))
        scene.node.hierarchy.screenChanged()
    }

    /// The scenes, in the order in which they were made.
    private func orderedScenes(of hierarchy: TraitHierarchy) -> [Scene] {
        scenes.compactMap(\.scene).filter { $0.node.hierarchy === hierarchy }
    }

    func windowScenes(of hierarchy: TraitHierarchy) -> [WindowScene] {
        orderedScenes(of: hierarchy).compactMap { $0 as? WindowScene }
    }

    private var windowScenes: [WindowScene] { windowScenes(of: .current) }

    /// The scenes of the program. A scene is there as long as its object.
    public var connectedScenes: Set<Scene> { Set(orderedScenes(of: .current)) }

    /// The windows of all scenes. Deprecated since iOS 15: use the windows of a scene.
    public var windows: [Window] { windowScenes.flatMap(\.windows) }

    /// The key window of the first scene that has one. Deprecated since iOS 13.
    public var keyWindow: Window? {
        windowScenes.lazy.compactMap(\.keyWindow).first ?? TraitHierarchy.current.screen.keyWindow
    }

    /// The text size that the person has chosen, which fonts go by that are made without traits;
    /// `large` at first. Read-only in UIKit; here the program sets it. Scenes have the text size of
    /// their `suppliedTraits`. A change posts `ContentSizeCategory.didChangeNotification`.
    public var preferredContentSizeCategory: ContentSizeCategory {
        get { SystemTextSize.category }
        set { SystemTextSize.change(to: newValue) }
    }

    /// The direction of the first scene; left to right without one.
    public var userInterfaceLayoutDirection: LayoutDirection {
        let direction = windowScenes.first?.traitCollection.layoutDirection ?? .unspecified
        return LayoutDirection(direction) ?? .leftToRight
    }
}

/// The device (`UIDevice`): the kind of its interface.
@preconcurrency @MainActor
public final class Device {
    /// The device that the program runs on.
    public static let current = Device()

    private init() {}

    /// The idiom that was supplied to the first scene; unspecified without one.
    public var userInterfaceIdiom: UserInterfaceIdiom {
        Screen.main.traitCollection.userInterfaceIdiom
    }
}

/// A scene (`UIScene`).
@preconcurrency @MainActor
open class Scene: Responder {
    /// How far a scene is in front (`UIScene.ActivationState`).
    public typealias ActivationState = SceneActivationState

    /// The session of the scene.
    public let session = SceneSession()
    /// The title of the scene.
    open var title: String?
    /// The object that is asked about the scene.
    open weak var delegate: (any SceneDelegate)?

    /// How far the scene is in front; `foregroundActive` at first. Read-only in UIKit; here the program
    /// sets it. A change posts the notifications that UIKit posts for it.
    open var activationState = ActivationState.foregroundActive {
        didSet { post(from: oldValue) }
    }

    /// A scene. Posts `willConnectNotification`.
    public init() {
        super.init(root: ())
        Application.shared.connect(self)
        NotificationCenter.default.post(name: Self.willConnectNotification, object: self)
    }

    private func post(from old: ActivationState) {
        if old == activationState { return }
        var names: [Notification.Name] = []
        if old == .background { names.append(Self.willEnterForegroundNotification) }
        if old == .foregroundActive { names.append(Self.willDeactivateNotification) }
        switch activationState {
        case .foregroundActive: names.append(Self.didActivateNotification)
        case .background: names.append(Self.didEnterBackgroundNotification)
        case .unattached: names.append(Self.didDisconnectNotification)
        default: break
        }
        for name in names { NotificationCenter.default.post(name: name, object: self) }
    }
}

extension Scene {
    /// The notifications, as UIKit names them. A scene posts them.
    public nonisolated static let willConnectNotification = name("WillConnect"),
        didDisconnectNotification = name("DidDisconnect"),
        didActivateNotification = name("DidActivate"),
        willDeactivateNotification = name("WillDeactivate"),
        willEnterForegroundNotification = name("WillEnterForeground"),
        didEnterBackgroundNotification = name("DidEnterBackground")

    private nonisolated static func name(_ event: String) -> Notification.Name {
        Notification.Name("UIScene\(event)Notification")
    }

    /// How a scene was connected (`UIScene.ConnectionOptions`).
    @preconcurrency @MainActor
    public final class ConnectionOptions {
        /// Options without content.
        public init() {}
    }
}

/// The session of a scene (`UISceneSession`).
@preconcurrency @MainActor
public final class SceneSession {
    /// A name that no other session has.
    public let persistentIdentifier = UUID().uuidString

    init() {}
}

extension Application: Hashable, SameObject {}
extension SceneSession: Hashable, SameObject {}
