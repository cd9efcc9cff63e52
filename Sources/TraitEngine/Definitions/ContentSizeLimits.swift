// The limits of the content size category that a node sets for its subtree.

/// Limits as ranks of categories, see `SystemTraits.contentSizeCategories`; -1 for none.
struct ContentSizeLimits: Hashable, BitwiseCopyable {
    var minimum: Int32 = -1
    var maximum: Int32 = -1
    /// The revision that set them.
    var revision: Int64 = 0

    var isEmpty: Bool { minimum < 0 && maximum < 0 }

    /// With a minimum above the maximum only the maximum counts.
    func clamp(_ rank: Int32) -> Int32 {
        let raised = minimum >= 0 && (maximum < 0 || minimum <= maximum) ? max(rank, minimum) : rank
        return maximum >= 0 ? min(raised, maximum) : raised
    }

    /// The rank of a category, from 0 for the smallest; nil for the unspecified one and for
    /// strings that are none, which compare with nothing.
    static func rank(of category: String) -> Int32? {
        ranks[category]
    }

    static func category(_ rank: Int32) -> String? {
        let position = Int(rank) + 1
        let all = SystemTraits.contentSizeCategories
        return rank >= 0 && position < all.count ? all[position].raw : nil
    }

    private static let ranks = Dictionary(
        uniqueKeysWithValues: SystemTraits.contentSizeCategories.dropFirst().enumerated().map {
            ($0.element.raw, Int32($0.offset))
        })
}
