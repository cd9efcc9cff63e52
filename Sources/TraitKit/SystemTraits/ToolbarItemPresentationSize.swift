// The size of a Mac toolbar's items.

/// A toolbar item's size (`UINSToolbarItemPresentationSize`). There is no 2.
@nonexhaustive(warn)
public enum ToolbarItemPresentationSize: Int, SystemEnumeration {
    /// No value is specified.
    case unspecified = -1
    /// The usual size.
    case regular = 0
    /// The small size.
    case small = 1
    /// The large size.
    case large = 3
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
