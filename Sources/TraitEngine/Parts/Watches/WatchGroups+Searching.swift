// Going through trees of groups: for a trait, or all of them.

extension WatchGroups {
    /// Finds the children whose mask meets the wanted traits, level by level, so that the groups
    /// of one level are fetched side by side. They are the part of `found` that is the answer,
    /// behind the groups that were entered.
    func search(
        _ top: Int32, count: Int32, for wanted: UInt64, _ found: inout ContiguousArray<Int32>
    ) -> Range<Int> {
        let masks = masks.reader
        let targets = targets.reader
        found.removeAll(keepingCapacity: true)
        found.append(top)
        var start = 0
        for _ in 0..<Self.height(count) {
            let end = found.count
            for position in start..<end {
                for slot in Self.slots(of: found[position]) where masks[slot] & wanted != 0 {
                    found.append(targets[slot])
                }
            }
            start = end
        }
        return start..<found.count
    }

    /// All children of a tree, by position.
    func children(of top: Int32, count: Int32) -> [Int32] {
        var groups = [top]
        for _ in 1..<Self.height(count) {
            groups = groups.flatMap { Self.slots(of: $0).map { targets[$0] } }.filter { $0 >= 0 }
        }
        return groups.flatMap { Self.slots(of: $0).map { targets[$0] } }.filter { $0 >= 0 }
    }

    static func groupCount(_ count: Int32) -> Int {
        var groups = 0
        var width = max(Int(count), 1)
        repeat {
            width = (width + slotsPerGroup - 1) / slotsPerGroup
            groups += width
        } while width > 1
        return groups
    }

    /// Gives all groups of a tree back.
    mutating func release(tree top: Int32, count: Int32) {
        var groups = [top]
        for _ in 1..<Self.height(count) {
            let below = groups.flatMap { Self.slots(of: $0).map { targets[$0] } }
            for group in groups { release(group) }
            groups = below.filter { $0 >= 0 }
        }
        for group in groups { release(group) }
    }

    /// The first slot of a tree whose mask or links are wrong; nil when all are right.
    func brokenSlot(of top: Int32, count: Int32) -> Int32? {
        var groups = [top]
        if owners[top].slot >= 0 { return owners[top].slot }
        for _ in 1..<Self.height(count) {
            var below: [Int32] = []
            for slot in groups.flatMap({ Self.slots(of: $0) }) {
                let group = targets[slot]
                if group < 0 {
                    if masks[slot] != 0 { return slot }
                    continue
                }
                if masks[slot] != union(of: group) || owners[group].slot != slot { return slot }
                below.append(group)
            }
            groups = below
        }
        return nil
    }
}
