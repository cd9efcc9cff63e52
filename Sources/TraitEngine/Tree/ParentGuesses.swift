// Where a node's parent probably lies. In a large tree both come from memory, one after the other,
// as only the node's own cell says which its parent is; a good guess fetches them side by side.

/// Nodes that are made in order, level by level or each with all below it, lie as their parents do:
/// so a parent's place follows from those of two nodes around. What is moved later makes guesses
/// worse, and nothing wrong.
struct ParentGuesses: ~Copyable {
    /// The parents that every 4,096th node got when it was made, from `nodesMin` on.
    private var parents = PlainBuffer<Int32>()

    /// Smaller trees stay in caches, and pay nothing.
    private static var nodesMin: Int32 { 65_536 }
    private static var spanBits: Int32 { 12 }

    /// To be told of every new last node from `nodesMin` on whose number is a multiple of 1,024.
    mutating func note(_ parent: Int32, of node: Int32) {
        let position = Int((node &- Self.nodesMin) &>> Self.spanBits)
        if position == parents.count { parents.append(parent) }
    }

    /// A node that is or was there, about where the parent lies; nil in small trees, and for the
    /// newest nodes.
    @inline(__always)
    func guess(parentOf node: Int32) -> Int32? {
        let offset = Int(node &- Self.nodesMin)
        let position = offset &>> Int(Self.spanBits)
        if position &+ 1 >= parents.count || offset < 0 { return nil }
        let (from, to) = (Int(parents.view[position]), Int(parents.view[position &+ 1]))
        let inside = offset & (1 &<< Int(Self.spanBits) &- 1)
        let guess = from &+ ((to &- from) &* inside) &>> Int(Self.spanBits)
        return Int32(truncatingIfNeeded: guess)
    }

    /// Asks for the parent's cell.
    @inline(__always)
    func approachParent(of node: Int32, _ hot: Arena<NodeHot>.Reader) {
        if let guess = guess(parentOf: node) { hot.prefetch(guess) }
    }
}
