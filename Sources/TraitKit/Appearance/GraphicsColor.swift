// Colours as they are drawn, and the layers that keep them: plain values that follow no traits.

public import Foundation

/// A colour as four numbers, independent of traits (`CGColor`). A gray that was made as one has two
/// `components`. Equal when the four numbers are.
public struct GraphicsColor: Sendable {
    /// The red component of sRGB, from 0 to 1.
    public let red: Double
    /// The green component of sRGB, from 0 to 1.
    public let green: Double
    /// The blue component of sRGB, from 0 to 1.
    public let blue: Double
    /// How opaque the colour is, from 0 to 1.
    public let alpha: Double
    /// Whether the colour was made as a gray.
    private let isGray: Bool

    /// A colour of sRGB components from 0 to 1.
    public init(red: Double, green: Double, blue: Double, alpha: Double) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        isGray = false
    }

    /// A gray, from 0 for black to 1 for white.
    public init(gray: Double, alpha: Double) {
        (red, green, blue, self.alpha) = (gray, gray, gray, alpha)
        isGray = true
    }

    /// The gray and the opacity of a gray, else red, green, blue and opacity, from 0 to 1.
    public var components: [CGFloat]? { isGray ? [red, alpha] : [red, green, blue, alpha] }

    /// How many components there are, the opacity included: two for a gray, else four.
    public var numberOfComponents: Int { isGray ? 2 : 4 }

    /// The same colour with another opacity.
    public func copy(alpha: CGFloat) -> GraphicsColor? { with(alpha: Double(alpha)) }

    func with(alpha: Double) -> GraphicsColor {
        isGray
            ? GraphicsColor(gray: red, alpha: alpha)
            : GraphicsColor(red: red, green: green, blue: blue, alpha: alpha)
    }
}

extension GraphicsColor: Hashable {
    public static func == (left: GraphicsColor, right: GraphicsColor) -> Bool {
        (left.red, left.green, left.blue, left.alpha)
            == (right.red, right.green, right.blue, right.alpha)
    }

    public func hash(into hasher: inout Hasher) {
        for component in [red, green, blue, alpha] { hasher.combine(component) }
    }
}
