// Scaling fonts and lengths with the text size.

/// Scales fonts and lengths with a text style (`UIFontMetrics`).
///
/// UIKit does not document the curve. Here a value is multiplied by the ratio of the style's size
/// for the text size to its size for `large`. Lengths are rounded to whole pixels of the traits'
/// display scale, font sizes to whole points.
public struct FontMetrics: Hashable, Sendable {
    private let style: TextStyle

    /// The metrics of a text style.
    public init(forTextStyle textStyle: TextStyle) {
        style = textStyle
    }

    /// The metrics of body text.
    public static let `default` = FontMetrics(forTextStyle: .body)

    // MARK: - Lengths

    /// A length for the current traits.
    public func scaledValue(for value: Double) -> Double {
        scaledValue(for: value, compatibleWith: nil)
    }

    /// A length for the traits. Nil means the current traits.
    public func scaledValue(
        for value: Double, compatibleWith traitCollection: TraitCollection?
    ) -> Double {
        let traits = traitCollection ?? .current
        let scale = traits.displayScale > 0 ? traits.displayScale : 1
        return (value * ratio(traits) * scale).rounded() / scale
    }

    // MARK: - Fonts

    /// A font for the current traits.
    public func scaledFont(for font: Font) -> Font { scaledFont(for: font, compatibleWith: nil) }

    /// A font for the traits. Nil means the current traits. Passing a font that was scaled before
    /// is a programmer's error, as in UIKit, and stops the program.
    public func scaledFont(for font: Font, compatibleWith traitCollection: TraitCollection?) -> Font
    {
        scaledFont(for: font, maximum: nil, traitCollection)
    }

    /// A font for the current traits, of at most `maximumPointSize` points; 0 means no limit.
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
        return scaledFont(font, scaling, traitCollection ?? .current)
    }

    func scaledFont(_ font: Font, _ scaling: Font.Scaling, _ traits: TraitCollection) -> Font {
        let size = (scaling.base * ratio(traits)).rounded()
        return Font(
            font.fontName, min(size, scaling.maximum ?? .infinity), font.weight, scaling)
    }

    private func ratio(_ traits: TraitCollection) -> Double {
        style.pointSize(for: traits.preferredContentSizeCategory) / style.pointSize(for: .large)
    }
}
