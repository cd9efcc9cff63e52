// The cost of a read, counted by the read itself, so that tests can check its complexity. Other reads
// are compiled without any counting.

/// Sees every step of a walk.
protocol ReadMeter {
    /// One level up in the tree.
    mutating func passLevel()
    /// A record is looked at.
    mutating func visitRecord()
    /// From a top to the next one.
    mutating func jump()
}

/// The meter of reads that are not counted. Optimized code contains nothing of it.
struct NoMeter: ReadMeter {
    /// Without a stored byte, ThreadSanitizer takes this value's address for another value's.
    private var byte: UInt8 = 0

    @inline(__always) func passLevel() {}
    @inline(__always) func visitRecord() {}
    @inline(__always) func jump() {}
}

/// Steps of one read.
package struct ReadCost: ReadMeter, Hashable, Sendable {
    /// Levels of the tree that were walked.
    package private(set) var levels = 0
    /// Records that were looked at.
    package private(set) var records = 0
    /// Jumps from top to top.
    package private(set) var jumps = 0

    mutating func passLevel() { levels += 1 }
    mutating func visitRecord() { records += 1 }
    mutating func jump() { jumps += 1 }
}

extension Hierarchy {
    /// The steps that reading one trait at a node of an immediate hierarchy takes now. Places shortcuts,
    /// as the read itself.
    package func cost(of trait: TraitIndex, at node: NodeIndex) -> ReadCost {
        var cost = ReadCost()
        _ = locate(trait.rawValue, at: node.rawValue, &cost)
        return cost
    }

    /// The steps that reading several traits at once takes now. Places shortcuts, as the read itself.
    package func cost(of traits: TraitSet, at node: NodeIndex) -> ReadCost {
        var cost = ReadCost()
        withUnsafeTemporaryAllocation(
            of: UInt64.self, capacity: scratchCount(traits.wordCount)
        ) { scratch in
            guard let words = scratch.baseAddress else { return }
            gather(traits, at: node, words, &cost)
        }
        return cost
    }
}
