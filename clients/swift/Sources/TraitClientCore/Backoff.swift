// When to try again. Randomness is passed in, from 0 to 1.

package struct Backoff: Sendable, Hashable {
    /// Of a delay before the second attempt, before the random factor.
    package let first: Duration
    /// The longest delay, before the random factor.
    package let most: Duration
    /// How many delays there were in a row.
    package private(set) var attempt = 0

    package init(_ range: ClosedRange<Duration>) {
        first = max(range.lowerBound, .zero)
        most = max(range.upperBound, .zero)
    }

    /// `first × 2ⁿ`, at most `most`, times a factor from 0.5 to 1, where n counts from 0.
    package mutating func next(random: Double) -> Duration {
        let power = Double(sign: .plus, exponent: min(attempt, 62), significand: 1)
        attempt += 1
        let longest = min(first.seconds * power, most.seconds)
        return .clamped(seconds: longest * (0.5 + 0.5 * random))
    }

    /// Counts an attempt whose time the server has named: that time in full, and up to 10 % and a second more,
    /// so that clients do not come back at once.
    package mutating func next(named delay: Duration, random: Double) -> Duration {
        attempt += 1
        return delay + .clamped(seconds: min(delay.seconds * 0.1, 1) * random)
    }

    package mutating func reset() { attempt = 0 }
}

extension Duration {
    /// The longest delay: a thousand years, so that sums of delays stay in range.
    private static let mostSeconds = 3e10

    package var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    /// From 0 to a thousand years; 0 for NaN.
    package static func clamped(seconds: Double) -> Duration {
        .seconds(seconds > 0 ? min(seconds, mostSeconds) : 0)
    }
}
