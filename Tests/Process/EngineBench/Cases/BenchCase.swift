// The list of what can be measured: cases, and the names of the figures each one gives.

/// A group of measurements that share their trees.
protocol BenchCase: SendableMetatype {
    static var name: String { get }
    /// The names of what it records; a full run has at least one of each, or says why not.
    static var measures: [String] { get }
    static func run(_ bench: Bench) throws
}

extension BenchCase {
    static func matches(_ filter: String) -> Bool {
        filter.isEmpty || name.contains(filter) || measures.contains { $0.contains(filter) }
    }
}

enum BenchCases {
    static let all: [any BenchCase.Type] = [
        MachineReads.self, Builds.self, Memory.self, Growth.self, Reads.self, FirstReads.self,
        ReadsAfterCommits.self, Lookups.self, Overrides.self,
        Comparison.self, Styled.self, Notifying.self, CrowdedParent.self, Shields.self, Moves.self,
        Deletions.self, Snapshots.self, Loading.self,
    ]
}

extension Settings {
    /// The sizes at which a shape is measured: chains go as deep as a hierarchy may.
    func sizes(of shape: Shape) -> [Int] {
        shape == .chain ? [10, 100, 1_000, 10_000].filter { $0 <= chainDepth } : sizes
    }
}
