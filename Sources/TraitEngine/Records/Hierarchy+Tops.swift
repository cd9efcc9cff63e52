// Shortcuts for deep trees. In trees of fewer than 128 levels the node above all roots is the
// only top and none of this runs. The numbers here are `StructureSizes`.
//
//   root*          a top every 64 levels, placed by the first walk that meets none for 128
//    │ … ≤64       jump: a top → the next top above
//    T1* ──jump──▶ root   pathMask(T1): traits set strictly between T1 and its jump
//    │ … ≤64              added(root): traits set since in the block below root
//    T2* ──jump──▶ T1     a jump holds while its generation is that of the upper end
//    │
//    v             reading at v: walk up to T2, then hop; enter a block of levels only if
//                  pathMask | added has the trait. Both may have bits too many, never too few.

extension Hierarchy {
    /// The nearest top strictly above the node, as a record.
    private func topAbove(_ node: Int32) -> Int32 {
        let hot = parts.nodes.hot
        let records = parts.records.reader.records
        var index = hot[node].up
        while true {
            // Tops have full filters, as few other nodes have.
            if hot[index].filter == .max {
                let record = parts.nodes.records[index]
                if records.pointer(record).pointee.flags.contains(.top) { return record }
            }
            index = hot[index].up
        }
    }

    /// The chain of trait parents through this node is about to change, or has just changed.
    func invalidateShortcuts(through node: Int32) {
        if topCount == 1 { return }
        let record = recordIndex(of: node)
        if record >= 0, parts.records[record].flags.contains(.top) {
            parts.records.forgetJump(record)
        } else if parts.nodes[node].last >= 0 {
            parts.records.invalidateJumps(to: topAbove(node))
        }
    }

    /// A node sets traits that it did not set before.
    func noteAddedTraits(_ node: Int32, _ record: Int32, _ added: UInt64) {
        if topCount == 1 || parts.records[record].flags.contains(.top) { return }
        parts.records.noteAdded(topAbove(node), added)
    }

    // MARK: - Placing

    /// Where a top goes, and what is set strictly between it and the next one above.
    private struct Placement: BitwiseCopyable {
        var node: Int32
        var mask: UInt64 = 0
    }

    /// Places a top every 64 levels on the way from the node up to the nearest top, each with its
    /// jump. O(levels): every level is looked at once.
    func installTops(above node: Int32, _ meter: inout some ReadMeter) {
        // The first is the node itself, which becomes none.
        var places: ContiguousArray<Placement> = [Placement(node: node)]
        let end = findPlaces(above: node, &places, &meter)
        // Jumps over the new tops end here, and with them the need for what was added.
        parts.records.invalidateJumps(to: end)
        parts.records.forgetAdded(end)
        var above = end
        for place in places.dropFirst().reversed() {
            let record = makeTop(place.node)
            parts.records.setJump(record, to: above, pathMask: place.mask)
            above = record
        }
    }

    /// Returns the top at which the way ends. For nodes without a record this reads the empty
    /// record instead of branching: which nodes have one is not predictable.
    private func findPlaces(
        above node: Int32, _ places: inout ContiguousArray<Placement>,
        _ meter: inout some ReadMeter
    ) -> Int32 {
        let hot = parts.nodes.hot
        let indices = parts.nodes.records
        let records = parts.records.reader.records
        let blockLevels = sizes.blockLevels
        var index = node
        var mask: UInt64 = 0
        var levels = 0
        while true {
            let cell = hot[index]
            let record = records.pointer(indices[index])
            meter.passLevel()
            if cell.filter == .max, record.pointee.flags.contains(.top) {
                places[places.count - 1].mask = mask
                return indices[index]
            }
            if levels == blockLevels {
                places[places.count - 1].mask = mask
                places.append(Placement(node: index))
                mask = 0
                levels = 0
            } else {
                mask |= record.pointee.mask
            }
            index = cell.up
            levels &+= 1
        }
    }

    private func makeTop(_ node: Int32) -> Int32 {
        var record = recordIndex(of: node)
        if record < 0 { record = attachRecord(node) }
        parts.records.makeTop(record)
        setFilter(node, record)
        return record
    }

    // MARK: - Searching

    /// Continues a search for the traits in `wanted` (folded) above a top that has none of them.
    ///
    /// `visit` sees every record that may have one, nearest first, and answers the traits still
    /// wanted; 0 ends the search.
    func searchAbove(
        _ start: Int32, _ wanted: UInt64, _ meter: inout some ReadMeter,
        _ visit: (_ record: Int32, UInt64) -> UInt64
    ) {
        var wanted = wanted
        var top = start
        while top != 0 {
            let up = parts.records[top].jump
            let isValid =
                up >= 0
                && parts.records[up].generation == parts.records[top].jumpGeneration
            if isValid,
                (parts.records[top].pathMask | parts.records[up].added) & wanted == 0
            {
                meter.jump()
                top = up
            } else {
                guard let next = searchBlock(top, isValid, &wanted, &meter, visit) else { return }
                top = next
            }
            if parts.records[top].mask & wanted != 0 {
                meter.visitRecord()
                wanted = visit(top, wanted)
                if wanted == 0 { return }
            }
        }
    }

    /// Walks from a top to the next one and notes what lies between. Nil when the search ended.
    private func searchBlock(
        _ top: Int32, _ wasValid: Bool, _ wanted: inout UInt64, _ meter: inout some ReadMeter,
        _ visit: (Int32, UInt64) -> UInt64
    ) -> Int32? {
        let hot = parts.nodes.hot
        let records = parts.records.reader.records
        var index = hot[records[top].node].up
        var mask: UInt64 = 0
        var levels = 0
        while true {
            meter.passLevel()
            if hot[index].hasRecord {
                let record = parts.nodes.records[index]
                let flags = records[record].flags
                if flags.contains(.top) { break }
                meter.visitRecord()
                mask |= records[record].mask
                if records[record].mask & wanted != 0 {
                    wanted = visit(record, wanted)
                    if wanted == 0 { return nil }
                }
            }
            index = hot[index].up
            levels &+= 1
        }
        let next = parts.nodes.records[index]
        if wasValid, parts.records[next].added != 0 {
            parts.records.forgetAdded(next)
            parts.records.invalidateJumps(to: next)
        }
        parts.records.setJump(top, to: next, pathMask: mask)
        if levels > 2 * sizes.walkLevelsMax {
            installTops(above: parts.nodes.hot(of: parts.records[top].node).up, &meter)
        }
        return next
    }
}
