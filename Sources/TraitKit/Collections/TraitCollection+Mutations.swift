// The type of the closures that build collections, and initializers of one trait for the newer
// system traits.

extension TraitCollection {
    /// A closure that writes traits (`UITraitCollection.TraitMutations`).
    public typealias TraitMutations = (inout any MutableTraits) -> Void

    /// A collection of this trait alone.
    public init(listEnvironment: ListEnvironment) {
        self.init(TraitListEnvironment.self, value: listEnvironment)
    }

    /// A collection of this trait alone.
    public init(tabAccessoryEnvironment: TabAccessoryEnvironment) {
        self.init(TraitTabAccessoryEnvironment.self, value: tabAccessoryEnvironment)
    }

    /// A collection of this trait alone.
    public init(splitViewControllerLayoutEnvironment: SplitViewControllerLayoutEnvironment) {
        self.init(
            TraitSplitViewControllerLayoutEnvironment.self,
            value: splitViewControllerLayoutEnvironment)
    }

    /// A collection of this trait alone.
    public init(hdrHeadroomUsageLimit: HDRHeadroomUsageLimit) {
        self.init(TraitHDRHeadroomUsageLimit.self, value: hdrHeadroomUsageLimit)
    }

    /// A collection of this trait alone.
    public init(resolvesNaturalAlignmentWithBaseWritingDirection: Bool) {
        self.init(
            TraitResolvesNaturalAlignmentWithBaseWritingDirection.self,
            value: resolvesNaturalAlignmentWithBaseWritingDirection)
    }
}
