// Names with the same beginning are contiguous in the order of names, so the sessions of a pattern such as `team-*`
// are found without visiting any other session.

/// All names that begin with a text, or one name.
struct NameRange: Equatable {
    /// The beginning, which is the first name there may be.
    let first: String
    let isOneName: Bool

    /// The range of a pattern without `?` that has no `*`, or one at its end; nil for others.
    init?(pattern: String) {
        let isOneName = pattern.utf8.last != UInt8(ascii: "*")
        let first = isOneName ? pattern : String(pattern.dropLast())
        guard !first.utf8.contains(UInt8(ascii: "*")), !first.utf8.contains(UInt8(ascii: "?"))
        else { return nil }
        self.first = first
        self.isOneName = isOneName
    }

    /// Not before any name of the range. Names are ASCII without DEL.
    var end: String { isOneName ? first : first + "\u{7f}" }

    func contains(_ name: String) -> Bool {
        isOneName ? name == first : name.utf8.starts(with: first.utf8)
    }

    /// The ranges without those that lie in another one: they are disjoint, and in the order of names.
    static func disjoint(_ ranges: [NameRange]) -> [NameRange] {
        var kept: [NameRange] = []
        let sorted = ranges.sorted { one, other in
            one.first == other.first
                ? !one.isOneName && other.isOneName
                : one.first.utf8.lexicographicallyPrecedes(other.first.utf8)
        }
        for range in sorted where kept.last?.contains(range.first) != true { kept.append(range) }
        return kept
    }
}
