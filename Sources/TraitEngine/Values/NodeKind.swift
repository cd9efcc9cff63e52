// The kinds of trait environment and where each may stand.

/// UIKit's five trait environments, and a plain one for hierarchies that are not UIKit's.
public enum NodeKind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case windowScene
    case window
    case presentationController
    case viewController
    case view
    case environment

    public var name: String { Self.names[Int(rawValue)] }

    private static let names = allCases.map(\.literal.description)

    /// The name, without a string being made of it.
    package var literal: StaticString {
        switch self {
        case .windowScene: "windowScene"
        case .window: "window"
        case .presentationController: "presentationController"
        case .viewController: "viewController"
        case .view: "view"
        case .environment: "environment"
        }
    }

    public init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// The kinds that the structural parent may have; every kind may also have none.
    public var allowedParents: [NodeKind] {
        switch self {
        case .windowScene: [.environment]
        case .window: [.windowScene, .environment]
        case .presentationController: [.window]
        case .viewController:
            [.window, .viewController, .presentationController, .environment]
        case .view: [.view, .window, .presentationController, .environment]
        case .environment: Self.allCases
        }
    }
}

/// How traits reach a view controller: iOS 17's unified hierarchy, or the one before it.
public enum Propagation: String, Sendable, CaseIterable {
    /// A controller inherits from the superview of its view.
    case unified
    /// A controller inherits from its parent controller.
    case legacy
}

/// Whether a node's shown values can be trusted.
public enum NodeState: String, Sendable {
    case current, pending, detached
}

extension NodeKind {
    /// `allowedParents` as masks.
    private static let parentMasks = allCases.map { kind in
        kind.allowedParents.reduce(UInt8(0)) { $0 | 1 << $1.rawValue }
    }

    /// Whether the structural parent may have this kind.
    func mayStandBelow(_ parent: NodeKind) -> Bool {
        Self.parentMasks[Int(rawValue)] & 1 << parent.rawValue != 0
    }
}

/// When the values of a hierarchy follow its inputs.
public enum UpdateMode: String, Sendable, CaseIterable {
    /// Every commit ends with an update: what is written shows at once.
    case immediate
    /// As in UIKit: writes mark, and what is shown changes only in an update pass.
    case layout
}
