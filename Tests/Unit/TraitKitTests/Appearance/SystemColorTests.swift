// The system's colours, by style, contrast and level.

import Foundation
import KitTestSupport
import Testing
import TraitKit

@Suite("The system's colours", .ownHierarchy)
struct SystemColorTests {
    private func traits(
        _ style: UserInterfaceStyle, _ contrast: AccessibilityContrast = .normal,
        _ level: UserInterfaceLevel = .base
    ) -> TraitCollection {
        TraitCollection { traits in
            traits.userInterfaceStyle = style
            traits.accessibilityContrast = contrast
            traits.userInterfaceLevel = level
        }
    }

    private func components(_ color: Color, _ traits: TraitCollection) -> [Int] {
        let color = color.resolvedColor(with: traits).cgColor
        return [color.red, color.green, color.blue, color.alpha].map { Int(($0 * 255).rounded()) }
    }

    @Test("a tint has a value for each style and contrast; unspecified is light")
    func tint() {
        #expect(components(.systemBlue, traits(.light)) == [0, 122, 255, 255])
        #expect(components(.systemBlue, traits(.dark)) == [10, 132, 255, 255])
        #expect(components(.systemBlue, traits(.light, .high)) == [0, 64, 221, 255])
        #expect(components(.systemBlue, traits(.dark, .high)) == [64, 156, 255, 255])
        #expect(components(.systemBlue, TraitCollection()) == [0, 122, 255, 255])
    }

    /// The tints as rows of a table of Apple's Human Interface Guidelines before June 2025: light,
    /// dark, light with high contrast, dark with high contrast.
    private static let tints: [(Color, [[Int]])] = [
        (.systemRed, [[255, 59, 48], [255, 69, 58], [215, 0, 21], [255, 105, 97]]),
        (.systemOrange, [[255, 149, 0], [255, 159, 10], [201, 52, 0], [255, 179, 64]]),
        (.systemYellow, [[255, 204, 0], [255, 214, 10], [178, 80, 0], [255, 212, 38]]),
        (.systemGreen, [[52, 199, 89], [48, 209, 88], [36, 138, 61], [48, 219, 91]]),
        (.systemMint, [[0, 199, 190], [99, 230, 226], [12, 129, 123], [102, 212, 207]]),
        (.systemTeal, [[48, 176, 199], [64, 200, 224], [0, 130, 153], [93, 230, 255]]),
        (.systemCyan, [[50, 173, 230], [100, 210, 255], [0, 113, 164], [112, 215, 255]]),
        (.systemBlue, [[0, 122, 255], [10, 132, 255], [0, 64, 221], [64, 156, 255]]),
        (.systemIndigo, [[88, 86, 214], [94, 92, 230], [54, 52, 163], [125, 122, 255]]),
        (.systemPurple, [[175, 82, 222], [191, 90, 242], [137, 68, 171], [218, 143, 255]]),
        (.systemPink, [[255, 45, 85], [255, 55, 95], [211, 15, 69], [255, 100, 130]]),
        (.systemBrown, [[162, 132, 94], [172, 142, 104], [127, 101, 69], [181, 148, 105]]),
        (.systemGray, [[142, 142, 147], [142, 142, 147], [108, 108, 112], [174, 174, 178]]),
        (.systemGray2, [[174, 174, 178], [99, 99, 102], [142, 142, 147], [124, 124, 128]]),
        (.systemGray3, [[199, 199, 204], [72, 72, 74], [174, 174, 178], [84, 84, 86]]),
        (.systemGray4, [[209, 209, 214], [58, 58, 60], [188, 188, 192], [68, 68, 70]]),
        (.systemGray5, [[229, 229, 234], [44, 44, 46], [216, 216, 220], [54, 54, 56]]),
        (.systemGray6, [[242, 242, 247], [28, 28, 30], [235, 235, 240], [36, 36, 38]]),
    ]

    @Test("every tint has the published values")
    func tints() {
        let order = [
            traits(.light), traits(.dark), traits(.light, .high), traits(.dark, .high),
        ]
        for (color, values) in Self.tints {
            #expect(order.map { components(color, $0) } == values.map { $0 + [255] })
        }
    }

    @Test("components are those of the colour for the current traits")
    func currentComponents() {
        var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
        traits(.dark).performAsCurrent {
            Color.systemRed.getRed(&red, green: &green, blue: &blue, alpha: &alpha)
        }
        #expect([red, green, blue, alpha].map { Int(($0 * 255).rounded()) } == [255, 69, 58, 255])
        var white: CGFloat = 0
        #expect(Color(white: 0.25).getWhite(&white, alpha: nil))
        #expect(white == 0.25)
        #expect(!Color.red.getWhite(&white, alpha: nil))
        #expect(white == 0.25)
    }

    @Test("a colour by name is the variant of the given traits, or follows the traits")
    func named() throws {
        ColorCatalog.main.add(
            "SystemColorTests",
            variants: [
                .init(.white), .init(.black, when: TraitCollection(userInterfaceStyle: .dark)),
            ])
        let name = "SystemColorTests"
        #expect(Color(named: name, in: nil, compatibleWith: traits(.dark)) == .black)
        let dynamic = try #require(Color(named: name, in: nil, compatibleWith: nil))
        #expect(components(dynamic, traits(.dark)) == [0, 0, 0, 255])
        #expect(components(dynamic, traits(.light)) == [255, 255, 255, 255])
        #expect(Color(named: "SystemColorTests.none", in: nil, compatibleWith: nil) == nil)
    }

    @Test("only backgrounds have an elevated value of their own, and only in the dark")
    func elevated() {
        let elevated = traits(.dark, .normal, .elevated)
        #expect(components(.systemBackground, traits(.dark)) == [0, 0, 0, 255])
        #expect(components(.systemBackground, elevated) == [28, 28, 30, 255])
        #expect(
            components(.systemBackground, traits(.dark, .high, .elevated)) == [36, 36, 38, 255])
        #expect(
            components(.systemBackground, traits(.light, .normal, .elevated))
                == [255, 255, 255, 255])
        #expect(components(.systemRed, elevated) == components(.systemRed, traits(.dark)))
        #expect(components(.label, elevated) == [255, 255, 255, 255])
    }

    @Test("fills, labels and separators are translucent, by style and contrast")
    func translucent() {
        #expect(components(.secondaryLabel, traits(.light)) == [60, 60, 67, 153])
        #expect(components(.secondaryLabel, traits(.light, .high)) == [60, 60, 67, 173])
        #expect(components(.systemFill, traits(.dark)) == [120, 120, 128, 91])
        #expect(components(.separator, traits(.dark, .high)) == [84, 84, 88, 173])
    }

    @Test("a plain colour with another opacity stays plain, and equals one of the same components")
    func plainOpacity() {
        let half = Color.orange.withAlphaComponent(0.5)
        #expect(half == Color.orange.withAlphaComponent(0.5))
        #expect(half == Color(red: 1, green: 0.5, blue: 0, alpha: 0.5))
        #expect(half != Color.orange)
    }

    @Test("fixed colours are the same for all traits; a dynamic colour keeps its opacity")
    func fixed() {
        for traits in [traits(.light), traits(.dark, .high)] {
            #expect(components(.orange, traits) == [255, 128, 0, 255])
            #expect(components(.darkText, traits) == [0, 0, 0, 255])
        }
        let faded = Color.systemGreen.withAlphaComponent(0.2)
        #expect(components(faded, traits(.light)) == [52, 199, 89, 51])
        #expect(components(faded, traits(.dark)) == [48, 209, 88, 51])
        #expect(components(faded.withAlphaComponent(1), traits(.dark)) == [48, 209, 88, 255])
    }
}

@MainActor
@Suite("Tint colours", .ownHierarchy) struct TintColorTests {
    @Test("a view's tint is its superview's unless it has one of its own; at the top it is blue")
    func inherited() {
        let (outer, inner) = (View(), View())
        outer.addSubview(inner)
        #expect(inner.tintColor == .systemBlue)
        outer.tintColor = .systemRed
        #expect(inner.tintColor == .systemRed)
        inner.tintColor = .systemGreen
        #expect(outer.tintColor == .systemRed)
        #expect(inner.tintColor == .systemGreen)
    }
}
