// The frames that the nodes of a layout hierarchy show, their marks, and the owners of frames.

struct LayoutTable: ~Copyable {
    /// By node; the cell at 0 starts the tree of marks.
    private var cells: Arena<LayoutNode>
    /// Nodes made so far, and names of deleted ones that were restored.
    private var serial: UInt64
    /// Frames in use.
    private(set) var frameCount: Int
    /// Reclaimed nodes whose frames are in use, by serial.
    private var gone: [UInt64: GoneNode]

    init() {
        cells = Arena()
        serial = 0
        frameCount = 0
        gone = [:]
        _ = cells.append(LayoutNode())
    }

    init(copying other: inout LayoutTable, _ copies: inout SnapshotCopies) {
        cells = Arena(copying: &other.cells, &copies)
        serial = other.serial
        frameCount = other.frameCount
        gone = other.gone
    }

    @inline(__always)
    subscript(node: Int32) -> LayoutNode { cells[node] }

    var count: Int { cells.count }
    var heldBytes: Int { cells.heldBytes &+ gone.count &* 128 }

    func key(of node: Int32) -> LayoutNodeKey {
        LayoutNodeKey(node: node, serial: cells[node].serial)
    }

    mutating func add(_ node: Int32) {
        serial += 1
        while cells.count <= Int(node) { _ = cells.append(LayoutNode()) }
        cells[node] = LayoutNode(serial: serial)
    }

    mutating func remove(_ node: Int32) { cells[node] = LayoutNode() }

    // MARK: - What a node shows

    mutating func setShown(_ node: Int32, _ frame: Int32) { cells[node].shown = frame }

    mutating func mark(_ node: Int32) { cells[node].flags.insert(.marked) }

    /// The node was updated at `tick`: it waits no longer.
    mutating func setUpdated(_ node: Int32, at tick: UInt64) {
        cells[node].seen = tick
        cells[node].flags.remove(.marked)
    }

    mutating func setSeen(_ node: Int32, _ tick: UInt64) { cells[node].seen = tick }

    /// The node took another frame at `tick`, which its children have to see; nil when all have.
    mutating func setOutdated(_ node: Int32, at tick: UInt64?) {
        if let tick {
            cells[node].changed = tick
            cells[node].flags.insert(.outdated)
        } else {
            cells[node].flags.remove(.outdated)
        }
    }

    mutating func setNoted(_ node: Int32, _ isNoted: Bool) {
        if isNoted { cells[node].flags.insert(.noted) } else { cells[node].flags.remove(.noted) }
    }

    mutating func setWritten(_ node: Int32, _ isWritten: Bool) {
        if isWritten {
            cells[node].flags.insert(.written)
        } else {
            cells[node].flags.remove(.written)
        }
    }

    /// Undoes a change of marks and of the shown frame, whose references are the caller's.
    mutating func restore(_ before: ReplacedLayout) {
        let node = before.node
        if before.frame >= 0 { cells[node].shown = before.frame }
        cells[node].flags.subtract(.state)
        cells[node].flags.formUnion(before.flags)
        cells[node].changed = before.changed
        cells[node].seen = before.seen
    }

    // MARK: - The tree of marks

    /// Puts a node into the list of its trait parent: first if it is an attached root, else last.
    mutating func link(_ child: Int32, below parent: Int32, isFirst: Bool) {
        cells[child].flags.insert(.linked)
        cells[child].next = -1
        let first = cells[parent].first
        if first < 0 {
            cells[parent].first = child
            cells[child].previous = child
            return
        }
        let last = cells[first].previous
        cells[child].previous = last
        cells[first].previous = child
        if isFirst {
            cells[child].next = first
            cells[parent].first = child
        } else {
            cells[last].next = child
        }
    }

    mutating func unlink(_ child: Int32, from parent: Int32) {
        let first = cells[parent].first
        let (next, previous) = (cells[child].next, cells[child].previous)
        cells[child].flags.remove(.linked)
        cells[child].next = -1
        cells[child].previous = -1
        if child == first {
            cells[parent].first = next
            if next >= 0 { cells[next].previous = previous }
        } else {
            cells[previous].next = next
            cells[next < 0 ? first : next].previous = previous
        }
    }

    // MARK: - Owners of frames

    /// Adds `difference` to the use count of a frame. The node may be deleted.
    mutating func countFrame(of node: Int32, _ serial: UInt64, _ difference: Int32) {
        frameCount += Int(difference)
        if cells[node].serial == serial {
            cells[node].frames += difference
        } else if var owner = gone[serial] {
            owner.frames += difference
            gone[serial] = owner.frames > 0 ? owner : nil
        }
    }

    /// A node with frames in use is about to be reclaimed.
    mutating func storeName(of node: Int32, _ name: String) {
        gone[cells[node].serial] = GoneNode(name: name, frames: cells[node].frames)
        cells[node].serial = 0
    }

    /// The serial of a deleted node whose frames are about to be restored.
    mutating func addGone(_ name: String) -> UInt64 {
        serial += 1
        gone[serial] = GoneNode(name: name, frames: 0)
        return serial
    }

    /// The name of a reclaimed node whose frames are in use.
    func goneName(_ serial: UInt64) -> String? { gone[serial]?.name }

    /// Whether the counts of frames are these, by node and by serial of reclaimed nodes; for the
    /// invariants.
    func countsAre(_ owned: [Int32: Int32], gone counts: [UInt64: Int32]) -> Bool {
        (1..<Int32(max(cells.count, 1))).allSatisfy { cells[$0].frames == owned[$0] ?? 0 }
            && gone.mapValues(\.frames) == counts
    }
}
