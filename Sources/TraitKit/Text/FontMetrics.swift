// Scaling fonts and lengths with the text size.

/// Scales fonts and lengths with a text style (`UIFontMetrics`).
///
/// A length grows as the distance between two lines of the style's text does (its leading), and is
/// rounded to whole pixels; the size of a font is then rounded to whole points. UIKit does not
/// document the rule. It gives the lengths that UIKit was recorded to give.
///
/// Without traits the text size of the application counts, as in UIKit, and not
/// `TraitCollection.current`. Pixels are those of the traits' display scale. Traits without a scale
/// count as those of a display of scale 3, on which the lengths were recorded.
public struct FontMetrics: Hashable, Sendable {
    private let style: TextStyle

    /// The metrics of a text style.
    public init(forTextStyle textStyle: TextStyle) {
        style = textStyle
    }

    /// The metrics of body text.
    public static let `default` = FontMetrics(forTextStyle: .body)

    // MARK: - Lengths

    /// A length for the application's text size.
    public func scaledValue(for value: Double) -> Double {
        scaledValue(for: value, compatibleWith: nil)
    }

    /// A length for the traits. Nil means the application's text size.
    public func scaledValue(
        for value: Double, compatibleWith traitCollection: TraitCollection?
    ) -> Double {
        scaledValue(value, traitCollection ?? SystemTextSize.traits)
    }

    // MARK: - Fonts

    /// A font for the application's text size.
    public func scaledFont(for font: Font) -> Font { scaledFont(for: font, compatibleWith: nil) }

    /// A font for the traits. Nil means the application's text size. Passing a font that was scaled before
    /// is a programmer's error, as in UIKit, and stops the program.
    public func scaledFont(for font: Font, compatibleWith traitCollection: TraitCollection?) -> Font
    {
        scaledFont(for: font, maximum: nil, traitCollection)
    }

    /// A font for the application's text size, of at most `maximumPointSize` points; 0 means no limit.
    public func scaledFont(for font: Font, maximumPointSize: Double) -> Font {
        scaledFont(for: font, maximum: maximumPointSize, nil)
    }

    /// A font for the traits, of at most `maximumPointSize` points; 0 means no limit.
    public func scaledFont(
        for font: Font, maximumPointSize: Double, compatibleWith traitCollection: TraitCollection?
    ) -> Font {
        scaledFont(for: font, maximum: maximumPointSize, traitCollection)
    }

    private func scaledFont(
        for font: Font, maximum: Double?, _ traitCollection: TraitCollection?
    ) -> Font {
        require(font.scaling == nil, "\(font.fontName) was scaled before; scale the original font")
        let limit = maximum.flatMap { $0 > 0 ? $0 : nil }
        let scaling = Font.Scaling(style: style, base: font.pointSize, maximum: limit)
        return scaledFont(font, scaling, traitCollection ?? SystemTextSize.traits)
    }

    func scaledFont(_ font: Font, _ scaling: Font.Scaling, _ traits: TraitCollection) -> Font {
        let size = Self.rounded(scaledValue(scaling.base ?? font.pointSize, traits))
        return Font(
            font.fontName, min(size, scaling.maximum ?? .infinity), font.weight, scaling)
    }

    private func scaledValue(_ value: Double, _ traits: TraitCollection) -> Double {
        let scale = traits.displayScale > 0 ? traits.displayScale : Self.recordedScale
        let leading = style.leading(for: traits.preferredContentSizeCategory)
        return Self.rounded(value * leading * scale / style.leading(for: .large)) / scale
    }

    private static let recordedScale = 3.0

    /// The nearest whole number; halves are rounded up.
    private static func rounded(_ value: Double) -> Double { (value + 0.5).rounded(.down) }
}
