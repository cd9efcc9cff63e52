// Keeps the depth of both trees within its limit without walking subtrees: a bound that may be
// too high is enough until it refuses a move.

/// Upper bounds of the levels in a hierarchy. They never fall.
struct LevelBounds {
    /// No node of the trait tree is deeper.
    private(set) var trait = 0
    /// No node of the structural tree is deeper.
    private(set) var structural = 0
    /// Whether nodes were only ever made, so that no `NodeHeight` reaches below `trait`.
    private(set) var isTight = true
    /// Nodes visited to measure large subtrees.
    private(set) var measuredNodes = 0
    /// Levels walked up for operations, for tests of what operations cost.
    private(set) var walkedLevels = 0

    // The parent of the node made last and that node: creating a chain or a list of siblings asks
    // for their levels again, which would cost O(depth) each time.
    private var parent: Int32 = -1
    private var child: Int32 = -1
    private var parentLevels = (trait: 0, structural: 0)

    /// The levels of a node if it is one of these.
    func known(_ node: Int32) -> (trait: Int, structural: Int)? {
        if node == parent { return parentLevels }
        if node == child { return (parentLevels.trait + 1, parentLevels.structural + 1) }
        return nil
    }

    mutating func remember(parent: Int32, _ levels: (trait: Int, structural: Int)) {
        if parent != self.parent { child = -1 }
        self.parent = parent
        parentLevels = levels
    }

    mutating func remember(child: Int32) { self.child = child }

    mutating func raise(trait: Int = 0, structural: Int = 0) {
        self.trait = max(self.trait, trait)
        self.structural = max(self.structural, structural)
    }

    /// A node moved or was deleted, or an operation was undone.
    mutating func loosen() {
        isTight = false
        parent = -1
        child = -1
    }

    mutating func countMeasured(_ nodes: Int) { measuredNodes &+= nodes }

    mutating func countWalked(_ levels: Int) { walkedLevels &+= levels }
}
