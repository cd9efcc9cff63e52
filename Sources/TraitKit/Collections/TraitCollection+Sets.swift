// The sets of traits that UIKit prepares, to register for all that matters to colours or images.

internal import TraitEngine

extension TraitCollection {
    /// The system traits that influence colours, as iOS 17 prints them, sorted. Four members of
    /// the two sets are private: they print and register with the set, and nothing else.
    ///
    /// Custom traits are not among them, even when they affect the colour appearance.
    public static let systemTraitsAffectingColorAppearance: [TraitKey] =
        SystemTraitTable.types(ofKeys: SystemTraits.colorAppearanceKeys)

    /// The system traits that decide which image of an asset is shown, as iOS 17 prints them,
    /// sorted.
    public static let systemTraitsAffectingImageLookup: [TraitKey] =
        SystemTraitTable.types(ofKeys: SystemTraits.imageLookupKeys)
}
