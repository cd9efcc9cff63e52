// The kinds of operations, and how many of each a commit has.

import JSONCodec
import TraitEngine
import TraitJSON

/// The operations of a transaction, by their name in `op`, with the members that each has. Decoding, the log, history
/// and the interface's document all read this table.
package enum OperationKind: String, CaseIterable, Sendable {
    case createNode, updateNode, deleteNode
    case setOverride, removeOverride, setSupplied, removeSupplied
    case defineTrait, deleteTrait
    case register, unregister
    case layout, updateTraitsIfNeeded
    case setScope, removeScope
    case defineEnvironmentKey, deleteEnvironmentKey, setEnvironment, removeEnvironment
    case defineColor, deleteColor, defineImage, deleteImage
    case moveNode
    case updateTrait
    case renameNode, renameTrait
    // Entries have operations of the other kinds in place of these.
    case putNode, putTrait, clearOverrides, copyNode, setDevice

    /// The members beside `op`, those that are required first.
    package var members: (required: [StaticString], optional: [StaticString]) {
        switch self {
        case .moveNode: (["node"], ["parent", "before", "after"])
        case .renameNode: (["node", "to"], [])
        case .renameTrait: (["trait", "to"], [])
        case .copyNode:
            (["node"], ["to", "prefix", "parent", "before", "after", "registrations", "depth"])
        case .setDevice: (["node", "device"], ["orientation", "split", "settings"])
        case .putNode:
            (["node"], ["kind", "parent", "controller", "label", "overrides", "supplied"])
        case .createNode:
            (["node", "kind"], ["parent", "controller", "label", "overrides", "supplied"])
        case .updateNode: (["node"], ["parent", "controller", "label"])
        case .deleteNode, .updateTraitsIfNeeded, .clearOverrides: (["node"], [])
        case .setOverride: (["node", "trait", "value"], ["expiresAt", "ttl", "over", "under"])
        case .setSupplied: (["node", "trait", "value"], [])
        case .removeOverride: (["node", "trait"], ["under"])
        case .removeSupplied: (["node", "trait"], [])
        case .defineTrait, .putTrait: (["trait", "definition"], [])
        case .deleteTrait: (["trait"], [])
        case .updateTrait: (["trait", "patch"], [])
        case .register:
            (["registration", "node"], ["traits", "set", "colors", "images", "label", "ttl"])
        case .unregister: (["registration"], [])
        case .layout: ([], [])
        case .setScope: (["node", "scope", "reads"], [])
        case .removeScope: (["node", "scope"], [])
        case .defineEnvironmentKey: (["key", "definition"], [])
        case .deleteEnvironmentKey: (["key"], [])
        case .setEnvironment: (["node", "key", "value"], [])
        case .removeEnvironment: (["node", "key"], [])
        case .defineColor: (["color", "definition"], [])
        case .deleteColor: (["color"], [])
        case .defineImage: (["image", "definition"], [])
        case .deleteImage: (["image"], [])
        }
    }

    static let names = allCases.map(\.rawValue).joined(separator: ", ")

    /// The kind of that name. Compares bytes; no string is made.
    package init?(_ name: some Collection<UInt8>) {
        guard let kind = Self.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) }) else {
            return nil
        }
        self = kind
    }
}

/// How many operations of each kind a commit has.
package struct OperationCounts: Sendable {
    package private(set) var total = 0
    /// Whether traits were defined, changed or deleted. Kept, as each commit is asked for it.
    private(set) var changesDefinitions = false
    /// Whether nodes or traits got other names. Kept for the same reason.
    package private(set) var changesNames = false
    /// The first kind and those after it, so that the many commits with one operation need no
    /// array.
    private var first: (kind: OperationKind, count: Int)?
    private var others: [(kind: OperationKind, count: Int)] = []

    mutating func add(_ kind: OperationKind) {
        total += 1
        switch kind {
        case .defineTrait, .putTrait, .deleteTrait, .updateTrait: changesDefinitions = true
        case .renameNode: changesNames = true
        case .renameTrait:
            changesNames = true
            changesDefinitions = true
        default: break
        }
        guard let first, first.kind != kind else {
            first = (kind, (first?.count ?? 0) + 1)
            return
        }
        if let position = others.firstIndex(where: { $0.kind == kind }) {
            others[position].count += 1
        } else {
            others.append((kind, 1))
        }
    }

    /// The kind of the one operation, where there is one.
    var sole: OperationKind? { total == 1 ? first?.kind : nil }

    /// Whether there are operations of a kind that matches. Allocates nothing.
    @inline(__always)
    package func contains(where matches: (OperationKind) -> Bool) -> Bool {
        if let first, matches(first.kind) { return true }
        return others.contains { matches($0.kind) }
    }

    /// In the order in which the kinds first came.
    package var kinds: [(kind: OperationKind, count: Int)] { (first.map { [$0] } ?? []) + others }
}
