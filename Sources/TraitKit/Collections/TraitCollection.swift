// UIKit's trait collection: an immutable value with the values of traits.

internal import TraitEngine

/// A collection of traits, such as those of an environment (`UITraitCollection`).
///
///     let traits = TraitCollection { mutableTraits in
///         mutableTraits.userInterfaceIdiom = .phone
///         mutableTraits.horizontalSizeClass = .regular
///     }
///
/// Immutable and usable on any thread. A trait that is absent reads as its default; for system
/// traits, storing the unspecified value is the same as not storing it.
public struct TraitCollection: Sendable {
    /// The values, known to the engine.
    let values: TraitEngine.TraitCollection
    /// The recorder of a tracked method that is running; it gets the traits that are read.
    let reads: ReadRecorder?

    init(_ values: TraitEngine.TraitCollection, reads: ReadRecorder? = nil) {
        self.values = values
        self.reads = reads
    }

    // MARK: - Making

    /// A closure that writes traits (`UITraitCollection.TraitMutations`).
    public typealias TraitMutations = (inout any MutableTraits) -> Void

    /// The empty collection: every trait reads as its default.
    public init() {
        self.init(TraitEngine.TraitCollection())
    }

    /// A collection of the values that the closure writes; the last write of a trait counts.
    /// Reading a trait that was not written returns its default.
    public init(mutations: TraitMutations) {
        self = TraitCollection().modifyingTraits(mutations)
    }

    /// A collection of one trait.
    public init<Definition: TraitDefinition>(
        _ trait: Definition.Type, value: Definition.Value
    ) {
        self = TraitCollection().replacing(trait, value: value)
    }

    /// A copy with the closure's writes. The receiver is untouched.
    public func modifyingTraits(_ mutations: TraitMutations) -> TraitCollection {
        var traits: any MutableTraits = TraitBag(base: self)
        mutations(&traits)
        // The closure may have put something else there: then nothing was written to the bag.
        guard let bag = traits as? TraitBag else { return TraitCollection(values) }
        return TraitCollection(bag.collection)
    }

    /// A copy with one trait written. The receiver is untouched.
    public func replacing<Definition: TraitDefinition>(
        _ trait: Definition.Type, value: Definition.Value
    ) -> TraitCollection {
        modifyingTraits { $0[trait] = value }
    }

    // MARK: - Reading

    /// A trait's value, its default when absent. O(1).
    public subscript<Definition: TraitDefinition>(trait: Definition.Type) -> Definition.Value {
        let (index, coding) = TraitTable.entry(of: trait)
        reads?.insert(index)
        return coding.decode(values[index]) ?? Definition.defaultValue
    }

    /// The values, ready to be compared with others of now: both know all traits.
    var comparable: TraitEngine.TraitCollection { values.adopting(TraitTable.definitions) }
}

extension TraitCollection {
    /// The system traits that influence colours, as iOS 17 prints them, sorted. Four members of
    /// the two sets are private: they print and register with the set, and nothing else.
    ///
    /// Custom traits are not among them, even when they affect the colour appearance.
    public static let systemTraitsAffectingColorAppearance: [TraitKey] =
        SystemTraitTable.types(ofKeys: SystemTraits.colorAppearanceKeys)

    /// The system traits that decide which image of an asset is shown, as iOS 17 prints them,
    /// sorted.
    public static let systemTraitsAffectingImageLookup: [TraitKey] =
        SystemTraitTable.types(ofKeys: SystemTraits.imageLookupKeys)
}
