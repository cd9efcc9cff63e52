// The colours of a brand, in light and dark, and at high contrast.

import TraitKitUI

extension UIColor {
    convenience init(hex: UInt32, alpha: CGFloat = 1) {
        self.init(
            red: CGFloat((hex >> 16) & 0xFF) / 255, green: CGFloat((hex >> 8) & 0xFF) / 255,
            blue: CGFloat(hex & 0xFF) / 255, alpha: alpha)
    }

    convenience init(light: UIColor, dark: UIColor, highContrast: UIColor? = nil) {
        self.init { traits in
            if traits.accessibilityContrast == .high, let highContrast { return highContrast }
            return traits.userInterfaceStyle == .dark ? dark : light
        }
    }

    static let brand = UIColor(light: UIColor(hex: 0x0A84FF), dark: UIColor(hex: 0x64D2FF))
    static let brandText = UIColor(light: .black, dark: .white, highContrast: .yellow)

    static var card: UIColor {
        UIColor {
            $0.userInterfaceLevel == .elevated
                ? .tertiarySystemBackground : .secondarySystemBackground
        }
    }

    var inverted: UIColor {
        UIColor { traits in
            let style: UIUserInterfaceStyle = traits.userInterfaceStyle == .dark ? .light : .dark
            return self.resolvedColor(
                with: traits.modifyingTraits { $0.userInterfaceStyle = style })
        }
    }

    func hexString(in traits: UITraitCollection = .current) -> String {
        var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
        guard resolvedColor(with: traits).getRed(&red, green: &green, blue: &blue, alpha: &alpha)
        else { return "" }
        return [red, green, blue].map {
            String(Int(($0 * 255).rounded()) + 0x100, radix: 16).suffix(2)
        }.joined()
    }
}
