// Labels, whose font can follow the text size by itself.

public import Foundation
internal import TraitEngine

/// A view whose fonts can follow the text size (`UIContentSizeCategoryAdjusting`).
@MainActor
public protocol ContentSizeCategoryAdjusting: AnyObject {
    /// Whether fonts that were made for a text style are replaced when the text size of the view's
    /// traits changes. Fonts of a fixed size stay as they are.
    var adjustsFontForContentSizeCategory: Bool { get set }
}

/// A view with a text (`UILabel`), as far as traits are concerned. Nothing is drawn.
open class Label: View, ContentSizeCategoryAdjusting {
    /// The text. A change asks for drawing and for a layout.
    public var text: String? {
        didSet { if text != oldValue { redraw() } }
    }
    /// The font. A change asks for drawing and for a layout.
    public var font = Font.systemFont(ofSize: 17) {
        didSet { if font != oldValue { redraw() } }
    }
    /// The colour of the text; a dynamic one follows the label's traits.
    public var textColor = Color.label {
        didSet { if textColor != oldValue { setNeedsDisplay() } }
    }
    /// Whether a font that was made for a text style, by `Font.preferredFont(forTextStyle:)` or by
    /// `FontMetrics`, follows the text size of the label's traits.
    public var adjustsFontForContentSizeCategory = false {
        didSet { adjustFont() }
    }

    /// A label without text.
    public override init(frame: Rect) {
        super.init(frame: frame)
    }

    /// A label without text. Nothing is decoded: views are not archived.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    private func redraw() {
        setNeedsDisplay()
        setNeedsLayout()
    }

    private func adjustFont() {
        // Read without tracking: no method of the application reads here.
        let traits = TraitCollection(node.shownTraits)
        if adjustsFontForContentSizeCategory { font = font.adjusted(for: traits) }
    }

    override func traitsChanged(_ changed: TraitSet) {
        super.traitsChanged(changed)
        if changed.intersects(Self.textSize) { adjustFont() }
    }

    private static let textSize = TraitTable.traits([TraitPreferredContentSizeCategory.self])
}
