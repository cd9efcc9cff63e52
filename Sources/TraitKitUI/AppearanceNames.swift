// UIKit's names of colours, images and fonts.

/// ``Color`` under UIKit's name.
public typealias UIColor = Color

/// ``GraphicsColor`` under UIKit's name.
public typealias CGColor = GraphicsColor

/// ``Layer`` under UIKit's name.
public typealias CALayer = Layer

/// ``Image`` under UIKit's name.
public typealias UIImage = Image

/// ``ImageAsset`` under UIKit's name.
public typealias UIImageAsset = ImageAsset

/// ``Font`` under UIKit's name.
public typealias UIFont = Font

/// ``FontMetrics`` under UIKit's name.
public typealias UIFontMetrics = FontMetrics
