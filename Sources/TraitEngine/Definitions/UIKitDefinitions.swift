// The definitions with which every hierarchy begins, made once: a hierarchy without custom traits
// costs no table of its own.

/// The system's definitions with their names. An object, so that each hierarchy's definitions refer to it: asking for
/// `shared` is a call, and the caller would keep its own definitions over it.
final class UIKitDefinitions: Sendable {
    static let shared = UIKitDefinitions()

    /// The public traits, then the private ones.
    let entries = (SystemTraits.definitions + SystemTraits.privateDefinitions).map(
        StoredDefinition.init)
    let names: NameTable
    let affectingColorAppearance: TraitSet

    private init() {
        // These names are fixed, so no client can make them collide.
        var names = NameTable(seed: 0)
        var affectingColorAppearance = TraitSet()
        for (position, entry) in entries.map(\.definition).enumerated() {
            let trait = TraitIndex(rawValue: UInt16(position))
            names.insert(entry, trait)
            if entry.affectsColorAppearance { affectingColorAppearance.insert(trait) }
        }
        for (alias, key) in SystemTraits.keyAliases {
            if let target = names.target(of: key) { names.insert(alias, target: target) }
        }
        for (position, set) in TraitSetName.allCases.enumerated() {
            names.insert(set.rawValue, target: ~Int32(position))
        }
        self.names = names
        self.affectingColorAppearance = affectingColorAppearance
    }
}
