// The name of what a collection is built with, and the one-trait initializers that stand in no file
// of their trait.

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
