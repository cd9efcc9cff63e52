// Colours as they are drawn, and the layers that keep them: plain values that follow no traits.

public import Foundation

/// A colour as four numbers, independent of traits (`CGColor`).
public struct GraphicsColor: Hashable, Sendable {
    /// The red component of sRGB, from 0 to 1.
    public let red: Double
    /// The green component of sRGB, from 0 to 1.
    public let green: Double
    /// The blue component of sRGB, from 0 to 1.
    public let blue: Double
    /// How opaque the colour is, from 0 to 1.
    public let alpha: Double

    /// A colour of sRGB components from 0 to 1.
    public init(red: Double, green: Double, blue: Double, alpha: Double) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}

/// The colours, border and corners around a view's content (`CALayer`). Nothing is drawn.
///
/// A layer takes plain colours, so it follows no traits. Set its colours where the traits are at
/// hand, such as in a tracked method or in a handler for
/// `TraitCollection.systemTraitsAffectingColorAppearance`.
@preconcurrency @MainActor
open class Layer {
    /// The colour behind the content.
    public var backgroundColor: GraphicsColor?
    /// The colour of the border.
    public var borderColor: GraphicsColor?
    /// The width of the border in points.
    public var borderWidth = 0.0
    /// The radius of the corners in points.
    public var cornerRadius = 0.0
    /// The colour of the shadow.
    public var shadowColor: GraphicsColor?

    /// A layer without colours.
    public required init() {}
}

/// A layer with a gradient (`CAGradientLayer`): its colours are kept, nothing is drawn.
open class GradientLayer: Layer {
    /// The colours, as objects of `GraphicsColor`.
    open var colors: [Any]?
    /// The place of each colour, from 0 to 1.
    open var locations: [NSNumber]?
    /// Where the gradient begins.
    open var startPoint = CGPoint(x: 0.5, y: 0)
    /// Where the gradient ends.
    open var endPoint = CGPoint(x: 0.5, y: 1)
}

extension Layer: Hashable {
    /// Equal when they are the same object.
    public nonisolated static func == (left: Layer, right: Layer) -> Bool { left === right }

    public nonisolated func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
