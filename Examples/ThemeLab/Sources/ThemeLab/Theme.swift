// The app's own trait: which theme it shows. One declaration, and properties so that it reads like
// the system's.

import TraitKitUI

public enum Theme: Int, CaseIterable, Sendable {
    case standard, pastel, monochrome
}

public struct ThemeTrait: UITraitDefinition {
    public static let defaultValue = Theme.standard
    // Views draw anew when the theme changes, so that colours that depend on it follow.
    public static let affectsColorAppearance = true
    public static let name = "Theme"
    public static let identifier = "com.example.themelab.theme"
}

extension UITraitCollection {
    public var theme: Theme { self[ThemeTrait.self] }
}

extension UIMutableTraits {
    public var theme: Theme {
        get { self[ThemeTrait.self] }
        set { self[ThemeTrait.self] = newValue }
    }
}

extension UIColor {
    /// The colour behind cards: by theme, and for the standard one by style and level.
    public static let card = UIColor { traits in
        switch traits.theme {
        case .standard: .secondarySystemBackground
        case .pastel: traits.userInterfaceStyle == .dark ? .systemIndigo : .systemMint
        case .monochrome: .systemGray
        }
    }
}
