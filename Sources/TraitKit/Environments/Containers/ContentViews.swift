// Views that show one thing: buttons, whose configuration is tracked, labels, whose font can follow
// the text size, and image views, whose image follows the traits.

public import Foundation
internal import TraitEngine

/// A button (`UIButton`), as far as traits are concerned.
@preconcurrency @MainActor
open class Button: Control {
    /// Updates the configuration of a button (`UIButton.ConfigurationUpdateHandler`).
    public typealias ConfigurationUpdateHandler = @MainActor (Button) -> Void

    /// Runs after `updateConfiguration()`, and is tracked with it.
    open var configurationUpdateHandler: ConfigurationUpdateHandler? {
        didSet { setNeedsUpdateConfiguration() }
    }

    /// What the button shows, in one value. A change asks for `updateConfiguration()`.
    open var configuration: Configuration? {
        didSet { if configuration != oldValue { setNeedsUpdateConfiguration() } }
    }

    /// The kind of the button.
    public internal(set) var buttonType = ButtonType.custom
    /// The values for each state.
    var contents: [UInt: Content] = [:]
    /// The label of the title. In the button from its first use on.
    public private(set) lazy var titleLabel: Label? = {
        let label = node.hierarchy.perform { Label() }
        addSubview(label)
        return label
    }()

    override func stateChanged() { setNeedsUpdateConfiguration() }

    public override init(frame: Rect) {
        super.init(frame: frame)
        setNeedsUpdateConfiguration()
    }

    /// A view as `init(frame:)` makes it. Nothing is decoded: views are not archived.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        setNeedsUpdateConfiguration()
    }

    /// Updates what the button shows. Traits of the button that are read here are tracked; when one
    /// changes, the method runs again (iOS 18).
    open func updateConfiguration() {}

    /// Asks for `updateConfiguration()` in the next update.
    open func setNeedsUpdateConfiguration() { wait(for: .configuration) }

    override func invalidate(_ method: TrackedMethod) {
        super.invalidate(method)
        if method == .updateConfiguration { setNeedsUpdateConfiguration() }
    }

    override func runConfiguration() {
        track(.updateConfiguration) {
            updateConfiguration()
            configurationUpdateHandler?(self)
        }
    }
}

/// A view whose fonts can follow the text size (`UIContentSizeCategoryAdjusting`).
@preconcurrency @MainActor
public protocol ContentSizeCategoryAdjusting: AnyObject {
    /// Whether fonts that were made for a text style are replaced when the text size of the view's
    /// traits changes. Fonts of a fixed size stay as they are.
    var adjustsFontForContentSizeCategory: Bool { get set }
}

/// A view with a text (`UILabel`), as far as traits are concerned. Nothing is drawn.
@preconcurrency @MainActor
open class Label: View, ContentSizeCategoryAdjusting {
    /// The text. A change asks for drawing and for a layout.
    open var text: String? {
        didSet { if text != oldValue { redraw() } }
    }
    /// The font. A change asks for drawing and for a layout.
    /// Nil is the font of a new label again.
    open var font: Font! {
        get { keptFont ?? .systemFont(ofSize: 17) }
        set {
            let old = font
            keptFont = newValue
            if font != old { redraw() }
        }
    }
    @Kept private var keptFont: Font?
    /// The colour of the text; a dynamic one follows the label's traits.
    /// Nil is the colour of a new label again.
    open var textColor: Color! {
        get { keptTextColor ?? .label }
        set {
            let old = textColor
            keptTextColor = newValue
            if textColor != old { setNeedsDisplay() }
        }
    }
    @Kept private var keptTextColor: Color?
    /// How the text is aligned.
    @Kept open var textAlignment = TextAlignment.natural
    /// How lines break.
    @Kept open var lineBreakMode = LineBreakMode.byTruncatingTail
    /// Whether the text is that of a selected cell.
    @Kept open var isHighlighted = false
    /// The colour of the text in a selected cell.
    @Kept open var highlightedTextColor: Color?
    /// Whether the text can be used.
    @Kept open var isEnabled = true

    /// The most lines of text; 0 for any number.
    open var numberOfLines = 1 {
        didSet { if numberOfLines != oldValue { redraw() } }
    }
    /// Whether a font that was made for a text style, by `Font.preferredFont(forTextStyle:)` or by
    /// `FontMetrics`, follows the text size of the label's traits.
    open var adjustsFontForContentSizeCategory = false {
        didSet { adjustFont() }
    }

    private func redraw() {
        setNeedsDisplay()
        setNeedsLayout()
    }

    private func adjustFont() {
        // Read without tracking: no method of the application reads here.
        let traits = TraitCollection(node.shownTraits)
        guard adjustsFontForContentSizeCategory else { return }
        let isOwn = _keptFont.isOwn
        font = font.adjusted(for: traits)
        _keptFont.isOwn = isOwn
    }

    override func traitsChanged(_ change: ShownChange) {
        super.traitsChanged(change)
        if change.changed.intersects(Self.textSize) { adjustFont() }
    }

    static let textSize = TraitTable.traits([TraitPreferredContentSizeCategory.self])
}

/// A view that shows an image (`UIImageView`). An image with an asset is replaced by the asset's
/// best image for the view's traits, whenever a trait that affects image lookup changes.
@preconcurrency @MainActor
open class ImageView: View {
    /// The image as it was set.
    open var image: Image? {
        didSet { chooseImage() }
    }
    /// The image that is shown.
    public private(set) var shownImage: Image?

    /// A view that shows an image.
    public init(image: Image?) {
        super.init(frame: .zero)
        self.image = image
        chooseImage()
    }

    /// A view without an image.
    public override init(frame: Rect) {
        super.init(frame: frame)
    }

    /// A view without an image. Nothing is decoded: views are not archived.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    private func chooseImage() {
        // Read without tracking: no method of the application reads here.
        let traits = TraitCollection(node.shownTraits)
        let chosen = image.map { $0.variants?.best(for: traits) ?? $0 }
        if chosen == shownImage { return }
        shownImage = chosen
        setNeedsDisplay()
    }

    override func traitsChanged(_ change: ShownChange) {
        super.traitsChanged(change)
        let lookup = TraitTable.traits(TraitCollection.systemTraitsAffectingImageLookup)
        if change.changed.intersects(lookup) { chooseImage() }
    }
}
