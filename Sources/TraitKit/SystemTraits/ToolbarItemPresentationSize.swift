// The size of a Mac toolbar's items.

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
