// Text styles, with the size of each for each text size.

/// A preferred style of text (`UIFont.TextStyle`).
public struct TextStyle: RawRepresentable, Hashable, Sendable {
    /// UIKit's name of the style.
    public let rawValue: String

    /// A style by its name. An unknown style scales like body text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The styles, as UIKit has them.
    public static let
        extraLargeTitle = TextStyle(rawValue: "UICTFontTextStyleExtraLargeTitle"),
        extraLargeTitle2 = TextStyle(rawValue: "UICTFontTextStyleExtraLargeTitle2"),
        largeTitle = TextStyle(rawValue: "UICTFontTextStyleTitle0"),
        title1 = TextStyle(rawValue: "UICTFontTextStyleTitle1"),
        title2 = TextStyle(rawValue: "UICTFontTextStyleTitle2"),
        title3 = TextStyle(rawValue: "UICTFontTextStyleTitle3"),
        headline = TextStyle(rawValue: "UICTFontTextStyleHeadline"),
        subheadline = TextStyle(rawValue: "UICTFontTextStyleSubhead"),
        body = TextStyle(rawValue: "UICTFontTextStyleBody"),
        callout = TextStyle(rawValue: "UICTFontTextStyleCallout"),
        footnote = TextStyle(rawValue: "UICTFontTextStyleFootnote"),
        caption1 = TextStyle(rawValue: "UICTFontTextStyleCaption1"),
        caption2 = TextStyle(rawValue: "UICTFontTextStyleCaption2")

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

    /// How much a length grows for the twelve text sizes, the smallest first: the distance of two
    /// lines of text, in points. A length for a text size is the length times the size's number,
    /// divided by the number for `large`.
    ///
    /// Source: recorded lengths of UIKit (iOS 26). The numbers are Apple's published leadings, but
    /// for those of title1, title2 and title3 and for single ones of headline, subheadline,
    /// caption1 and caption2, which were fitted to the recorded lengths.
    private static let leadings: [TextStyle: [Double]] = [
        .largeTitle: [38, 39, 40, 41, 43, 46, 48, 52, 57, 61, 66, 70],
        .title1: [31, 32, 33, 34, 36, 38, 41, 46, 51, 57, 61, 68],
        .title2: [24, 25, 26, 28, 30, 32, 34, 41, 47, 52, 59, 66],
        .title3: [22, 23, 24, 25, 28, 30, 32, 38, 44, 51, 58, 65],
        .headline: [19, 20, 21, 22, 24, 26, 29, 34, 40, 48, 51, 62],
        .subheadline: [16, 18, 19, 20, 22, 24, 26, 31, 36, 43, 50, 58],
        .body: [19, 20, 21, 22, 24, 26, 29, 34, 40, 48, 56, 62],
        .callout: [18, 19, 20, 21, 23, 25, 28, 32, 39, 46, 52, 60],
        .footnote: [16, 16, 16, 18, 20, 22, 24, 29, 33, 40, 46, 52],
        .caption1: [13, 13, 13, 16, 19, 21, 23, 27, 32, 39, 44, 51],
        .caption2: [13, 13, 13, 13, 18, 20, 22, 25, 29, 35, 41, 48],
        // Their sizes are the same for all text sizes.
        .extraLargeTitle: Array(repeating: 1, count: 12),
        .extraLargeTitle2: Array(repeating: 1, count: 12),
    ]

    /// The style's leading. An unspecified or unknown text size counts as `large`, an unknown style
    /// as `body`.
    func leading(for category: ContentSizeCategory) -> Double {
        Self.entry(of: Self.leadings, self, category) ?? 22
    }

    private static func entry(
        of table: [TextStyle: [Double]], _ style: TextStyle, _ category: ContentSizeCategory
    ) -> Double? {
        let row = table[style] ?? table[.body] ?? []
        let large = ContentSizeCategory.allCases.firstIndex(of: .large)
        let index = ContentSizeCategory.allCases.firstIndex(of: category) ?? large
        return index.flatMap { row.indices.contains($0) ? row[$0] : nil }
    }

    /// The style's size in points. An unspecified or unknown text size counts as `large`, an
    /// unknown style as `body`.
    func pointSize(for category: ContentSizeCategory) -> Double {
        Self.entry(of: Self.sizes, self, category) ?? 17
    }
}
