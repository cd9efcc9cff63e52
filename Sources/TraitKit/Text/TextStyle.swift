// Text styles, with the size of each for each text size.

/// A preferred style of text (`UIFont.TextStyle`).
public struct TextStyle: RawRepresentable, Hashable, Sendable {
    /// UIKit's name of the style.
    public let rawValue: String

    /// A style by its name. An unknown style scales like body text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The largest titles.
    public static let extraLargeTitle = TextStyle(rawValue: "UICTFontTextStyleExtraLargeTitle")
    /// The second largest titles.
    public static let extraLargeTitle2 = TextStyle(rawValue: "UICTFontTextStyleExtraLargeTitle2")
    /// Large titles.
    public static let largeTitle = TextStyle(rawValue: "UICTFontTextStyleTitle0")
    /// Titles of the first level.
    public static let title1 = TextStyle(rawValue: "UICTFontTextStyleTitle1")
    /// Titles of the second level.
    public static let title2 = TextStyle(rawValue: "UICTFontTextStyleTitle2")
    /// Titles of the third level.
    public static let title3 = TextStyle(rawValue: "UICTFontTextStyleTitle3")
    /// Headings.
    public static let headline = TextStyle(rawValue: "UICTFontTextStyleHeadline")
    /// Subheadings.
    public static let subheadline = TextStyle(rawValue: "UICTFontTextStyleSubhead")
    /// Body text.
    public static let body = TextStyle(rawValue: "UICTFontTextStyleBody")
    /// Callouts.
    public static let callout = TextStyle(rawValue: "UICTFontTextStyleCallout")
    /// Footnotes.
    public static let footnote = TextStyle(rawValue: "UICTFontTextStyleFootnote")
    /// Captions.
    public static let caption1 = TextStyle(rawValue: "UICTFontTextStyleCaption1")
    /// Smaller captions.
    public static let caption2 = TextStyle(rawValue: "UICTFontTextStyleCaption2")

    /// The metrics of this style.
    public var metrics: FontMetrics { FontMetrics(forTextStyle: self) }

    /// Points of the style for the twelve text sizes, the smallest first.
    ///
    /// Source: the tables "iOS, iPadOS Dynamic Type sizes" and "… larger accessibility sizes" of
    /// Apple's Human Interface Guidelines, Typography, Specifications. The two extra large titles
    /// are published for one text size only, and have that size for all.
    private static let sizes: [TextStyle: [Double]] = [
        .extraLargeTitle: Array(repeating: 36, count: 12),
        .extraLargeTitle2: Array(repeating: 28, count: 12),
        .largeTitle: [31, 32, 33, 34, 36, 38, 40, 44, 48, 52, 56, 60],
        .title1: [25, 26, 27, 28, 30, 32, 34, 38, 43, 48, 53, 58],
        .title2: [19, 20, 21, 22, 24, 26, 28, 34, 39, 44, 50, 56],
        .title3: [17, 18, 19, 20, 22, 24, 26, 31, 37, 43, 49, 55],
        .headline: [14, 15, 16, 17, 19, 21, 23, 28, 33, 40, 47, 53],
        .subheadline: [12, 13, 14, 15, 17, 19, 21, 25, 30, 36, 42, 49],
        .body: [14, 15, 16, 17, 19, 21, 23, 28, 33, 40, 47, 53],
        .callout: [13, 14, 15, 16, 18, 20, 22, 26, 32, 38, 44, 51],
        .footnote: [12, 12, 12, 13, 15, 17, 19, 23, 27, 33, 38, 44],
        .caption1: [11, 11, 11, 12, 14, 16, 18, 22, 26, 32, 37, 43],
        .caption2: [11, 11, 11, 11, 13, 15, 17, 20, 24, 29, 34, 40],
    ]

    /// The style's size in points. An unspecified or unknown text size counts as `large`, an
    /// unknown style as `body`.
    func pointSize(for category: ContentSizeCategory) -> Double {
        let sizes = Self.sizes[self] ?? Self.sizes[.body] ?? []
        let large = ContentSizeCategory.allCases.firstIndex(of: .large)
        guard let index = ContentSizeCategory.allCases.firstIndex(of: category) ?? large,
            sizes.indices.contains(index)
        else { return 17 }
        return sizes[index]
    }
}
