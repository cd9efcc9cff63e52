// The shapes of tree that figures are given for: the usual one and three others.

import ArgumentParser
import SeededRandom

enum Shape: String, CaseIterable, ExpressibleByArgument {
    /// Ten children a node, made level by level.
    case wide
    /// Each node below the one before it.
    case chain
    /// One parent with all others as children.
    case star
    /// Each node below any of those before it.
    case random

    /// The parents of so many nodes, by position; -1 for the root, which comes first. Parents
    /// stand before their children.
    func parents(_ count: Int, _ random: inout SeededRandom) -> [Int32] {
        (0..<count).map { node in
            if node == 0 { return -1 }
            switch self {
            case .wide: return Int32((node - 1) / 10)
            case .chain: return Int32(node - 1)
            case .star: return 0
            case .random: return Int32(random.below(node))
            }
        }
    }
}
