// Where a tab bar shows its accessory.

/// Where a tab bar shows its accessory (`UITraitTabAccessoryEnvironment`).
public struct TraitTabAccessoryEnvironment: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = TabAccessoryEnvironment.unspecified
}

extension TraitCollection {
    /// The place of the tab accessory that shows the content.
    public var tabAccessoryEnvironment: TabAccessoryEnvironment {
        self[TraitTabAccessoryEnvironment.self]
    }

    /// A collection of this trait alone.
    public init(tabAccessoryEnvironment: TabAccessoryEnvironment) {
        self.init(TraitTabAccessoryEnvironment.self, value: tabAccessoryEnvironment)
    }
}

extension MutableTraits {
    /// The place of the tab accessory that shows the content.
    public var tabAccessoryEnvironment: TabAccessoryEnvironment {
        get { self[TraitTabAccessoryEnvironment.self] }
        set { self[TraitTabAccessoryEnvironment.self] = newValue }
    }
}
