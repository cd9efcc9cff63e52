// Where a resolved value came from: the question that UIKit answers for no trait but one.

/// The inputs of a node, the later ones win; `default` is what holds when no node sets a trait.
public enum Layer: UInt8, Hashable, Comparable, Sendable, CaseIterable, BitwiseCopyable {
    /// The trait's default value.
    case `default`
    /// Values that a detached tree inherited last, pinned at its root.
    case kept
    /// Values that the system or a container supplies for this node.
    case supplied
    /// The supplied or inherited content size category, moved into the node's limits.
    case limited
    /// Values that a parent controller set for its child, or a presentation for its presented content.
    case legacyCollection
    /// The style that the node overrides by itself.
    case legacyStyle
    /// The node's trait overrides.
    case override

    public var name: String {
        switch self {
        case .default: "default"
        case .kept: "kept"
        case .supplied: "supplied"
        case .limited: "contentSizeCategoryLimit"
        case .legacyCollection: "overrideTraitCollection"
        case .legacyStyle: "overrideUserInterfaceStyle"
        case .override: "override"
        }
    }

    public static func < (left: Layer, right: Layer) -> Bool { left.rawValue < right.rawValue }
}

/// The layer, node and revision that a resolved value comes from.
public struct Source: Hashable, Sendable {
    public let kind: Layer
    /// The node that sets the value; nil for the default, and when the node has been deleted.
    public let node: NodeIndex?
    /// The revision that set the value there; nil for the default.
    public let revision: Int64?
    /// The node that set a value which is still shown, when it has been deleted since.
    public let deletedNode: DeletedNode?

    public init(
        kind: Layer, node: NodeIndex?, revision: Int64?, deletedNode: DeletedNode? = nil
    ) {
        self.kind = kind
        self.node = node
        self.revision = revision
        self.deletedNode = deletedNode
    }

    public static let `default` = Source(kind: .default, node: nil, revision: nil)
}

/// A resolved value and what decided it.
public struct Resolution: Hashable, Sendable {
    public let value: TraitValue
    public let source: Source

    public init(value: TraitValue, source: Source) {
        self.value = value
        self.source = source
    }
}

/// One step of the explanation of a value, see `Hierarchy.chain(of:at:includeAbsent:)`.
public struct ChainEntry: Hashable, Sendable {
    public enum Status: String, Hashable, Sendable {
        /// This is the value that holds.
        case winner
        /// Something nearer sets the trait.
        case shadowed
        /// The node does not set the trait.
        case absent
    }

    /// Nil for the default, and when the node has been deleted.
    public let node: NodeIndex?
    /// The node, when it has been deleted while its value is still shown.
    public let deletedNode: DeletedNode?
    public let layer: Layer
    /// Nil when absent.
    public let value: TraitValue?
    public let status: Status
    /// The revision that set the value; nil when absent and for the default.
    public let revision: Int64?

    public init(
        node: NodeIndex?, layer: Layer, value: TraitValue?, status: Status, revision: Int64?,
        deletedNode: DeletedNode? = nil
    ) {
        self.node = node
        self.deletedNode = deletedNode
        self.layer = layer
        self.value = value
        self.status = status
        self.revision = revision
    }
}
