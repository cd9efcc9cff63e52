// What a commit redefines, for its notes and for undoing it.

/// A redefinition, with what undoing it needs.
struct Redefinition {
    /// The slot of the former definition, with a reference to the former default.
    let slot: TraitSlot
    /// The former value of each new word; nil when no word has changed. Each word keeps a reference to the pool, so
    /// that it stands for the same value until the redefinition is undone.
    let back: [UInt64: TraitValue]?
    /// Whether values became other ones. Then the undo entries behind this one put the values of nodes back, and
    /// `back` is for frames alone.
    var changesValues = false
    /// Frames whose values had no new ones. No living node shows them.
    var stale: Set<Int32> = []
}

/// A trait that the open transaction redefined.
struct RedefinedTrait {
    /// The definition before the transaction.
    let original: TraitDefinition
    /// The word of the default before the transaction, as the trait's words are now.
    var defaultBefore: UInt64
    /// What made values of the present definition of those before the transaction, in order; empty where values are
    /// what they were.
    var changes: [(TraitValue) -> TraitValue?] = []
    /// The word before the transaction for each word in frames that is another value now.
    var formerWords: [UInt64: UInt64] = [:]
}

/// Values of a trait became positions in the pool with the undo entry at `position`; entries before it have plain
/// words.
struct Pooling: BitwiseCopyable {
    let position: Int
    let trait: UInt16
}
