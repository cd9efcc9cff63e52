// Whether a split view controller around the content is collapsed.

/// A split view controller's layout (`UISplitViewController.LayoutEnvironment`).
///
/// The only system trait whose raw value 0 is specified: `none` means outside of a split view
/// controller.
public enum SplitViewControllerLayoutEnvironment: SystemEnumeration, Sendable {
    /// The content is in no split view controller.
    case none
    /// Several columns are shown.
    case expanded
    /// One column is shown alone.
    case collapsed
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case 0: .none
            case 1: .expanded
            case 2: .collapsed
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .none: 0
        case .expanded: 1
        case .collapsed: 2
        case .other(let rawValue): rawValue
        }
    }
}

/// Whether the split view controller around the content is collapsed
/// (`UITraitSplitViewControllerLayoutEnvironment`).
public struct TraitSplitViewControllerLayoutEnvironment: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = SplitViewControllerLayoutEnvironment.none
}

extension TraitCollection {
    /// The layout of the split view controller around the content.
    public var splitViewControllerLayoutEnvironment: SplitViewControllerLayoutEnvironment {
        self[TraitSplitViewControllerLayoutEnvironment.self]
    }

    /// A collection of this trait alone.
    public init(splitViewControllerLayoutEnvironment: SplitViewControllerLayoutEnvironment) {
        self.init(
            TraitSplitViewControllerLayoutEnvironment.self,
            value: splitViewControllerLayoutEnvironment)
    }
}

extension MutableTraits {
    /// The layout of the split view controller around the content.
    public var splitViewControllerLayoutEnvironment: SplitViewControllerLayoutEnvironment {
        get { self[TraitSplitViewControllerLayoutEnvironment.self] }
        set { self[TraitSplitViewControllerLayoutEnvironment.self] = newValue }
    }
}
