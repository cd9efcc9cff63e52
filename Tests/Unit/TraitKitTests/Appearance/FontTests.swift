// Fonts and lengths that follow the text size.

import Foundation
import KitTestSupport
import Synchronization
import Testing
import TraitKit

@Suite("Text that follows the text size", .ownHierarchy)
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

    /// Thirds of points, as UIKit (iOS 26, scale 3) was recorded to scale the length 64.
    @Test(
        "a length of 64 points grows as UIKit's does, for all styles and text sizes",
        arguments: [
            (TextStyle.largeTitle, [178, 183, 187, 192, 201, 215, 225, 244, 267, 286, 309, 328]),
            (.title1, [175, 181, 186, 192, 203, 215, 232, 260, 288, 322, 344, 384]),
            (.title2, [165, 171, 178, 192, 206, 219, 233, 281, 322, 357, 405, 453]),
            (.title3, [169, 177, 184, 192, 215, 230, 246, 292, 338, 392, 445, 499]),
            (.headline, [166, 175, 183, 192, 209, 227, 253, 297, 349, 419, 445, 541]),
            (.subheadline, [154, 173, 182, 192, 211, 230, 250, 298, 346, 413, 480, 557]),
            (.body, [166, 175, 183, 192, 209, 227, 253, 297, 349, 419, 489, 541]),
            (.callout, [165, 174, 183, 192, 210, 229, 256, 293, 357, 421, 475, 549]),
            (.footnote, [171, 171, 171, 192, 213, 235, 256, 309, 352, 427, 491, 555]),
            (.caption1, [156, 156, 156, 192, 228, 252, 276, 324, 384, 468, 528, 612]),
            (.caption2, [192, 192, 192, 192, 266, 295, 325, 369, 428, 517, 606, 709]),
        ])
    func recorded(style: TextStyle, thirds: [Int]) {
        for (category, expected) in zip(ContentSizeCategory.allCases, thirds) {
            let length = style.metrics.scaledValue(
                for: 64, compatibleWith: traits(category, scale: 3))
            #expect(Int((length * 3).rounded()) == expected, "\(category.rawValue)")
            #expect(abs(length * 3 - Double(expected)) < 1e-9)
            let font = style.metrics.scaledFont(
                for: .systemFont(ofSize: 64), compatibleWith: traits(category, scale: 3))
            #expect(font.pointSize == (Double(expected) / 3 + 0.5).rounded(.down))
        }
    }

    @Test("lengths of other sizes, traits without a scale, and halves, which are rounded up")
    func recordedRows() {
        func row(_ style: TextStyle, _ category: ContentSizeCategory) -> [Double] {
            [8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28, 34, 40, 48].map {
                (style.metrics.scaledValue(
                    for: $0,
                    compatibleWith: TraitCollection(preferredContentSizeCategory: category)) * 3)
                    .rounded()
            }
        }
        #expect(
            row(.body, .accessibilityExtraExtraExtraLarge) == [
                68, 85, 93, 101, 110, 118, 127, 135, 144, 152, 169, 186, 203, 220, 237, 287, 338,
                406,
            ])
        #expect(
            row(.footnote, .extraSmall) == [
                21, 27, 29, 32, 35, 37, 40, 43, 45, 48, 53, 59, 64, 69, 75, 91, 107, 128,
            ])
    }

    @Test("without traits the application's text size counts, and not the current traits")
    @MainActor
    func current() {
        let before = Application.shared.preferredContentSizeCategory
        defer { Application.shared.preferredContentSizeCategory = before }
        Application.shared.preferredContentSizeCategory = .large
        traits(.accessibilityMedium).performAsCurrent {
            #expect(Font.preferredFont(forTextStyle: .body).pointSize == 17)
            #expect(FontMetrics.default.scaledValue(for: 17) == 17)
        }
        Application.shared.preferredContentSizeCategory = .accessibilityMedium
        #expect(Font.preferredFont(forTextStyle: .body).pointSize == 28)
        #expect(abs(FontMetrics.default.scaledValue(for: 17) - 79.0 / 3) < 1e-12)
    }

    @Test("a change of the application's text size is posted, with the new size, once")
    @MainActor
    func posted() {
        let before = Application.shared.preferredContentSizeCategory
        let sizes = Mutex<[ContentSizeCategory]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: ContentSizeCategory.didChangeNotification, object: nil, queue: nil
        ) { notification in
            let size = notification.userInfo?[ContentSizeCategory.newValueUserInfoKey]
            sizes.withLock { $0 += [size as? ContentSizeCategory].compactMap(\.self) }
        }
        defer {
            NotificationCenter.default.removeObserver(observer)
            Application.shared.preferredContentSizeCategory = before
        }
        Application.shared.preferredContentSizeCategory = .extraSmall
        Application.shared.preferredContentSizeCategory = .extraSmall
        Application.shared.preferredContentSizeCategory = .unspecified
        #expect(sizes.withLock { $0 } == [.extraSmall])
    }

    @Test("an unspecified text size is large")
    func unspecified() {
        let font = Font.preferredFont(forTextStyle: .body, compatibleWith: TraitCollection())
        #expect(font.pointSize == 17)
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
        #expect(metrics.scaledFont(for: font, compatibleWith: large).pointSize == 56)
        #expect(metrics.scaledFont(for: font, compatibleWith: traits(.large)) != font)
        #expect(metrics.scaledFont(for: font, compatibleWith: traits(.large)).pointSize == 20)
        #expect(metrics.scaledFont(for: font, compatibleWith: traits(.extraSmall)).pointSize == 17)
        let limited = metrics.scaledFont(for: font, maximumPointSize: 40, compatibleWith: large)
        #expect(limited.pointSize == 40)
        let unlimited = metrics.scaledFont(for: font, maximumPointSize: 0, compatibleWith: large)
        #expect(unlimited.pointSize == 56)
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
        #expect(abs(third - 11) < 1e-12)
        #expect(metrics.scaledValue(for: 10, compatibleWith: TraitCollection()) == 10)
    }
}
