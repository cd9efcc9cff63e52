// Whether the present turn of a shard is over, and how long the longest one was. The shard asks
// after each message, so this counts the processor's ticks instead of reading the system's clock.

import CTicks

/// Confined to its shard.
struct TurnClock: ~Copyable {
    /// How long the rate of the ticks is measured: the error is a thousandth.
    private static let calibrationNanoseconds: UInt64 = 100_000

    private let turnTicks: UInt64
    /// A turn of at least this many nanoseconds is slow.
    private let slow: UInt64
    private var start: UInt64 = 0
    /// Nanoseconds of the longest turn.
    private var longest: UInt64 = 0
    /// Nanoseconds of the longest turn without the time in which the system ran others.
    private var longestScheduled: UInt64 = 0
    /// A turn of at most this many nanoseconds is neither slow nor the longest scheduled one.
    private var lookedInto: UInt64 = 0
    private var times = ThreadTimes()
    /// The last sample of `times` before the present turn, in nanoseconds, and when it was taken.
    private var waited: UInt64?
    private var ran: UInt64 = 0
    private var sampledAt: UInt64 = 0
    /// `times` is sampled at most once in this many nanoseconds, a fifth of a slow turn. Time since the sample
    /// counts as part of the present turn even if earlier turns took it: the error is at most this.
    private let sampleNanoseconds: UInt64

    /// - Parameters:
    ///   - turnTime: nanoseconds after which a turn is over.
    ///   - slow: nanoseconds from which on a turn is slow.
    init(turnTime: UInt64, slow: UInt64) {
        self.slow = slow
        sampleNanoseconds = slow / 5
        let (ticks, time) = (traitd_ticks(), MonotonicClock.now())
        var elapsed: UInt64 = 0
        while elapsed < Self.calibrationNanoseconds { elapsed = MonotonicClock.now() &- time }
        let rate = Double(traitd_ticks() &- ticks) / Double(elapsed)
        let exact = Double(turnTime) * rate
        turnTicks = exact < 1 ? 1 : exact < 1e18 ? UInt64(exact) : 1 << 60
    }

    /// The next turn may be on another thread, whose times are others.
    mutating func threadMayChange() { sampledAt = 0 }

    /// A turn begins.
    @inline(__always)
    mutating func begin(at now: UInt64) {
        if now &- sampledAt >= sampleNanoseconds { sample(now) }
        start = traitd_ticks()
    }

    @inline(never)
    private mutating func sample(_ now: UInt64) {
        waited = times.waited()
        ran = times.ran()
        sampledAt = now
    }

    /// Ticks since the turn began.
    @inline(__always)
    var elapsed: UInt64 {
        // A counter that is behind, on another processor, ends no turn.
        let (difference, isBehind) = traitd_ticks().subtractingReportingOverflow(start)
        return isBehind ? 0 : difference
    }

    /// Whether the time of the turn is used up. About 10 ns.
    @inline(__always)
    var isOver: Bool { elapsed >= turnTicks }

    /// A turn has ended. Returns how long it took if it was slow.
    @inline(__always)
    mutating func note(
        nanoseconds: UInt64, _ counters: ShardCounters
    ) -> SlowTurn? {
        let slowTurn = nanoseconds > lookedInto ? noteScheduled(nanoseconds, counters) : nil
        if nanoseconds > longest {
            longest = nanoseconds
            counters.longestTurnMicroseconds.raise(to: Int(clamping: nanoseconds / 1_000))
        }
        return slowTurn
    }

    @inline(never)
    private mutating func noteScheduled(
        _ nanoseconds: UInt64, _ counters: ShardCounters
    ) -> SlowTurn? {
        var wait: UInt64 = 0
        if let waited, let now = times.waited(), now > waited { wait = now &- waited }
        wait = min(wait, nanoseconds)
        let scheduled = nanoseconds &- wait
        if scheduled > longestScheduled {
            longestScheduled = scheduled
            lookedInto = min(scheduled, slow &- 1)
            counters.longestScheduledTurnMicroseconds.raise(to: Int(clamping: scheduled / 1_000))
        }
        if scheduled < slow { return nil }
        let ran = min(times.ran() &- ran, nanoseconds)
        return SlowTurn(nanoseconds: nanoseconds, waited: wait, ran: ran)
    }
}

/// A turn of a shard that took long on its processor.
package struct SlowTurn: Sendable {
    /// Nanoseconds by the clock.
    package let nanoseconds: UInt64
    /// Nanoseconds of them in which the shard's thread was ready and the system ran others. May be too
    /// long by a fifth of `slowTurnMicrosecondsMin`.
    package let waited: UInt64
    /// Nanoseconds of them in which the shard's thread had a processor. Same error as `waited`. In the rest
    /// it waited for other threads: for a lock, or for memory.
    package let ran: UInt64
}
