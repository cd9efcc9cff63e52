// What the open transaction and unacknowledged commits need, and no snapshot.

struct Transaction: ~Copyable {
    var isOpen = false
    var journal = Journal()
    var log = UndoLog()
    var definitionCopies = SlotArray<TraitDefinitions>()
    /// The digest's sums before the open transaction.
    var sumsBefore = StateDigest()
    /// While operations are being undone.
    var isUndoing = false
    /// Values of one node, unpacked for a moment.
    var entries: ContiguousArray<RecordEntry> = []
    /// Whether indices of deleted traits wait to be used again.
    var hasRetiredTraits = false
    // The trait tree and the structural tree, for transactions that measure much; see `tourHeight`.
    var traitTour: EulerTour?
    var structuralTour: EulerTour?
}
