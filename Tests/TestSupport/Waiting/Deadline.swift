// Tests never sleep and never wait for ever: whatever waits takes a `Deadline` and says what it
// waited for when the time is up.

/// A point in time after which waiting is a failure.
package struct Deadline: Sendable {
    private let instant: ContinuousClock.Instant

    package init(within limit: Duration) {
        instant = .now.advanced(by: limit)
    }

    package var hasPassed: Bool { instant <= .now }

    /// Whole milliseconds left, rounded up, never negative: what `poll` wants.
    package var millisecondsLeft: Int32 {
        let left = ContinuousClock.now.duration(to: instant)
        let (seconds, attoseconds) = left.components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
        return Int32(clamping: max(0, milliseconds))
    }

    package var secondsLeft: Double { Double(millisecondsLeft) / 1_000 }
}

/// Something awaited did not happen in time.
package struct TimedOut: Error, CustomStringConvertible {
    package let what: String

    package init(_ what: String) {
        self.what = what
    }

    package var description: String { "timed out waiting for \(what)" }
}
