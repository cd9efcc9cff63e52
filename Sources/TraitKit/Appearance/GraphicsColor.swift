// A colour as it is drawn.

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
