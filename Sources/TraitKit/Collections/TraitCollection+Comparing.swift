// Comparing collections: the traits that differ, and whether colours depend on them.

internal import TraitEngine

extension TraitCollection {
    /// The traits whose values differ between the collections, custom traits included, in the order
    /// of their definition. Compared with nil, the traits whose value is not the default.
    /// `a.changedTraits(from: b)` and `b.changedTraits(from: a)` are the same. O(traits).
    public func changedTraits(from traitCollection: TraitCollection?) -> [TraitKey] {
        noteReadOfAll()
        traitCollection?.noteReadOfAll()
        return TraitTable.types(comparable.changedTraits(from: traitCollection?.comparable))
    }

    /// Whether the collections differ in a trait with `affectsColorAppearance`, custom traits
    /// included. Nil counts as the empty collection. O(traits).
    public func hasDifferentColorAppearance(
        comparedTo traitCollection: TraitCollection?
    ) -> Bool {
        let affecting = TraitTable.definitions.affectingColorAppearance
        reads?.insert(affecting)
        traitCollection?.reads?.insert(affecting)
        return comparable.hasDifferentColorAppearance(comparedTo: traitCollection?.comparable)
    }

    /// Comparing whole collections reads all of their traits.
    private func noteReadOfAll() {
        reads?.insert(TraitTable.definitions.settable)
    }
}

extension TraitCollection: Hashable {
    /// Equal when every trait reads equal in both.
    public static func == (left: TraitCollection, right: TraitCollection) -> Bool {
        left.noteReadOfAll()
        right.noteReadOfAll()
        return left.comparable == right.comparable
    }

    /// Collections are values, so equal ones count as the same.
    public static func === (left: TraitCollection, right: TraitCollection) -> Bool { left == right }

    public func hash(into hasher: inout Hasher) {
        noteReadOfAll()
        values.hash(into: &hasher)
    }
}

// MARK: - Deprecated since iOS 17

extension TraitCollection {
    /// Merges collections: each system trait comes from the last one that specifies it; custom
    /// traits are not merged but come from the first alone. None give the empty collection.
    ///
    /// Deprecated since iOS 17: with `modifyingTraits` it is clearer which value wins.
    public init(traitsFrom traitCollections: [TraitCollection]) {
        self.init(TraitEngine.TraitCollection(merging: traitCollections.map(\.comparable)))
    }

    /// Whether every system trait that the other collection specifies has the same value here.
    /// Custom traits do not count. Everything contains nil and the empty collection.
    ///
    /// Deprecated since iOS 17.
    public func containsTraits(in trait: TraitCollection?) -> Bool {
        noteReadOfAll()
        return comparable.contains(trait?.comparable)
    }
}

extension TraitCollection: CustomStringConvertible, CustomDebugStringConvertible {
    /// The values that are not the default, with UIKit's short names, such as `<TraitCollection:
    /// UserInterfaceStyle = Dark, DisplayScale = 3>`. Reading the description makes no trait a
    /// dependency.
    public var description: String {
        // The engine prints UIKit's own name.
        let printed = values.description
        return "<" + printed.drop { $0 != "T" }
    }
    /// The same text as `description`.
    public var debugDescription: String { description }
}
