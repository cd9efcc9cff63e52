// The size of a Mac toolbar's items.

/// A toolbar item's size (`UINSToolbarItemPresentationSize`). There is no 2.
public enum ToolbarItemPresentationSize: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// The usual size.
    case regular
    /// The small size.
    case small
    /// The large size.
    case large
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case -1: .unspecified
            case 0: .regular
            case 1: .small
            case 3: .large
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: -1
        case .regular: 0
        case .small: 1
        case .large: 3
        case .other(let rawValue): rawValue
        }
    }
}

/// The size of the items in a Mac toolbar (`UITraitToolbarItemPresentationSize`).
public struct TraitToolbarItemPresentationSize: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = ToolbarItemPresentationSize.unspecified
}

extension TraitCollection {
    /// The size of the toolbar item that shows the content.
    public var toolbarItemPresentationSize: ToolbarItemPresentationSize {
        self[TraitToolbarItemPresentationSize.self]
    }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(toolbarItemPresentationSize: ToolbarItemPresentationSize) {
        self.init(TraitToolbarItemPresentationSize.self, value: toolbarItemPresentationSize)
    }
}

extension MutableTraits {
    /// The size of the toolbar item that shows the content.
    public var toolbarItemPresentationSize: ToolbarItemPresentationSize {
        get { self[TraitToolbarItemPresentationSize.self] }
        set { self[TraitToolbarItemPresentationSize.self] = newValue }
    }
}
