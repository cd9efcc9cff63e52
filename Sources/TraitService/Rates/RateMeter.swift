// A rate that any thread may charge without a lock: the generic cell rate algorithm (ITU-T I.371), which
// needs one number, the time at which all that was charged will have been paid for.

import Synchronization

/// What came of a charge.
enum RateVerdict: Equatable {
    case allowed
    /// Too soon; nothing was charged.
    case refused(afterNanoseconds: UInt64)
}

/// Limits one kind of event to a rate, with a burst.
struct RateMeter: ~Copyable {
    /// Monotonic nanoseconds.
    private let paidUntil = Atomic<UInt64>(0)
    /// Nanoseconds that one event pays for; 0 for no limit.
    let interval: UInt64
    let burst: UInt64

    /// - Parameter perSecond: `Int.max` for no limit.
    init(perSecond: Int, burstSeconds: Int) {
        interval = perSecond == .max ? 0 : max(1, 1_000_000_000 / UInt64(max(1, perSecond)))
        burst = max(interval, UInt64(max(1, burstSeconds)) &* 1_000_000_000)
    }

    /// Charges one event at `now`, monotonic nanoseconds. Allocates nothing.
    func charge(at now: UInt64) -> RateVerdict {
        guard interval > 0 else { return .allowed }
        var known = paidUntil.load(ordering: .relaxed)
        while true {
            let next = max(known, now) &+ interval
            // `now` is the beginning of a shard's turn: another shard's may be a moment later.
            let ahead = next &- now
            if ahead > burst { return .refused(afterNanoseconds: ahead - burst) }
            let (done, actual) = paidUntil.weakCompareExchange(
                expected: known, desired: next, ordering: .relaxed)
            if done { return .allowed }
            known = actual
        }
    }

    /// Whether nothing is owed at `now`.
    func isIdle(at now: UInt64) -> Bool { paidUntil.load(ordering: .relaxed) <= now }
}
