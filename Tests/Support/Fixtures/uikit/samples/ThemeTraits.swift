// Custom traits in the forms that apps declare them in.

import TraitKitUI

enum AppTheme: String, CaseIterable, Sendable {
    case classic, midnight, solar

    var accentColor: UIColor {
        switch self {
        case .classic: .systemBlue
        case .midnight: .systemIndigo
        case .solar: .systemOrange
        }
    }
}

struct AppThemeTrait: UITraitDefinition {
    typealias Value = AppTheme
    static let defaultValue: AppTheme = .classic
    static let affectsColorAppearance: Bool = true
    static let identifier = "com.example.samples.theme"
    static var name: String { "App theme" }
}

private enum Traits {
    struct IsContained: UITraitDefinition {
        static let defaultValue = false
    }

    enum Density: UITraitDefinition {
        static var defaultValue: Double { 1 }
    }
}

final class AccountTrait: UITraitDefinition {
    final class Account: Sendable {
        let name: String
        init(name: String) { self.name = name }
    }

    static let defaultValue: Account? = nil
}

extension UITraitCollection {
    var appTheme: AppTheme { self[AppThemeTrait.self] }
    var isContained: Bool { self[Traits.IsContained.self] }
    var density: Double { self[Traits.Density.self] }
    var account: AccountTrait.Account? { self[AccountTrait.self] }
}

extension UIMutableTraits {
    var appTheme: AppTheme {
        get { self[AppThemeTrait.self] }
        set { self[AppThemeTrait.self] = newValue }
    }

    var isContained: Bool {
        get { self[Traits.IsContained.self] }
        set { self[Traits.IsContained.self] = newValue }
    }

    var density: Double {
        get { self[Traits.Density.self] }
        set { self[Traits.Density.self] = newValue }
    }

    var account: AccountTrait.Account? {
        get { self[AccountTrait.self] }
        set { self[AccountTrait.self] = newValue }
    }
}

let themeTraits: [UITrait] = [AppThemeTrait.self, UITraitUserInterfaceStyle.self]
