// How many pixels a point has.

/// Source of the rule: UIKit's `UITraitDisplayScale`.
public struct TraitDisplayScale: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = 0.0
}

extension TraitCollection {
    /// Pixels a point; 0 is unspecified. Has to be finite.
    public var displayScale: Double { self[TraitDisplayScale.self] }

    /// A collection of this trait alone. Deprecated since iOS 17, where the closure took over.
    public init(displayScale: Double) { self.init(TraitDisplayScale.self, value: displayScale) }
}

extension MutableTraits {
    /// Pixels a point; 0 is unspecified. Has to be finite.
    public var displayScale: Double {
        get { self[TraitDisplayScale.self] }
        set { self[TraitDisplayScale.self] = newValue }
    }
}
