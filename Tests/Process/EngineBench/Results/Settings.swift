// What a run is asked to do.

struct Settings {
    var sizes: [Int]
    var shapes: [Shape]
    /// Small trees and three repetitions: whether everything still runs, not how fast.
    var isQuick: Bool
    var seed: UInt64
    /// How often everything is measured.
    var passes = 1
    /// The server, for measuring how fast it loads a file; nil leaves that out.
    var serverPath: String?

    /// The largest size asked for.
    var largest: Int { sizes.max() ?? 1_000 }
    /// Middle-sized trees: 100,000 nodes, or the largest size when that is smaller.
    var middle: Int { min(100_000, largest) }
    /// Shares of nodes that override something, in per cent.
    let overridingPercents = [0, 1, 30]
    /// A deep chain: as deep as a hierarchy may be by default.
    var chainDepth: Int { min(10_000, largest) }

    func repetitions(_ count: Int) -> Int { isQuick ? min(count, 3) : count }

    /// Reads in one repetition.
    var readCount: Int { isQuick ? 500 : 10_000 }
}
