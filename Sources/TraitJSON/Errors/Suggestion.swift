// "Did you mean": the nearest known name to one that is not known.

package enum Suggestion {
    /// The longest name worth comparing, in bytes; longer ones get no suggestion.
    package static let nameBytesMax = 64
    /// The largest number of slips that a suggestion forgives.
    static let distanceMax = 4
    /// Steps that one suggestion may take: bytes folded and cells of the distance computed. A few
    /// tens of microseconds, whatever the names are.
    static let stepsMax = 40_000

    /// The candidate at the smallest edit distance, if it is near enough to be a slip.
    ///
    /// Case and separators do not count: `user_interface_style` finds `userInterfaceStyle`. Candidates
    /// are looked at until `stepsMax` steps are taken: some hundred that differ soon, or about fifty
    /// that are nearly alike. O(stepsMax).
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String?
    {
        var steps = 0
        return nearest(to: name, among: candidates, steps: &steps)
    }

    /// - Parameter steps: counts up.
    static func nearest(
        to name: String, among candidates: some Sequence<String>, steps: inout Int
    ) -> String? {
        guard !name.isEmpty, name.utf8.count <= nameBytesMax else { return nil }
        let wanted = folded(name)
        var bound = min(max(1, wanted.count / 3), distanceMax)
        var rows = DistanceRows(length: nameBytesMax)
        var best: String?
        for candidate in candidates {
            if steps >= stepsMax { break }
            let count = candidate.utf8.count
            steps += 1
            guard count <= nameBytesMax, count + bound >= wanted.count else { continue }
            let other = folded(candidate)
            steps += count
            guard let distance = rows.distance(wanted, other, atMost: bound, steps: &steps) else {
                continue
            }
            if distance == 0 { return candidate }
            // Only a nearer one replaces it.
            best = candidate
            bound = distance - 1
        }
        return best
    }

    private static func folded(_ name: String) -> [UInt8] {
        name.utf8.compactMap { byte in
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: " "), UInt8(ascii: "."): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: byte
            }
        }
    }
}

/// Three rows of the table of distances, used for one candidate after the other.
private struct DistanceRows {
    private var beforeLast: [Int]
    private var last: [Int]
    private var row: [Int]

    init(length: Int) {
        beforeLast = Array(repeating: 0, count: length + 1)
        last = beforeLast
        row = beforeLast
    }

    /// Optimal string alignment distance: Levenshtein's, and a swap of neighbours counts once. Nil
    /// when it is more than `bound`. O(bound × length): only cells near the diagonal count.
    mutating func distance(
        _ a: [UInt8], _ b: [UInt8], atMost bound: Int, steps: inout Int
    ) -> Int? {
        if abs(a.count - b.count) > bound { return nil }
        let far = bound + 1
        for j in 0...b.count { last[j] = min(j, far) }
        var nearestBefore = 0
        for i in 1..<a.count + 1 {
            // The cells near the diagonal, and one on each side that says that nothing is near there.
            let (low, high) = (max(1, i - bound), min(b.count, i + bound))
            row[low - 1] = low == 1 ? min(i, far) : far
            if high < b.count { row[high + 1] = far }
            var nearest = row[low - 1]
            for j in low..<max(low, high + 1) {
                let isSame = a[i - 1] == b[j - 1]
                var cost = min(row[j - 1] + 1, last[j] + 1, last[j - 1] + (isSame ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    cost = min(cost, beforeLast[j - 2] + 1)
                }
                row[j] = min(cost, far)
                nearest = min(nearest, row[j])
            }
            steps += 2 * bound + 1
            // A swap comes back from the row before the last.
            if nearest >= far, nearestBefore >= far { return nil }
            nearestBefore = nearest
            (beforeLast, last, row) = (last, row, beforeLast)
        }
        return last[b.count] <= bound ? last[b.count] : nil
    }
}
