// The height of any subtree in O(log n) while subtrees move.

/// A tree as a sequence: each node opens, then everything below it follows, then the node closes.
///
/// Opening counts +1 and closing -1, so the height of a subtree is the highest sum of a prefix
/// between the two. A move cuts a range out and inserts it elsewhere. The sequence lies in a splay
/// tree. Siblings stand in no particular order, as no height depends on it. Costs are amortised.
final class EulerTour {
    /// A place in the sequence, as a cell of the splay tree.
    private struct Cell: BitwiseCopyable {
        var left: Int32 = -1
        var right: Int32 = -1
        var parent: Int32 = -1
        /// The sum of the places at and below this cell in the splay tree.
        var sum: Int32 = 0
        /// The highest sum of a prefix of these places. The empty prefix has 0.
        var peak: Int32 = 0
    }

    /// Two for each node: where it opens, and where it closes.
    private var cells: ContiguousArray<Cell>
    /// Rotations of the splay tree, for tests of what moves cost.
    private(set) var rotations = 0

    /// - Parameters:
    ///   - places: every node's opening and closing, in the order of the sequence.
    ///   - nodeSlots: an upper bound of the nodes' indices. Later nodes may lie beyond it.
    init(_ places: ContiguousArray<Int32>, nodeSlots: Int) {
        cells = ContiguousArray(repeating: Cell(), count: 2 * nodeSlots)
        _ = join(places, 0..<places.count)
    }

    static func opening(_ node: Int32) -> Int32 { 2 &* node }
    static func closing(_ node: Int32) -> Int32 { 2 &* node &+ 1 }

    /// Makes a balanced splay tree of a part of the sequence. Answers its root, -1 for none.
    private func join(_ places: ContiguousArray<Int32>, _ part: Range<Int>) -> Int32 {
        if part.isEmpty { return -1 }
        let middle = part.lowerBound + part.count / 2
        let root = places[middle]
        setLeft(of: root, join(places, part.lowerBound..<middle))
        setRight(of: root, join(places, middle + 1..<part.upperBound))
        return root
    }

    /// The number of levels below the node. O(log n).
    func height(of node: Int32) -> Int {
        let (opening, closing) = (Self.opening(node), Self.closing(node))
        splay(opening)
        splay(closing, below: opening)
        let inside = cells[Int(closing)].left
        return inside < 0 ? 0 : Int(cells[Int(inside)].peak)
    }

    // MARK: - Changing

    /// Adds a node without children below another one. O(log n).
    func add(_ node: Int32, below parent: Int32) {
        let closing = Self.closing(node)
        while cells.count <= Int(closing) { cells.append(Cell()) }
        cells[Int(Self.opening(node))] = Cell()
        cells[Int(closing)] = Cell()
        update(closing)
        setRight(of: Self.opening(node), closing)
        insert(node, below: parent)
    }

    /// Takes a node with everything below it out of the sequence, to be a sequence of its own.
    /// O(log n).
    func cut(_ node: Int32) {
        let (opening, closing) = (Self.opening(node), Self.closing(node))
        splay(opening)
        var before = cells[Int(opening)].left
        if before >= 0 { cells[Int(before)].parent = -1 }
        setLeft(of: opening, -1)
        splay(closing)
        let behind = cells[Int(closing)].right
        if behind >= 0 { cells[Int(behind)].parent = -1 }
        setRight(of: closing, -1)
        // Whatever stands above the node opens before and closes behind it.
        if before < 0 { return }
        while cells[Int(before)].right >= 0 { before = cells[Int(before)].right }
        splay(before)
        setRight(of: before, behind)
    }

    /// Inserts a node that was cut out below another one. O(log n).
    func insert(_ node: Int32, below parent: Int32) {
        let (place, closing) = (Self.opening(parent), Self.closing(node))
        splay(place)
        let behind = cells[Int(place)].right
        splay(closing)
        setRight(of: closing, behind)
        setRight(of: place, closing)
    }

    func move(_ node: Int32, below parent: Int32) {
        cut(node)
        insert(node, below: parent)
    }

    // MARK: - The splay tree

    private func setLeft(of cell: Int32, _ child: Int32) {
        cells[Int(cell)].left = child
        if child >= 0 { cells[Int(child)].parent = cell }
        update(cell)
    }

    private func setRight(of cell: Int32, _ child: Int32) {
        cells[Int(cell)].right = child
        if child >= 0 { cells[Int(child)].parent = cell }
        update(cell)
    }

    /// Recomputes the sums of a cell from the cells below it.
    private func update(_ cell: Int32) {
        let (left, right) = (cells[Int(cell)].left, cells[Int(cell)].right)
        var sum: Int32 = cell & 1 == 0 ? 1 : -1
        var peak: Int32 = 0
        if left >= 0 {
            sum &+= cells[Int(left)].sum
            peak = cells[Int(left)].peak
        }
        peak = max(peak, sum)
        if right >= 0 {
            peak = max(peak, sum &+ cells[Int(right)].peak)
            sum &+= cells[Int(right)].sum
        }
        cells[Int(cell)].sum = sum
        cells[Int(cell)].peak = peak
    }

    /// Rotates a cell up until its parent is `top`; -1 makes it the root.
    private func splay(_ cell: Int32, below top: Int32 = -1) {
        while true {
            let parent = cells[Int(cell)].parent
            if parent == top { return }
            let grandparent = cells[Int(parent)].parent
            if grandparent != top {
                let isStraight =
                    (cells[Int(parent)].left == cell)
                    == (cells[Int(grandparent)].left == parent)
                rotate(isStraight ? parent : cell)
            }
            rotate(cell)
        }
    }

    /// Puts a cell above its parent.
    private func rotate(_ cell: Int32) {
        rotations &+= 1
        let parent = cells[Int(cell)].parent
        let grandparent = cells[Int(parent)].parent
        if cells[Int(parent)].left == cell {
            setLeft(of: parent, cells[Int(cell)].right)
            setRight(of: cell, parent)
        } else {
            setRight(of: parent, cells[Int(cell)].left)
            setLeft(of: cell, parent)
        }
        cells[Int(cell)].parent = grandparent
        if grandparent < 0 { return }
        if cells[Int(grandparent)].left == parent {
            cells[Int(grandparent)].left = cell
        } else {
            cells[Int(grandparent)].right = cell
        }
    }
}
