// Fonts and lengths that follow the text size.

import Testing
import TraitKit

@Suite("Text that follows the text size")
struct FontTests {
    private func traits(_ category: ContentSizeCategory, scale: Double = 1) -> TraitCollection {
        TraitCollection { traits in
            traits.preferredContentSizeCategory = category
            traits.displayScale = scale
        }
    }

    @Test(
        "styles have the published sizes",
        arguments: [
            (TextStyle.body, [14.0, 15, 16, 17, 19, 21, 23, 28, 33, 40, 47, 53]),
            (.largeTitle, [31, 32, 33, 34, 36, 38, 40, 44, 48, 52, 56, 60]),
            (.caption2, [11, 11, 11, 11, 13, 15, 17, 20, 24, 29, 34, 40]),
            (.extraLargeTitle, Array(repeating: 36, count: 12)),
        ])
    func styles(style: TextStyle, sizes: [Double]) {
        let found = ContentSizeCategory.allCases.map { category in
            Font.preferredFont(forTextStyle: style, compatibleWith: traits(category)).pointSize
        }
        #expect(found == sizes)
    }

    @Test("without traits the current ones count, and an unspecified text size is large")
    func current() {
        #expect(Font.preferredFont(forTextStyle: .body).pointSize == 17)
        traits(.accessibilityMedium).performAsCurrent {
            #expect(Font.preferredFont(forTextStyle: .body).pointSize == 28)
            #expect(FontMetrics.default.scaledValue(for: 17) == 28)
        }
    }

    @Test("headlines are heavier than body text of the same size")
    func weights() {
        #expect(Font.preferredFont(forTextStyle: .headline).weight == .semibold)
        #expect(Font.preferredFont(forTextStyle: .body).weight == .regular)
    }

    @Test("an app's font grows as its style does, up to its maximum, and shrinks below it")
    func scaling() throws {
        let font = try #require(Font(name: "Avenir", size: 20))
        let metrics = FontMetrics(forTextStyle: .body)
        let large = traits(.accessibilityExtraExtraExtraLarge)
        #expect(metrics.scaledFont(for: font, compatibleWith: large).pointSize == 62)
        #expect(metrics.scaledFont(for: font, compatibleWith: traits(.large)) != font)
        #expect(metrics.scaledFont(for: font, compatibleWith: traits(.large)).pointSize == 20)
        #expect(metrics.scaledFont(for: font, compatibleWith: traits(.extraSmall)).pointSize == 16)
        let limited = metrics.scaledFont(for: font, maximumPointSize: 40, compatibleWith: large)
        #expect(limited.pointSize == 40)
        let unlimited = metrics.scaledFont(for: font, maximumPointSize: 0, compatibleWith: large)
        #expect(unlimited.pointSize == 62)
    }

    @Test("a scaled font follows other traits, one of a fixed size does not")
    func adjusting() {
        let body = Font.preferredFont(forTextStyle: .body, compatibleWith: traits(.large))
        #expect(body.adjusted(for: traits(.extraLarge)).pointSize == 19)
        #expect(body.adjusted(for: traits(.extraLarge)).adjusted(for: traits(.large)) == body)
        let fixed = Font.systemFont(ofSize: 12, weight: .bold)
        #expect(fixed.adjusted(for: traits(.extraLarge)) == fixed)
        #expect(body.withSize(17).adjusted(for: traits(.extraLarge)).pointSize == 17)
    }

    @Test("lengths are rounded to whole pixels")
    func pixels() {
        let metrics = FontMetrics.default
        #expect(metrics.scaledValue(for: 10, compatibleWith: traits(.extraLarge)) == 11)
        #expect(metrics.scaledValue(for: 10, compatibleWith: traits(.extraLarge, scale: 2)) == 11)
        let third = metrics.scaledValue(for: 10, compatibleWith: traits(.extraLarge, scale: 3))
        #expect(abs(third - 34.0 / 3) < 1e-12)
        #expect(metrics.scaledValue(for: 10, compatibleWith: TraitCollection()) == 10)
    }
}
