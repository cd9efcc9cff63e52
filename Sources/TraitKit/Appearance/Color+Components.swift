// Colours by hue, in wider gamuts, and the tint; the components of a colour by hue.

public import Foundation

extension Color {
    /// A colour by hue, saturation and brightness, each from 0 to 1 as in UIKit. A hue beyond these
    /// goes round the circle again.
    public convenience init(
        hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat
    ) {
        let hue = Double(hue).isFinite ? Double(hue) : 0
        let saturation = min(max(Double(saturation), 0), 1)
        let brightness = min(max(Double(brightness), 0), 1)
        let circle = (hue - hue.rounded(.down)) * 6
        /// The brightness of a component whose peak is at a place of the circle.
        func component(_ peak: Double) -> Double {
            let distance = abs(circle - peak)
            let nearest = min(distance, 6 - distance)
            return brightness * (1 - saturation * (1 - min(max(2 - nearest, 0), 1)))
        }
        self.init(
            red: component(0), green: component(2), blue: component(4), alpha: Double(alpha))
    }

    /// A colour of Display P3 components. The components are kept as they are: nothing is drawn, so
    /// nothing converts them to sRGB.
    public convenience init(
        displayP3Red red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat
    ) {
        self.init(
            red: Double(red), green: Double(green), blue: Double(blue), alpha: Double(alpha))
    }

    /// The colour that views have as `tintColor` unless one is set: `systemBlue`. The tint of a view
    /// is in the view's own property, since a colour does not know where it is drawn.
    public static let tintColor = systemBlue

    /// Writes hue, saturation, brightness and opacity, from 0 to 1, of the colour resolved against
    /// the current traits. Values that are passed as nil are left out. A gray has the hue 0.
    ///
    /// - Returns: true; UIKit returns false for patterns, which are not there.
    @discardableResult
    public func getHue(
        _ hue: UnsafeMutablePointer<CGFloat>?, saturation: UnsafeMutablePointer<CGFloat>?,
        brightness: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let color = cgColor
        let (red, green, blue) = (color.red, color.green, color.blue)
        let most = max(red, green, blue)
        let spread = most - min(red, green, blue)
        var sixth = 0.0
        if spread > 0 {
            sixth =
                if most == red {
                    (green - blue) / spread
                } else if most == green {
                    (blue - red) / spread + 2
                } else {
                    (red - green) / spread + 4
                }
        }
        hue?.pointee = CGFloat((sixth < 0 ? sixth + 6 : sixth) / 6)
        saturation?.pointee = CGFloat(most > 0 ? spread / most : 0)
        brightness?.pointee = CGFloat(most)
        alpha?.pointee = CGFloat(color.alpha)
        return true
    }
}

extension Color: CustomStringConvertible {
    /// The components of a plain colour; a dynamic colour only says that it is one.
    public var description: String {
        guard let color = plain else { return "dynamic colour" }
        return "colour of sRGB \(color.red) \(color.green) \(color.blue) \(color.alpha)"
    }
}
