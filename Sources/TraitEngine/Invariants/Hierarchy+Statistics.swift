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
