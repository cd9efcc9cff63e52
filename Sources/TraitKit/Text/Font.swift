// Fonts whose size follows the text size.

/// A font (`UIFont`): a name, a weight and a size. Nothing is drawn with it.
///
/// A class, as in UIKit. Fonts never change, and are equal when their values are.
public final class Font: Sendable {
    /// A text style (`UIFont.TextStyle`).
    public typealias TextStyle = TraitKit.TextStyle

    /// How heavy a font is (`UIFont.Weight`), from -1 to 1 with 0 for regular.
    public struct Weight: NumericRawRepresentable, Hashable, Sendable {
        /// The weight as a number.
        public let rawValue: Double

        /// A weight by its number.
        public init(rawValue: Double) {
            self.rawValue = rawValue
        }

        /// The weights, as UIKit has them.
        public static let ultraLight = Weight(rawValue: -0.8), thin = Weight(rawValue: -0.6),
            light = Weight(rawValue: -0.4), regular = Weight(rawValue: 0),
            medium = Weight(rawValue: 0.23), semibold = Weight(rawValue: 0.3),
            bold = Weight(rawValue: 0.4), heavy = Weight(rawValue: 0.56),
            black = Weight(rawValue: 0.62)
    }

    /// The font's name.
    public let fontName: String
    /// The size in points.
    public let pointSize: Double
    /// How heavy the font is.
    public let weight: Weight
    /// The style whose size this font follows; nil for a font of a fixed size.
    let scaling: Scaling?

    /// The parameters of a scaled font, by which it is scaled again for another text size.
    struct Scaling: Hashable, Sendable {
        let style: TextStyle
        /// The size for the text size `large`; nil for the style's own font, whose sizes are
        /// published for each text size.
        let base: Double?
        let maximum: Double?
    }

    init(_ name: String, _ size: Double, _ weight: Weight, _ scaling: Scaling? = nil) {
        fontName = name
        pointSize = size
        self.weight = weight
        self.scaling = scaling
    }

    /// A font of the app, by its name. The name is not checked, so the result is never nil.
    public convenience init?(name fontName: String, size fontSize: Double) {
        self.init(fontName, fontSize, .regular)
    }

    /// The system's font at a fixed size.
    public static func systemFont(ofSize fontSize: Double, weight: Weight = .regular) -> Font {
        Font(".SFUI", fontSize, weight)
    }

    /// The same font at a fixed size.
    public func withSize(_ fontSize: Double) -> Font { Font(fontName, fontSize, weight) }

    /// The system's font for a style, at the size for the application's text size.
    public static func preferredFont(forTextStyle style: TextStyle) -> Font {
        preferredFont(forTextStyle: style, compatibleWith: nil)
    }

    /// The system's font for a style, at the size for the traits. Nil means the application's
    /// text size.
    public static func preferredFont(
        forTextStyle style: TextStyle, compatibleWith traitCollection: TraitCollection?
    ) -> Font {
        let weight: Weight =
            switch style {
            case .headline: .semibold
            case .extraLargeTitle, .extraLargeTitle2: .bold
            default: .regular
            }
        let traits = traitCollection ?? SystemTextSize.traits
        return Font(
            ".SFUI", style.pointSize(for: traits.preferredContentSizeCategory), weight,
            Scaling(style: style, base: nil, maximum: nil))
    }

    /// The font for other traits. A font that follows the text size gets its size for them; a font
    /// of a fixed size stays as it is. Takes the place of UIKit's
    /// `adjustsFontForContentSizeCategory`.
    public func adjusted(for traitCollection: TraitCollection) -> Font {
        guard let scaling else { return self }
        if scaling.base == nil {
            return .preferredFont(forTextStyle: scaling.style, compatibleWith: traitCollection)
        }
        return FontMetrics(forTextStyle: scaling.style).scaledFont(self, scaling, traitCollection)
    }
}

extension Font: Hashable {
    public static func == (left: Font, right: Font) -> Bool {
        left.fontName == right.fontName && left.pointSize == right.pointSize
            && left.weight == right.weight && left.scaling == right.scaling
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(fontName)
        hasher.combine(pointSize)
        hasher.combine(weight)
        hasher.combine(scaling)
    }
}
