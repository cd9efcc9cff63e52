// The nodes of one level of a stepwise update, and their turns.

/// A node's or a registration's turn.
struct UpdateTurn: BitwiseCopyable {
    /// Nodes without registrations come first, in the order in which they were made; then
    /// registrations in theirs.
    var key: UInt64
    var node: Int32
    var serial: UInt64
    /// -1 for a node without registrations.
    var registration: Int32

    init(_ node: Int32, _ serial: UInt64) {
        (key, self.node, self.serial, registration) = (serial, node, serial, -1)
    }

    init(_ node: Int32, _ serial: UInt64, registration: Int32, order: UInt64) {
        (key, self.node) = (order | 1 << 63, node)
        (self.serial, self.registration) = (serial, registration)
    }

    var order: UInt64 { key & ~(1 << 63) }
}

/// A node's frames before and after, with a reference to each.
struct UpdatedNode {
    var before: Int32
    var after: Int32
    var traits: TraitSet
}

struct UpdateLevel {
    var turns: ContiguousArray<UpdateTurn> = []
    /// The turn that comes next.
    var next = 0
    /// Every node that the pass reached on this level.
    var reached: Set<Int32> = []
    /// The nodes that had their turn; nil for those whose values stayed.
    var updated: [Int32: UpdatedNode?] = [:]
    /// Traits by pairs of frames.
    var differences: [UInt64: TraitSet] = [:]

    mutating func sortTurns() {
        if turns.count > 1 { turns.sort { $0.key < $1.key } }
    }
}
