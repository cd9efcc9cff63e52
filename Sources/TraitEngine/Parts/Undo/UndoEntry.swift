// One primitive change, as what it replaced: enough to undo it.

/// An entry of the undo log: 32 bytes.
///
/// Siblings are given by the one before: -1 for the first place. Slots are -1 for none.
enum UndoEntry: BitwiseCopyable {
    case created(node: Int32)
    /// The node had another trait parent.
    case moved(node: Int32, parent: Int32, previous: Int32, structuralParent: Int32)
    /// The node had another structural parent, and the same trait parent.
    case restructured(node: Int32, structuralParent: Int32)
    case reordered(node: Int32, previous: Int32)
    case paired(view: Int32, controller: Int32)
    case labelled(node: Int32, label: Int32)
    case value(ReplacedValue)
    /// The structural subtree of `node` was marked as deleted.
    case marked(node: Int32)
    /// A deleted node was taken out of its trait parent's children.
    case buried(node: Int32, parent: Int32, previous: Int32)
    case registered(Int32)
    /// A registration or watch ended; `earlier` is the one before it among all registrations.
    case ended(Int32, earlier: Int32)
    /// The trait was defined. `definitions` is the slot of the definitions before, here and below.
    case defined(TraitIndex, definitions: Int32)
    case undefined(TraitIndex, definitions: Int32)
    /// The trait has another definition; `redefinition` is the slot of what undoing needs.
    case redefined(TraitIndex, definitions: Int32, redefinition: Int32)
    /// An environment key, colour or image changed.
    case renamed(definitions: Int32)
    /// The node had another name, which the slot has.
    case nodeRenamed(node: Int32, name: Int32)
    /// The trait had another key, which the slot `name` has.
    case traitRenamed(TraitIndex, name: Int32, definitions: Int32)
    case scopeMade(Int32)
    /// `copy` is the slot of the scope as it was.
    case scopeChanged(Int32, copy: Int32)
    case scopeStale(Int32)
    case scopeEnded(Int32, earlier: Int32)
    /// A node of a layout hierarchy took another frame or other marks.
    case layout(ReplacedLayout)
    /// Limits of the node's content size category.
    case limited(node: Int32, ContentSizeLimits)
}

/// The value that a node had in a layer before the transaction.
struct ReplacedValue: BitwiseCopyable {
    var old: StoredValue?
    var node: Int32
    /// The node's next older value entry, relative to the transaction's start; -1 for none.
    var next: Int32
    var trait: UInt16
    var layer: Layer
}

/// How a node of a layout hierarchy was; see `LayoutNode`.
struct ReplacedLayout: BitwiseCopyable {
    var changed: UInt64
    var seen: UInt64
    var node: Int32
    /// The frame that the node showed, with its reference; -1 when it still shows it.
    var frame: Int32
    var flags: LayoutFlags
}
