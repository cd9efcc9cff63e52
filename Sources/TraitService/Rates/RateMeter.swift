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
    /// `Int.max` for no limit.
    let perSecond: Int
    /// Nanoseconds that one event pays for; 0 for no limit, and less than one for fast rates.
    private let interval: UInt64
    let burst: UInt64

    /// - Parameter perSecond: `Int.max` for no limit.
    init(perSecond: Int, burstSeconds: Int) {
        self.perSecond = perSecond
        interval = perSecond == .max ? 0 : max(1, Self.second / UInt64(max(1, perSecond)))
        burst = max(interval, UInt64(max(1, burstSeconds)) &* Self.second)
    }

    private static let second: UInt64 = 1_000_000_000

    var isLimited: Bool { perSecond != .max }

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

    /// Charges events that have happened, however much is owed then.
    func add(_ count: Int, at now: UInt64) {
        guard isLimited, count > 0 else { return }
        let cost = nanoseconds(of: count)
        var known = paidUntil.load(ordering: .relaxed)
        while true {
            let next = max(known, now).addingReportingOverflow(cost)
            let (done, actual) = paidUntil.weakCompareExchange(
                expected: known, desired: next.overflow ? .max : next.partialValue,
                ordering: .relaxed)
            if done { return }
            known = actual
        }
    }

    private func nanoseconds(of count: Int) -> UInt64 {
        let product = UInt64(count).multipliedFullWidth(by: Self.second)
        let rate = UInt64(perSecond)
        // What is paid for after centuries needs no exact number.
        return product.high < rate ? rate.dividingFullWidth(product).quotient : .max
    }

    /// Nanoseconds from `now` until what is owed is the burst: 0 when it is no more than that.
    func excess(at now: UInt64) -> UInt64 {
        let ahead = owed(at: now)
        return ahead > burst ? ahead - burst : 0
    }

    /// Nanoseconds from `now` until nothing is owed.
    func owed(at now: UInt64) -> UInt64 {
        let known = paidUntil.load(ordering: .relaxed)
        return known > now ? known - now : 0
    }

    /// How many events may be charged at once when so much is owed; 0 for a meter without a limit.
    func left(owing owed: UInt64) -> Int {
        guard isLimited, owed < burst else { return 0 }
        let product = (burst - owed).multipliedFullWidth(by: UInt64(perSecond))
        guard product.high < Self.second else { return .max }
        return Int(clamping: Self.second.dividingFullWidth(product).quotient)
    }

    /// Whether nothing is owed at `now`.
    func isIdle(at now: UInt64) -> Bool { paidUntil.load(ordering: .relaxed) <= now }
}
