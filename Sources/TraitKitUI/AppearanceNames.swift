// UIKit's names of colours, images and fonts.

/// A colour: plain, or a function of a trait collection. The type is ``Color``.
public typealias UIColor = Color

/// A colour as four numbers, independent of traits. The type is ``GraphicsColor``.
public typealias CGColor = GraphicsColor

/// The colours, border and corners around a view's content. The type is ``Layer``.
public typealias CALayer = Layer

/// An image: a name for its pixels, and the traits it was made for. The type is ``Image``.
public typealias UIImage = Image

/// Variants of an image. The type is ``ImageAsset``.
public typealias UIImageAsset = ImageAsset

/// A font: a name, a weight and a size. The type is ``Font``.
public typealias UIFont = Font

/// Scales fonts and lengths with a text style. The type is ``FontMetrics``.
public typealias UIFontMetrics = FontMetrics

/// A description of a font. The type is ``FontDescriptor``.
public typealias UIFontDescriptor = FontDescriptor

/// A layer with a gradient. The type is ``GradientLayer``.
public typealias CAGradientLayer = GradientLayer
