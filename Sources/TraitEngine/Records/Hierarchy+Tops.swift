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
        let hot = hot.reader
        let records = records.reader
        var index = hot[node].parent
        while true {
            let record = hot[index].record
            if record >= 0, records[record].flags.contains(.top) { return record }
            index = hot[index].parent
        }
    }

    /// The chain of trait parents through this node is about to change, or has just changed.
    func invalidateShortcuts(through node: Int32) {
        if topCount == 1 { return }
        let record = hot[node].record
        if record >= 0, records[record].flags.contains(.top) {
            records[record].jump = -1
        } else if links[node].first >= 0 {
            records[topAbove(node)].generation &+= 1
        }
    }

    /// A node sets traits that it did not set before.
    func noteAddedTraits(_ node: Int32, _ record: Int32, _ added: UInt64) {
        if topCount == 1 || records[record].flags.contains(.top) { return }
        records[topAbove(node)].added |= added
    }

    /// Places a top every 64 levels on the way from the node to the nearest top.
    func installTops(above node: Int32) {
        var path: [Int32] = []
        var index = node
        while true {
            let record = hot[index].record
            if record >= 0, records[record].flags.contains(.top) {
                records[record].generation &+= 1
                break
            }
            path.append(index)
            index = hot[index].parent
        }
        var position = path.count - sizes.blockLevels
        while position > 0 {
            installTop(path[position])
            position -= sizes.blockLevels
        }
    }

    private func installTop(_ node: Int32) {
        var record = hot[node].record
        if record < 0 {
            record = allocateRecord(node)
            hot[node].record = record
        }
        records[record].flags.insert(.top)
        records[record].added = 0
        records[record].jump = -1
        topCount += 1
    }

    /// Continues a search for the traits in `wanted` (folded) above a top that has none of them.
    ///
    /// `visit` sees every record that may have one, nearest first, and answers the traits still
    /// wanted; 0 ends the search.
    func searchAbove(
        _ start: Int32, _ wanted: UInt64, _ visit: (_ record: Int32, UInt64) -> UInt64
    ) {
        var wanted = wanted
        var top = start
        while top != 0 {
            let up = records[top].jump
            let isValid = up >= 0 && records[up].generation == records[top].jumpGeneration
            if isValid, (records[top].pathMask | records[up].added) & wanted == 0 {
                top = up
            } else {
                guard let next = searchBlock(top, isValid, &wanted, visit) else { return }
                top = next
            }
            if records[top].mask & wanted != 0 {
                wanted = visit(top, wanted)
                if wanted == 0 { return }
            }
        }
    }

    /// Walks from a top to the next one and notes what lies between. Nil when the search ended.
    private func searchBlock(
        _ top: Int32, _ wasValid: Bool, _ wanted: inout UInt64,
        _ visit: (Int32, UInt64) -> UInt64
    ) -> Int32? {
        let hot = hot.reader
        let records = records.reader
        var index = hot[records[top].node].parent
        var mask: UInt64 = 0
        var levels = 0
        while true {
            let record = hot[index].record
            if record >= 0 {
                let flags = records[record].flags
                if flags.contains(.top) { break }
                mask |= records[record].mask
                if records[record].mask & wanted != 0 {
                    wanted = visit(record, wanted)
                    if wanted == 0 { return nil }
                }
            }
            index = hot[index].parent
            levels &+= 1
        }
        let next = hot[index].record
        if wasValid, self.records[next].added != 0 {
            self.records[next].added = 0
            self.records[next].generation &+= 1
        }
        self.records[top].pathMask = mask
        self.records[top].jump = next
        self.records[top].jumpGeneration = self.records[next].generation
        if levels > 2 * sizes.walkLevelsMax {
            installTops(above: self.hot[self.records[top].node].parent)
        }
        return next
    }
}
