// Invariants of the frames and marks of a layout hierarchy.

extension Hierarchy {
    func checkLayout() throws(InvariantError) {
        guard let layout else { return }
        try require(layout.changes.noted.isEmpty, "nodes are noted outside of a transaction")
        try checkMarks(layout)
        try checkFrames(layout)
        for node in livingNodes where !isPending(node, layout) {
            // A frozen hierarchy makes no value of what limits leave of a category.
            if isFrozen, parts.contentLimits[node] != nil { continue }
            try require(
                showsItsValues(node, layout),
                "\(name(node)) waits for nothing and does not show its values")
        }
    }

    // MARK: - Marks

    private func checkMarks(_ layout: LayoutState) throws(InvariantError) {
        var listed: [Int32: Int] = [:]
        for node in livingNodes {
            let cell = layout.nodes[node]
            try require(cell.serial > 0, "\(name(node)) has no serial")
            try require(!cell.flags.contains(.noted), "\(name(node)) is noted")
            let waits = cell.first >= 0 || !cell.flags.isDisjoint(with: .state)
            try require(
                waits == cell.flags.contains(.linked), "\(name(node)): wrong link, \(cell)")
            if waits { listed[parts.nodes.parent(of: node), default: 0] += 1 }
        }
        for node in livingNodes + [0] {
            try checkMarkedChildren(of: node, listed[node] ?? 0, layout)
        }
    }

    private func checkMarkedChildren(
        of node: Int32, _ expected: Int, _ layout: LayoutState
    ) throws(InvariantError) {
        var count = 0
        var previous: Int32 = -1
        var isAttached = true
        var child = layout.nodes[node].first
        while child >= 0 {
            try require(
                layout.nodes[child].flags.contains(.linked)
                    && parts.nodes.parent(of: child) == node,
                "\(name(child)) is marked elsewhere")
            if count > 0 {
                try require(layout.nodes[child].previous == previous, "no way back to a mark")
            }
            if node == 0 {
                let isRoot = isRootKind(child)
                try require(isAttached || !isRoot, "\(name(child)) stands behind detached roots")
                isAttached = isRoot
            }
            count += 1
            previous = child
            child = layout.nodes[child].next
        }
        try require(count == expected, "\(name(node)): marks are lost")
        let first = layout.nodes[node].first
        let last = first < 0 ? -1 : layout.nodes[first].previous
        try require(last == previous, "\(name(node)): another last mark")
    }

    // MARK: - Frames

    private func checkFrames(_ layout: LayoutState) throws(InvariantError) {
        var held: [Int32: UInt32] = [:]
        for node in 1..<Int32(max(layout.nodes.count, 1)) {
            held[layout.nodes[node].shown, default: 0] += 1
        }
        for case .layout(let before) in transaction.log.remaining where before.frame > 0 {
            held[before.frame, default: 0] += 1
        }
        for update in layout.updates {
            for difference in update.level.differences {
                held[difference.before, default: 0] += 1
                held[difference.after, default: 0] += 1
            }
        }
        var counts: [Int32: Int32] = [:]
        var frames: [Int32] = []
        for record in parts.records.indices.dropFirst()
        where parts.records[record].flags.contains(.frame) {
            frames.append(record)
            held[parts.records[record].above, default: 0] += 1
            var entries: ContiguousArray<RecordEntry> = []
            recordReader.entries(record, into: &entries)
            for entry in entries { counts[Int32(entry.trait), default: 0] += 1 }
        }
        try require(frames.count == layout.nodes.frameCount, "\(frames.count) frames")
        try checkOwners(of: frames, layout)
        for frame in frames {
            try require(
                // In a frozen hierarchy the counts include references of the undo log, which is not copied.
                isFrozen || parts.records[frame].references == held[frame] ?? 0,
                "frame \(frame) of \(parts.records[frame].node) is miscounted")
            var above: UInt64 = 0
            var up = parts.records[frame].above
            while up > 0 {
                try require(
                    parts.records[up].flags.contains(.frame), "a frame leads nowhere")
                above |= parts.records[up].mask
                up = parts.records[up].above
            }
            try require(
                above & ~parts.records[frame].traitsAbove == 0,
                "a frame forgets traits above")
        }
        for trait in parts.traits.indices {
            try require(
                parts.traits[trait].shown == counts[Int32(trait)] ?? 0, "trait \(trait) in frames")
        }
        for frame in layout.caches.collections.keys {
            try require(
                parts.records[frame].flags.contains(.frame), "a collection of no frame")
        }
    }

    /// Each frame is counted for a node, or for a reclaimed one whose name is stored.
    private func checkOwners(
        of frames: [Int32], _ layout: LayoutState
    ) throws(InvariantError) {
        var owned: [Int32: Int32] = [:]
        var gone: [UInt64: Int32] = [:]
        for frame in frames {
            let serial = parts.records[frame].serial
            if layout.nodes[parts.records[frame].node].serial == serial {
                owned[parts.records[frame].node, default: 0] += 1
            } else {
                gone[serial, default: 0] += 1
            }
        }
        try require(layout.nodes.countsAre(owned, gone: gone), "frames of nodes are miscounted")
    }
}
