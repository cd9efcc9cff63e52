// "Did you mean": the nearest known name to one that is not known.

package enum Suggestion {
    /// The longest name worth comparing, in bytes; longer ones get no suggestion.
    package static let nameBytesMax = 64

    /// The candidate at the smallest edit distance, if it is near enough to be a slip.
    ///
    /// Case and separators do not count: `user_interface_style` finds `userInterfaceStyle`.
    /// O(candidates × length²), on the error path only.
    package static func nearest(to name: String, among candidates: some Sequence<String>) -> String?
    {
        guard !name.isEmpty, name.utf8.count <= nameBytesMax else { return nil }
        let wanted = folded(name)
        var best: (candidate: String, distance: Int)?
        for candidate in candidates where candidate.utf8.count <= nameBytesMax {
            let distance = distance(wanted, folded(candidate))
            if distance <= max(1, wanted.count / 3), distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.candidate
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

    /// Optimal string alignment distance: Levenshtein's, and a swap of neighbours counts once.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            row.reserveCapacity(b.count + 1)
            for j in b.indices {
                var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
