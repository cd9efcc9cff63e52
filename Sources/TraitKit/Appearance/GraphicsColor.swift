// A colour as it is drawn.

/// Four numbers that depend on nothing: what graphics code keeps. Stands for `CGColor`.
public struct GraphicsColor: Hashable, Sendable {
    /// Components of sRGB from 0 to 1.
    public let red: Double
    /// Green, likewise.
    public let green: Double
    /// Blue, likewise.
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
