// What one caller has taken, and the place where addresses find theirs.

import HTTPServer
import Synchronization

/// The rates and the streams of one caller. Shared by all shards.
final class CallerQuota: SentMeter, Sendable {
    let requests: RateMeter
    let commits: RateMeter
    /// Bytes.
    let received: RateMeter
    let sent: RateMeter
    private let streams = Atomic<Int>(0)
    private let streamsMax: Int

    init(_ limits: CallerLimits) {
        requests = RateMeter(
            perSecond: limits.requestsPerSecondMax, burstSeconds: limits.burstSeconds)
        commits = RateMeter(
            perSecond: limits.commitsPerSecondMax, burstSeconds: limits.burstSeconds)
        received = RateMeter(
            perSecond: limits.receivedBytesPerSecondMax, burstSeconds: limits.burstSeconds)
        sent = RateMeter(
            perSecond: limits.sentBytesPerSecondMax, burstSeconds: limits.burstSeconds)
        streamsMax = limits.streamsPerCallerMax
    }

    func sent(_ bytes: Int, at now: UInt64) { sent.add(bytes, at: now) }

    /// A place for one more stream, which is given back when the object goes; nil when there is none.
    func takeStream() -> StreamPlace? {
        if streams.add(1, ordering: .relaxed).newValue <= streamsMax { return StreamPlace(self) }
        streams.subtract(1, ordering: .relaxed)
        return nil
    }

    fileprivate func giveBackStream() { streams.subtract(1, ordering: .relaxed) }

    func isIdle(at now: UInt64) -> Bool {
        requests.isIdle(at: now) && commits.isIdle(at: now) && received.isIdle(at: now)
            && sent.isIdle(at: now) && streams.load(ordering: .relaxed) == 0
    }
}

/// The place of one stream or long poll.
final class StreamPlace: Sendable {
    private let quota: CallerQuota

    fileprivate init(_ quota: CallerQuota) { self.quota = quota }

    deinit { quota.giveBackStream() }
}

/// The quotas by name: of tokens by accessor, of others by address.
package final class CallerQuotas: Sendable {
    private struct State {
        var byAccessor: [String: CallerQuota] = [:]
        var byAddress: [ClientAddress: CallerQuota] = [:]
        /// When idle addresses were last looked for, in monotonic nanoseconds.
        var sweptAt: UInt64?
    }

    /// Looking for idle addresses takes O(addresses), so it is not done for every newcomer.
    private static let sweepNanoseconds: UInt64 = 1_000_000_000

    let limits: CallerLimits
    /// Whether anything is limited: without a limit no request is looked at.
    let isOn: Bool
    let limitsStreams: Bool
    let limitsSentBytes: Bool
    /// The beginning of the header lines for each kind, empty without a rate; see `RateKind.opening`.
    private let openings: [[UInt8]]
    private let clock: (@Sendable () -> UInt64)?
    private let state = Mutex(State())

    /// - Parameter clock: monotonic nanoseconds; nil for the beginning of a shard's turn.
    package init(
        _ limits: CallerLimits = CallerLimits(), clock: (@Sendable () -> UInt64)? = nil
    ) {
        self.limits = limits
        self.clock = clock
        limitsStreams = limits.streamsPerCallerMax != .max
        limitsSentBytes = limits.sentBytesPerSecondMax != .max
        openings = RateKind.allCases.map { kind in
            let perSecond = limits[keyPath: kind.limit]
            return perSecond == .max ? [] : kind.opening(perSecond, limits.burstSeconds)
        }
        isOn = limitsStreams || !openings.allSatisfy(\.isEmpty)
    }

    /// The time at which a request is charged, in monotonic nanoseconds.
    func now(_ exchange: Exchange) -> UInt64 { clock?() ?? exchange.now }

    /// The beginning of the header lines for a kind; nil where it has no rate.
    func opening(_ kind: RateKind) -> [UInt8]? {
        let opening = openings[kind.rawValue]
        return opening.isEmpty ? nil : opening
    }

    /// The same for both secrets of a token, and after its file was read again.
    func quota(of accessor: String) -> CallerQuota {
        state.withLock { state in
            if let known = state.byAccessor[accessor] { return known }
            let quota = CallerQuota(limits)
            state.byAccessor[accessor] = quota
            return quota
        }
    }

    /// - Parameter now: monotonic nanoseconds; addresses that owe nothing then may be forgotten.
    func quota(of address: ClientAddress, at now: UInt64) -> CallerQuota {
        state.withLock { state in
            let counted = address.counted
            if let known = state.byAddress[counted] { return known }
            if state.byAddress.count >= limits.callersMax {
                if state.sweptAt.map({ now >= $0 &+ Self.sweepNanoseconds }) ?? true {
                    state.sweptAt = now
                    state.byAddress = state.byAddress.filter { !$0.value.isIdle(at: now) }
                }
                // All of them are busy: the newcomer shares what is left to be forgotten next.
                if state.byAddress.count >= limits.callersMax {
                    return state.byAddress.first?.value ?? CallerQuota(limits)
                }
            }
            let quota = CallerQuota(limits)
            state.byAddress[counted] = quota
            return quota
        }
    }
}
