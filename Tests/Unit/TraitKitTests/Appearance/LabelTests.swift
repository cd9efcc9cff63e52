// Labels whose font follows the text size.

import KitTestSupport
import Testing
import TraitKit

@MainActor
@Suite("Labels", .ownHierarchy) struct LabelTests {
    private let scene = WindowScene()
    private let label = Label()

    init() {
        let window = Window(windowScene: scene)
        scene.suppliedTraits.preferredContentSizeCategory = .large
        window.addSubview(label)
        scene.layoutIfNeeded()
    }

    @Test("a font for a text style follows the text size once the label is told to")
    func adjusts() {
        label.font = .preferredFont(forTextStyle: .body)
        scene.suppliedTraits.preferredContentSizeCategory = .accessibilityLarge
        scene.layoutIfNeeded()
        #expect(label.font.pointSize == 17)
        label.adjustsFontForContentSizeCategory = true
        #expect(label.font.pointSize == 33)
        scene.suppliedTraits.preferredContentSizeCategory = .extraSmall
        scene.layoutIfNeeded()
        #expect(label.font.pointSize == 14)
    }

    @Test("another font lays out and draws anew, and a font of a fixed size stays")
    func fixed() {
        label.adjustsFontForContentSizeCategory = true
        label.font = .systemFont(ofSize: 20)
        scene.layoutIfNeeded()
        scene.suppliedTraits.preferredContentSizeCategory = .accessibilityLarge
        scene.layoutIfNeeded()
        #expect(label.font == .systemFont(ofSize: 20))
        label.text = "text"
        #expect(label.needsLayout && label.needsDisplay)
    }
}
