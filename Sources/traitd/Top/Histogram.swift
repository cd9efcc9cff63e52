// Quantiles of a histogram of Prometheus, as its function histogram_quantile estimates them.

struct Histogram {
    /// Upper bounds, rising; each count includes those before it.
    private var buckets: [(bound: Double, count: Double)] = []

    mutating func add(_ bound: Double, _ count: Double) { buckets.append((bound, count)) }

    var count: Double { buckets.last?.count ?? 0 }

    /// The counts since an earlier reading of the same histogram.
    func since(_ earlier: Histogram?) -> Histogram {
        guard let earlier, earlier.buckets.count == buckets.count else { return self }
        var difference = Histogram()
        for (now, before) in zip(buckets, earlier.buckets) {
            difference.add(now.bound, max(0, now.count - before.count))
        }
        return difference
    }

    /// Interpolated within the bucket; beyond the last finite bound it is that bound. Nil without any count.
    func quantile(_ part: Double) -> Double? {
        guard count > 0 else { return nil }
        let rank = part * count
        var below = (bound: 0.0, count: 0.0)
        for bucket in buckets {
            if bucket.count >= rank, bucket.count > below.count {
                guard bucket.bound.isFinite else { return below.bound }
                let share = (rank - below.count) / (bucket.count - below.count)
                return below.bound + (bucket.bound - below.bound) * max(0, share)
            }
            below = bucket
        }
        return below.bound.isFinite ? below.bound : nil
    }
}
