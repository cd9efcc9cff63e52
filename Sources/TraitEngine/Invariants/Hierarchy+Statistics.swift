// How much memory the structures use.

extension Hierarchy {
    /// Bytes in use, without the slack of growth: nodes with names and their index; values;
    /// registrations with what finds them.
    package var usedBytes: (nodes: Int, values: Int, registrations: Int) {
        (
            parts.nodes.byteCount,
            parts.records.byteCount,
            parts.registrations.byteCount + parts.watches.byteCount
        )
    }
}

/// Bytes that a hierarchy takes of the process's memory, about.
package struct HierarchyBytes: Hashable, Sendable {
    package var nodes = 0
    package var names = 0
    package var values = 0
    package var watches = 0

    package init() {}

    package var total: Int { nodes &+ names &+ values &+ watches }
}

extension Hierarchy {
    /// The memory that the hierarchy holds, in bytes, undo entries included. O(1): a few dozen additions.
    package var heldBytes: HierarchyBytes {
        var bytes = HierarchyBytes()
        bytes.nodes =
            parts.nodes.heldBytes &+ transaction.log.heldBytes
            &+ (layout.map { $0.nodes.heldBytes } ?? 0)
        bytes.names = parts.nodes.names.heldBytes &+ parts.registrations.nameHeldBytes
        bytes.values =
            parts.records.heldBytes
            &+ parts.pool.heldBytes &+ parts.traits.heldBytes
            &+ transaction.definitionCopies.heldBytes &+ definitionBytes
        bytes.watches =
            parts.registrations.heldBytes &+ parts.watches.heldBytes &+ parts.scopes.heldBytes
            &+ parts.dynamics.heldBytes &+ scopeCount &* Self.scopeBytes
            &+ parts.contentLimits.count &* 32
        return bytes
    }

    /// The bytes of a scope beyond its slot, about: its name, and the traits that it reads.
    private static let scopeBytes = 192
    /// The bytes of a definition beyond its slot, about: its key, default and cases.
    private static let traitBytes = 1_024

    private var definitionBytes: Int {
        (definitions.custom.count &+ definitions.named.environmentKeys.count
            &+ definitions.dynamicCount(.color) &+ definitions.dynamicCount(.image))
            &* Self.traitBytes
    }
}
