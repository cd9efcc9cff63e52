// Bars and what they would show. Nothing is drawn.

public import Foundation

/// The superclass of bars.
@preconcurrency @MainActor
open class Bar: View {
    /// The colour behind the items.
    @Kept open var barTintColor: Color?
    /// Whether what is behind the bar is seen through it.
    @Kept open var isTranslucent = true
    /// Whether titles are large.
    @Kept open var prefersLargeTitles = false
    /// The attributes of titles.
    @Kept open var titleTextAttributes: [NSAttributedString.Key: Any]?
    /// The looks of the bar.
    @Kept open var standardAppearance = BarAppearance()
    /// The looks in compact height; nil for the standard ones.
    @Kept open var compactAppearance: BarAppearance?
    /// The looks while content touches the bar; nil for the standard ones.
    @Kept open var scrollEdgeAppearance: BarAppearance?
}

/// The looks of a bar (`UIBarAppearance`), and of each kind of bar.
@preconcurrency @MainActor
open class BarAppearance {
    /// The colour behind the items, and that of the line below them.
    open var backgroundColor: Color?, shadowColor: Color? = Color.separator
    /// The attributes of titles.
    open var titleTextAttributes: [NSAttributedString.Key: Any] = [:],
        largeTitleTextAttributes: [NSAttributedString.Key: Any] = [:]

    /// The system's looks.
    public init() { configureWithDefaultBackground() }

    /// A background of a material.
    open func configureWithDefaultBackground() {
        (backgroundColor, shadowColor) = (nil, .separator)
    }

    /// A background of a colour.
    open func configureWithOpaqueBackground() {
        (backgroundColor, shadowColor) = (.systemBackground, .separator)
    }

    /// No background.
    open func configureWithTransparentBackground() {
        (backgroundColor, shadowColor) = (nil, nil)
    }
}

extension NSAttributedString.Key {
    /// The keys of text, as UIKit names them.
    public static let foregroundColor = Self("NSColor"), font = Self("NSFont"),
        kern = Self("NSKern"),
        backgroundColor = Self("NSBackgroundColor"), paragraphStyle = Self("NSParagraphStyle")
}

/// What a tab bar would show for a controller (`UITabBarItem`).
@preconcurrency @MainActor
open class TabBarItem: BarItem {
    /// The text on the item, and the colour behind it.
    open var badgeValue: String?, badgeColor: Color?

    /// An item with a title and an image.
    public init(title: String?, image: Image?, tag: Int) {
        super.init()
        (self.title, self.image, self.tag) = (title, image, tag)
    }
}
