// Four members of UIKit's printed sets that no public header declares. They are there so that the
// sets print and register as UIKit's do; programs cannot name, set or observe them singly.

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
