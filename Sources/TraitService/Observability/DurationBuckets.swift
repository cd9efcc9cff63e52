// The buckets of all durations: 1, 2.5 and 5 in each decade from 10 µs to 10 s.

/// Where durations are counted. A histogram takes `count` numbers, not cumulative, and one for their sum.
enum DurationBuckets {
    /// Upper bounds in nanoseconds, each belonging to its bucket; what is longer is in one more.
    static let bounds: [UInt64] = [
        10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
        10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000,
        2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]
    /// The bounds in seconds, as `le` has them. OpenMetrics wants a point in each.
    static let labels = [
        "0.00001", "0.000025", "0.00005", "0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005",
        "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0", "+Inf",
    ]
    static let count = labels.count
    /// Numbers of one histogram: its buckets, then the sum in nanoseconds.
    static let stride = count + 1

    /// O(bounds), and short durations come first.
    static func index(of nanoseconds: UInt64) -> Int {
        var index = 0
        while index < bounds.count, bounds[index] < nanoseconds { index += 1 }
        return index
    }
}
