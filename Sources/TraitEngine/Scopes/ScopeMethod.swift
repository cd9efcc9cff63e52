// The methods in which UIKit notes by itself what traits they read, and what it does about them
// when one changes (automatic trait tracking, iOS 18 and later).

/// A method that can be tracked.
public struct ScopeMethod: Hashable, Sendable {
    public let name: String
    /// The kinds of node that have it. A window is a view; so are buttons and cells.
    public let kinds: [NodeKind]
    /// What UIKit calls when the method has to run again.
    public let invalidation: String

    init(_ name: String, _ kinds: [NodeKind], _ invalidation: String) {
        self.name = name
        self.kinds = kinds
        self.invalidation = invalidation
    }

    /// All of them. A plain environment takes any name beside these.
    public static let all: [ScopeMethod] = [
        ScopeMethod("layoutSubviews", views, "setNeedsLayout"),
        ScopeMethod("updateConstraints", views, "setNeedsUpdateConstraints"),
        ScopeMethod("draw", views, "setNeedsDisplay"),
        ScopeMethod("updateProperties", views + controllers, "setNeedsUpdateProperties"),
        ScopeMethod("viewWillLayoutSubviews", controllers, "setNeedsLayout"),
        ScopeMethod("viewDidLayoutSubviews", controllers, "setNeedsLayout"),
        ScopeMethod("updateViewConstraints", controllers, "setNeedsUpdateConstraints"),
        ScopeMethod(
            "updateContentUnavailableConfiguration", controllers,
            "setNeedsUpdateContentUnavailableConfiguration"),
        ScopeMethod(
            "containerViewWillLayoutSubviews", [.presentationController], "setNeedsLayout"),
        ScopeMethod(
            "containerViewDidLayoutSubviews", [.presentationController], "setNeedsLayout"),
        ScopeMethod("updateConfiguration", views, "setNeedsUpdateConfiguration"),
        ScopeMethod("configurationUpdateHandler", views, "setNeedsUpdateConfiguration"),
        ScopeMethod("sectionProvider", views, "invalidateLayout"),
    ]

    private static let views: [NodeKind] = [.view, .window]
    private static let controllers: [NodeKind] = [.viewController]

    /// What a change invalidates; nil when nodes of that kind have no such method.
    public static func invalidation(of name: String, on kind: NodeKind) -> String? {
        if kind == .environment { return "invalidate" }
        return all.first {
            // Equal strings of as many bytes are the same bytes, as the names are ASCII.
            $0.name == name && $0.name.utf8.count == name.utf8.count && $0.kinds.contains(kind)
        }?.invalidation
    }
}
