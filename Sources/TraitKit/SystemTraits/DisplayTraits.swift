// The traits of a display: its scale, its colours, and how bright images may become.

/// Pixels per point (`UITraitDisplayScale`).
public struct TraitDisplayScale: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = 0.0
}

extension TraitCollection {
    /// Pixels a point; 0 is unspecified. Has to be finite.
    public var displayScale: Double { self[TraitDisplayScale.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(displayScale: Double) { self.init(TraitDisplayScale.self, value: displayScale) }
}

extension MutableTraits {
    /// Pixels a point; 0 is unspecified. Has to be finite.
    public var displayScale: Double {
        get { self[TraitDisplayScale.self] }
        set { self[TraitDisplayScale.self] = newValue }
    }
}

/// The colours that the display can show (`UITraitDisplayGamut`).
public struct TraitDisplayGamut: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = DisplayGamut.unspecified
}

extension TraitCollection {
    /// The gamut of the display.
    public var displayGamut: DisplayGamut { self[TraitDisplayGamut.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(displayGamut: DisplayGamut) {
        self.init(TraitDisplayGamut.self, value: displayGamut)
    }
}

extension MutableTraits {
    /// The gamut of the display.
    public var displayGamut: DisplayGamut {
        get { self[TraitDisplayGamut.self] }
        set { self[TraitDisplayGamut.self] = newValue }
    }
}

/// How bright images may become (`UITraitImageDynamicRange`).
public struct TraitImageDynamicRange: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = ImageDynamicRange.unspecified
}

extension TraitCollection {
    /// The dynamic range in which images are shown.
    public var imageDynamicRange: ImageDynamicRange { self[TraitImageDynamicRange.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(imageDynamicRange: ImageDynamicRange) {
        self.init(TraitImageDynamicRange.self, value: imageDynamicRange)
    }
}

extension MutableTraits {
    /// The dynamic range in which images are shown.
    public var imageDynamicRange: ImageDynamicRange {
        get { self[TraitImageDynamicRange.self] }
        set { self[TraitImageDynamicRange.self] = newValue }
    }
}

/// Whether content should do without high dynamic range (`UITraitHDRHeadroomUsageLimit`).
public struct TraitHDRHeadroomUsageLimit: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = HDRHeadroomUsageLimit.unspecified
}

extension TraitCollection {
    /// Whether to hold back high dynamic range.
    public var hdrHeadroomUsageLimit: HDRHeadroomUsageLimit {
        self[TraitHDRHeadroomUsageLimit.self]
    }

    /// `hdrHeadroomUsageLimit` under its name in Swift's documentation.
    public var headroomUsageLimit: HDRHeadroomUsageLimit { hdrHeadroomUsageLimit }

    /// A collection of this trait alone.
    public init(hdrHeadroomUsageLimit: HDRHeadroomUsageLimit) {
        self.init(TraitHDRHeadroomUsageLimit.self, value: hdrHeadroomUsageLimit)
    }
}

extension MutableTraits {
    /// Whether to hold back high dynamic range.
    public var hdrHeadroomUsageLimit: HDRHeadroomUsageLimit {
        get { self[TraitHDRHeadroomUsageLimit.self] }
        set { self[TraitHDRHeadroomUsageLimit.self] = newValue }
    }

    /// `hdrHeadroomUsageLimit` under its name in Swift's documentation.
    public var headroomUsageLimit: HDRHeadroomUsageLimit {
        get { hdrHeadroomUsageLimit }
        set { hdrHeadroomUsageLimit = newValue }
    }
}
