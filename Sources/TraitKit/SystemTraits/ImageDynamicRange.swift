// How bright images may become.

/// The dynamic range of images (`UIImage.DynamicRange`).
public enum ImageDynamicRange: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// Standard range, whatever the image has.
    case standard
    /// Some high range, beside standard content.
    case constrainedHigh
    /// As much range as the image and the screen have.
    case high
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case -1: .unspecified
            case 0: .standard
            case 1: .constrainedHigh
            case 2: .high
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: -1
        case .standard: 0
        case .constrainedHigh: 1
        case .high: 2
        case .other(let rawValue): rawValue
        }
    }
}

/// Source of the rule: UIKit's `UITraitImageDynamicRange`.
public struct TraitImageDynamicRange: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = ImageDynamicRange.unspecified
}

extension TraitCollection {
    /// The dynamic range in which images are shown.
    public var imageDynamicRange: ImageDynamicRange { self[TraitImageDynamicRange.self] }

    /// A collection of this trait alone. Deprecated since iOS 17, where the closure took over.
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
