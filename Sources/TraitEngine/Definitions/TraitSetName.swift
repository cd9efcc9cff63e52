// The sets of traits that have a name, usable wherever a list of traits is.

/// A named set of traits.
public enum TraitSetName: String, Sendable, CaseIterable {
    /// UIKit's fixed list, private members included.
    case systemTraitsAffectingColorAppearance
    /// UIKit's fixed list, private members included.
    case systemTraitsAffectingImageLookup
    /// Every trait whose flag says so, custom ones included.
    case affectingColorAppearance
    /// Everything that can be set.
    case all
}

extension TraitDefinitions {
    public func set(_ name: TraitSetName) -> TraitSet {
        switch name {
        case .systemTraitsAffectingColorAppearance: Self.colorAppearance
        case .systemTraitsAffectingImageLookup: Self.imageLookup
        case .affectingColorAppearance: affectingColorAppearance
        case .all: settable
        }
    }

    /// Whether UIKit's traits can be found and set.
    package var hasSystemTraits: Bool { storage.hasSystemTraits }

    /// Whether the set is there: those of UIKit's traits are not without these.
    package func has(_ name: TraitSetName) -> Bool {
        switch name {
        case .systemTraitsAffectingColorAppearance, .systemTraitsAffectingImageLookup:
            hasSystemTraits
        case .affectingColorAppearance, .all: true
        }
    }

    /// The private members: part of the printed lists, but nothing can set them.
    public static let privateTraits = TraitSet(
        (systemCount..<customStart).map { TraitIndex(rawValue: UInt16($0)) })

    private static let colorAppearance = TraitSet(
        SystemTraits.colorAppearanceKeys.compactMap { system.index(of: $0) })
    private static let imageLookup = TraitSet(
        SystemTraits.imageLookupKeys.compactMap { system.index(of: $0) })
}
