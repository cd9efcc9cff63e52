// What a measurement is worth: the repetitions behind a median, and how far they spread.

/// One figure's repetitions.
struct Sample {
    /// Ascending.
    private var values: [Double]

    /// - Parameter values: at least one repetition, in any order.
    init(_ values: [Double]) {
        self.values = values.sorted()
    }

    mutating func add(_ more: [Double]) {
        values += more
        values.sort()
    }

    var count: Int { values.count }
    var min: Double { values.first ?? .nan }
    var max: Double { values.last ?? .nan }
    var median: Double { quantile(0.5) }
    var lowerQuartile: Double { quantile(0.25) }
    var upperQuartile: Double { quantile(0.75) }

    /// Linear between the two nearest repetitions.
    private func quantile(_ share: Double) -> Double {
        guard let last = values.indices.last else { return .nan }
        let position = share * Double(last)
        let lower = Int(position)
        let upper = Swift.min(lower + 1, last)
        return values[lower] + (values[upper] - values[lower]) * (position - Double(lower))
    }
}
