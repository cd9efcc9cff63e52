// Every member of UITraitBridgedEnvironmentKey that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

struct ThemeTrait: UITraitDefinition {
    static let defaultValue = 0
}

struct ThemeKey: UITraitBridgedEnvironmentKey {
    static let defaultValue = 0

    static func read(from traitCollection: UITraitCollection) -> Int {
        traitCollection[ThemeTrait.self]
    }

    static func write(to mutableTraits: inout UIMutableTraits, value: Int) {
        mutableTraits[ThemeTrait.self] = value
    }
}

@MainActor func use(_ view: UIView) {
    //: read(from:)
    let value = ThemeKey.read(from: UITraitCollection())
    _ = value
    //: write(to:value:)
    var traits: any UIMutableTraits = view.traitOverrides
    ThemeKey.write(to: &traits, value: 2)
}
