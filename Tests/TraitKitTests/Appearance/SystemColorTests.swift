// The system's colours, by style, contrast and level.

import Testing
import TraitKit

@Suite("The system's colours")
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
@Suite("Tint colours") struct TintColorTests {
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
