// The public descriptions of a tracked scope, and of a scope that went stale.

/// A method of one node with the traits that it read in its last run, as it was set.
public struct ScopeInfo: Hashable, Sendable {
    public let node: NodeIndex
    /// The method's name.
    public let name: String
    public let invalidation: String
    public let reads: TraitSet
    /// Whether one of them changed since: the scope is not reported until it is set again.
    public let isStale: Bool
    /// The revision of the commit that set it last.
    public let revision: Int64
}

/// A scope that went stale.
public struct Invalidation: Hashable, Sendable {
    public let node: NodeIndex
    /// The method's name.
    public let scope: String
    /// The method that UIKit would call, such as `setNeedsLayout`.
    public let invalidation: String
    /// The traits that changed: those it read, and for a method that draws those that affect colours.
    public let changed: TraitSet
}

extension NodeKind {
    /// Whether a scope on a node of this kind covers the views directly inside, too: those that
    /// inherit from it. Of a controller that is its root view, of a presentation controller the
    /// views in it that no controller owns.
    var scopesCoverViews: Bool { self == .viewController || self == .presentationController }
}

/// A method that can be tracked.
public struct ScopeMethod: Hashable, Sendable {
    public let name: String
    /// The kinds of node that have it. A window is a view; so are buttons and cells.
    public let kinds: [NodeKind]
    /// The method that UIKit calls when this method has to run again.
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

    /// The invalidation that a change causes; nil when nodes of that kind have no such method.
    public static func invalidation(of name: String, on kind: NodeKind) -> String? {
        if kind == .environment { return "invalidate" }
        return all.first {
            // Equal strings of as many bytes are the same bytes, as the names are ASCII.
            $0.name == name && $0.name.utf8.count == name.utf8.count && $0.kinds.contains(kind)
        }?.invalidation
    }
}
