// The content of cells in lists: texts and an image, with the fonts and colours of the system.

/// Texts and an image for a cell (`UIListContentConfiguration`).
///
/// The content view has a label for each text and an image view. Their fonts follow the text size,
/// their colours and the image the other traits of the cell.
public struct ListContentConfiguration: ContentConfiguration, Hashable {
    /// How a text looks (`UIListContentConfiguration.TextProperties`).
    public struct TextProperties: Hashable, Sendable {
        /// The font.
        public var font: Font
        /// The colour; a dynamic one follows the cell's traits.
        public var color: Color
        /// Whether the font follows the text size.
        public var adjustsFontForContentSizeCategory = true
        /// The most lines of text; 0 for any number.
        public var numberOfLines = 0
    }

    /// How the image looks (`UIListContentConfiguration.ImageProperties`).
    public struct ImageProperties: Hashable, Sendable {
        /// The tint of the image; nil for that of the cell.
        public var tintColor: Color?
    }

    /// The text.
    public var text: String?
    /// The second text.
    public var secondaryText: String?
    /// The image.
    public var image: Image?
    /// How the text looks.
    public var textProperties: TextProperties
    /// How the second text looks.
    public var secondaryTextProperties: TextProperties
    /// How the image looks.
    public var imageProperties = ImageProperties()

    private init(_ style: TextStyle, _ secondary: TextStyle, _ secondaryColor: Color) {
        textProperties = TextProperties(font: .preferredFont(forTextStyle: style), color: .label)
        secondaryTextProperties = TextProperties(
            font: .preferredFont(forTextStyle: secondary), color: secondaryColor)
    }

    /// The look of a cell.
    public static func cell() -> ListContentConfiguration {
        ListContentConfiguration(.body, .caption1, .label)
    }

    /// The look of a cell with a second text below.
    public static func subtitleCell() -> ListContentConfiguration { cell() }

    /// The look of a cell with a second text at the trailing edge.
    public static func valueCell() -> ListContentConfiguration {
        ListContentConfiguration(.body, .body, .secondaryLabel)
    }

    /// The configuration for a state: the same for all states.
    public func updated(for state: any ConfigurationState) -> ListContentConfiguration { self }

    /// Makes a view with the texts and the image.
    public func makeContentView() -> View {
        let view = View()
        if let image {
            let imageView = ImageView(image: image)
            if let tint = imageProperties.tintColor { imageView.tintColor = tint }
            view.addSubview(imageView)
        }
        if let text { view.addSubview(label(text, textProperties)) }
        if let secondaryText { view.addSubview(label(secondaryText, secondaryTextProperties)) }
        return view
    }

    @MainActor
    private func label(_ text: String, _ properties: TextProperties) -> Label {
        let label = Label()
        label.text = text
        label.textColor = properties.color
        label.numberOfLines = properties.numberOfLines
        label.font = properties.font
        label.adjustsFontForContentSizeCategory = properties.adjustsFontForContentSizeCategory
        return label
    }
}
