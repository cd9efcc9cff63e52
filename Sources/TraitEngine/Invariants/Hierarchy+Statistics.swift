// How much memory the structures use, for those who hold them to it.

extension Hierarchy {
    /// Bytes in use, without the slack of growth: nodes with names and their index; values;
    /// registrations with what finds them.
    package var usedBytes: (nodes: Int, values: Int, registrations: Int) {
        (
            hot.byteCount + recordIndices.byteCount + links.byteCount + heights.byteCount
                + extras.byteCount + identifiers.byteCount,
            records.byteCount + blocks.wordCount * 8,
            registrations.byteCount + watchNodes.byteCount + watchGroups.byteCount
                + registrationNames.byteCount
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
    /// What is held now, undo entries included. O(1): a few dozen additions.
    package var heldBytes: HierarchyBytes {
        var bytes = HierarchyBytes()
        bytes.nodes =
            hot.heldBytes &+ recordIndices.heldBytes &+ links.heldBytes &+ heights.heldBytes
            &+ extras.heldBytes &+ labels.heldBytes &+ log.heldBytes
            &+ (layout.map { $0.nodes.heldBytes &+ $0.gone.count &* 128 } ?? 0)
        bytes.names = identifiers.heldBytes &+ registrationNames.heldBytes
        bytes.values =
            records.heldBytes &+ blocks.heldBytes &+ pool.heldBytes &+ traits.heldBytes
            &+ definitionCopies.heldBytes &+ definitionBytes
        bytes.watches =
            registrations.heldBytes &+ wideTraits.heldBytes &+ watchNodes.heldBytes
            &+ watchGroups.byteCount &+ watchIndex.byteCount &+ scopeCells.heldBytes
            &+ scopeCopies.heldBytes &+ scopeIndex.byteCount &+ scopeLinks.heldBytes
            &+ dynamicAsks.heldBytes &+ scopeCount &* Self.scopeBytes
            &+ contentLimits.count &* 32
        return bytes
    }

    /// What a scope has beyond its place: its name, and the list of what it covers.
    private static let scopeBytes = 192
    /// What a definition has beyond its place: its key, default and cases.
    private static let traitBytes = 1_024

    private var definitionBytes: Int {
        (definitions.custom.count &+ definitions.named.environmentKeys.count
            &+ definitions.dynamicCount(.color) &+ definitions.dynamicCount(.image))
            &* Self.traitBytes
    }
}
