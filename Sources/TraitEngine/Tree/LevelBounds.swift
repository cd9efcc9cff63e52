// Keeps the depth of both trees within its limit without walking subtrees: a bound that may be
// too high is enough until it says no.

/// Upper bounds of the levels in a hierarchy. They never fall below the true depth.
struct LevelBounds {
    /// No node of the trait tree lies deeper.
    var trait = 0
    /// No node of the structural tree lies deeper.
    var structural = 0
    /// Moves since the bounds were last exact.
    var movesSinceExact = 0
    /// Nodes gone through to find out how deep large subtrees are.
    var measuredNodes = 0
    /// `measuredNodes` when the open transaction began.
    var measuredBefore = 0
    /// Levels gone up to find out how deep nodes lie, to tell those above, and for what was inherited
    /// before a transaction, for tests of what operations cost.
    var walkedLevels = 0

    // Levels of a node asked about last, and of the node made last below it: building a tree
    // asks for the same parents again and again. Forgotten when anything moves.
    private var parent: Int32 = -1
    private var child: Int32 = -1
    private var parentLevels = (trait: 0, structural: 0)

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

    /// Whether nodes were only ever made, so that no `NodeHeight` reaches below `trait`.
    private(set) var isTight = true

    mutating func forget() {
        isTight = false
        parent = -1
        child = -1
    }

    // Bounds from before they were measured: taking operations back can make the tree deeper.
    private var former = (trait: 0, structural: 0)

    mutating func rememberFormer() {
        former = (max(former.trait, trait), max(former.structural, structural))
    }

    /// Operations were taken back.
    mutating func restoreFormer() {
        forget()
        raise(trait: former.trait, structural: former.structural)
    }

    /// Nothing can be taken back any more.
    mutating func forgetFormer() { former = (0, 0) }

    mutating func raise(trait: Int, structural: Int) {
        self.trait = max(self.trait, trait)
        self.structural = max(self.structural, structural)
    }
}
