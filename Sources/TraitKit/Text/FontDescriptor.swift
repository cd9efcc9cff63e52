// Descriptions of fonts, from which fonts are made.

/// A description of a font (`UIFontDescriptor`): its name, size, weight and symbolic traits.
public final class FontDescriptor: Sendable {
    /// Traits of a font by name (`UIFontDescriptor.SymbolicTraits`), which are no traits of
    /// environments.
    public typealias SymbolicTraits = FontSymbolicTraits

    /// The size in points.
    public let pointSize: Double
    /// The traits by name.
    public let symbolicTraits: SymbolicTraits
    let name: String
    let weight: Font.Weight

    init(_ name: String, _ size: Double, _ weight: Font.Weight, _ traits: SymbolicTraits) {
        self.name = name
        pointSize = size
        self.weight = weight
        symbolicTraits = traits
    }

    /// A description by name and size.
    public convenience init(name fontName: String, size: Double) {
        self.init(fontName, size, .regular, [])
    }

    /// The system's font for a style, at the size for the application's text size.
    public static func preferredFontDescriptor(
        withTextStyle style: TextStyle
    ) -> FontDescriptor {
        preferredFontDescriptor(withTextStyle: style, compatibleWith: nil)
    }

    /// The system's font for a style, at the size for the traits. Nil means the application's text
    /// size.
    public static func preferredFontDescriptor(
        withTextStyle style: TextStyle, compatibleWith traitCollection: TraitCollection?
    ) -> FontDescriptor {
        Font.preferredFont(forTextStyle: style, compatibleWith: traitCollection).fontDescriptor
    }

    /// The same description with other traits by name. Never nil: fonts are not looked up.
    public func withSymbolicTraits(_ symbolicTraits: SymbolicTraits) -> FontDescriptor? {
        let isBold = symbolicTraits.contains(.traitBold)
        return FontDescriptor(
            name, pointSize, isBold ? .bold : weight == .bold ? .regular : weight, symbolicTraits)
    }

    /// The same description with another size.
    public func withSize(_ newPointSize: Double) -> FontDescriptor {
        FontDescriptor(name, newPointSize, weight, symbolicTraits)
    }
}

extension FontDescriptor: Hashable {
    public static func == (left: FontDescriptor, right: FontDescriptor) -> Bool {
        left.name == right.name && left.pointSize == right.pointSize
            && left.weight == right.weight && left.symbolicTraits == right.symbolicTraits
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(pointSize)
        hasher.combine(weight)
        hasher.combine(symbolicTraits.rawValue)
    }
}

extension Font {
    /// A font of a fixed size from a description; 0 means the size of the description.
    public convenience init(descriptor: FontDescriptor, size pointSize: Double) {
        self.init(
            descriptor.name, pointSize > 0 ? pointSize : descriptor.pointSize, descriptor.weight)
    }

    /// The description of the font.
    public var fontDescriptor: FontDescriptor {
        let isHeavy = weight.rawValue >= Weight.semibold.rawValue
        return FontDescriptor(fontName, pointSize, weight, isHeavy ? .traitBold : [])
    }

    /// The system's font in bold, at a fixed size.
    public static func boldSystemFont(ofSize fontSize: Double) -> Font {
        systemFont(ofSize: fontSize, weight: .bold)
    }

    /// The system's font with digits of one width, at a fixed size.
    public static func monospacedDigitSystemFont(ofSize fontSize: Double, weight: Weight) -> Font {
        systemFont(ofSize: fontSize, weight: weight)
    }
}
