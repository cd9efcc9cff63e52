// The app's own trait: its theme. Besides the declaration there are properties, so that the trait
// reads like a system trait.

import TraitKitUI

public enum Theme: Int, CaseIterable, Sendable {
    case standard, pastel, monochrome
}

public struct ThemeTrait: UITraitDefinition {
    public static let defaultValue = Theme.standard
    // Views draw again when the theme changes, since colours depend on it.
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
    /// The colour behind cards: by theme and style, and for the standard theme also by level.
    public static let card = UIColor { traits in
        switch traits.theme {
        case .standard: .secondarySystemBackground
        case .pastel: traits.userInterfaceStyle == .dark ? .systemIndigo : .systemMint
        case .monochrome: .systemGray
        }
    }
}
