// The order of siblings, for all that leads a session from one state to another: which siblings move, and
// behind which. The longest run of siblings that stand in the wanted order stays; every other sibling moves
// behind the one that precedes it in the wanted order. So the places of the siblings that move do not matter.

package enum SiblingOrder {
    package enum Anchor {
        /// The sibling before, in the wanted order.
        case behindPrevious
        /// The first sibling that stays, by its position in the wanted order.
        case before(Int)
    }

    /// Calls `move` for each sibling that moves, in the wanted order. O(n log n).
    ///
    /// - Parameters:
    ///   - places: where each sibling stands now, in the wanted order of the siblings; below 0 for a place that
    ///     is not known.
    package static func forEachMove<E: Error>(
        _ places: [Int64], _ move: (_ position: Int, Anchor) throws(E) -> Void
    ) throws(E) {
        let stays = staying(places)
        guard let first = stays.firstIndex(of: true) else { return }
        for position in places.indices where !stays[position] {
            try move(position, position == 0 ? .before(first) : .behindPrevious)
        }
    }

    /// Whether each sibling stays: those of a longest rising subsequence. One at least stays.
    private static func staying(_ places: [Int64]) -> [Bool] {
        var stays = [Bool](repeating: false, count: places.count)
        if places.isEmpty { return stays }
        // By length: the position at which the subsequence of that length with the lowest end ends.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: places.count)
        for position in places.indices where places[position] >= 0 {
            let length = ends.firstPlace { places[$0] >= places[position] }
            if length > 0 { before[position] = ends[length - 1] }
            if length == ends.count { ends.append(position) } else { ends[length] = position }
        }
        var next = ends.last ?? 0
        while next >= 0 {
            stays[next] = true
            next = before[next]
        }
        return stays
    }
}
