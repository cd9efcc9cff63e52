// Tests never sleep and never wait for ever: whatever waits takes a `Deadline` and says what it
// waited for when the time is up. A limit counts seconds of `Pace`, so a busy machine ends no wait.

import Dispatch

/// A point in time after which waiting is a failure.
package struct Deadline: Sendable {
    private let end: Double

    package init(within limit: Duration) {
        end = Pace.shared.seconds + limit / .seconds(1)
    }

    package var hasPassed: Bool { Pace.shared.seconds >= end }

    /// Whole milliseconds after which to look again, rounded up: what `poll` wants. None is left once the
    /// deadline has passed; at most a second while it has not, since the pace may change.
    package var millisecondsLeft: Int32 {
        Int32(min(max(0, ((end - Pace.shared.seconds) * 1_000).rounded(.up)), 1_000))
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

extension DispatchSemaphore {
    /// Waits for a signal. Returns false when the time is up before.
    package func wait(within limit: Duration) -> Bool {
        wait(before: Deadline(within: limit))
    }

    package func wait(before deadline: Deadline) -> Bool {
        while wait(timeout: .now() + deadline.secondsLeft) == .timedOut {
            if deadline.hasPassed { return false }
        }
        return true
    }
}
