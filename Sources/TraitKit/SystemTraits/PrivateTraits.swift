// Four members of UIKit's printed sets that no public header declares. They are there so that the
// sets print and register as UIKit's do; nobody can name, set or observe them by themselves.

struct TraitArtworkSubtype: TraitDefinition {
    static let defaultValue = 0
}

struct TraitSelectionIsKey: TraitDefinition {
    static let defaultValue = 0
}

struct TraitUserInterfaceRenderingMode: TraitDefinition {
    static let defaultValue = 0
}

struct TraitVibrancy: TraitDefinition {
    static let defaultValue = 0
}
