// From what size on the structures of large hierarchies are used. Results never depend on it;
// tests make it small, so that small trees go through everything.

/// The sizes from which on a hierarchy uses structures for large trees.
package struct StructureSizes: Sendable {
    /// Levels between two tops of a deep tree; at least 1.
    package var blockLevels = 64
    /// A node's watched children beyond this many are grouped by trait; at least 1.
    package var listedChildrenMax: Int32 = 64
    /// Nodes that a hierarchy has room for, deleted ones that are not yet reclaimed and the one
    /// above all roots included.
    package var nodeSlotsMax = NodeHot.nodesMax
    /// Indices of traits before gaps are filled.
    package var traitIndexMax = TraitDefinitions.indexMax

    package init() {}

    package init(blockLevels: Int, listedChildrenMax: Int32) {
        self.blockLevels = max(blockLevels, 1)
        self.listedChildrenMax = max(listedChildrenMax, 1)
    }

    /// Levels that a read walks without meeting a top before it places some.
    var walkLevelsMax: Int { 2 * blockLevels }
}
