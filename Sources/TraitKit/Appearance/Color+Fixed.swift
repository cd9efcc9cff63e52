// Colours that are the same for all traits, with the values of UIKit's documentation, and the
// initializer that makes the system's dynamic colours of variants.

extension Color {
    /// Colours that are the same for all traits.
    public static let brown = Color(red: 0.6, green: 0.4, blue: 0.2),
        cyan = Color(red: 0, green: 1, blue: 1),
        magenta = Color(red: 1, green: 0, blue: 1), orange = Color(red: 1, green: 0.5, blue: 0),
        purple = Color(red: 0.5, green: 0, blue: 0.5), yellow = Color(red: 1, green: 1, blue: 0),
        darkGray = Color(white: 1.0 / 3), gray = Color(white: 0.5),
        lightGray = Color(white: 2.0 / 3)

    /// A dynamic colour of the system: by style, contrast and, if it has such variants, by level.
    /// An unspecified style counts as light, as it does in UIKit.
    ///
    /// - Parameters:
    ///   - light: components of sRGB as `0xRRGGBB`; so are the others.
    ///   - alphas: opacities from 0 to 255, in the order of the first four colours.
    static func system(
        light: UInt32, dark: UInt32, lightContrast: UInt32, darkContrast: UInt32,
        alphas: (Double, Double, Double, Double) = (255, 255, 255, 255),
        darkElevated: UInt32? = nil, darkElevatedContrast: UInt32? = nil
    ) -> Color {
        let plain = [
            Color(light, alphas.0), Color(dark, alphas.1), Color(lightContrast, alphas.2),
            Color(darkContrast, alphas.3),
        ]
        let elevated = darkElevated.map { Color($0, 255) }
        let elevatedContrast = darkElevatedContrast.map { Color($0, 255) }
        return Color { traits in
            let isHigh = traits.accessibilityContrast == .high
            guard traits.userInterfaceStyle == .dark else { return plain[isHigh ? 2 : 0] }
            if let elevated, traits.userInterfaceLevel == .elevated {
                return isHigh ? elevatedContrast ?? elevated : elevated
            }
            return plain[isHigh ? 3 : 1]
        }
    }

    private convenience init(_ components: UInt32, _ alpha: Double) {
        let red = components >> 16 & 0xFF
        let (green, blue) = (components >> 8 & 0xFF, components & 0xFF)
        self.init(
            cgColor: red == green && green == blue
                ? GraphicsColor(gray: Double(red) / 255, alpha: alpha / 255)
                : GraphicsColor(
                    red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255,
                    alpha: alpha / 255))
    }
}
