// Charges a request to its caller, and refuses it when the caller's rate is used up.

import HTTPServer
import HTTPWire
import TraitSessions

extension TraitService {
    /// The caller's quota: the token's, else the address's.
    private func quota(_ exchange: Exchange, _ context: RequestContext) -> CallerQuota {
        if let caller = context.caller { return quotas.quota(of: caller, exchange) }
        return addressQuota(exchange, context)
    }

    private func addressQuota(_ exchange: Exchange, _ context: RequestContext) -> CallerQuota {
        if !proxies.isOn, tokens == nil {
            if let known = exchange.clientState {
                // Nothing else is ever kept there.
                return unsafeDowncast(known, to: AddressState.self).quota
            }
            let quota = quotas.quota(of: exchange.clientAddress, at: quotas.now(exchange))
            exchange.clientState = AddressState(quota)
            return quota
        }
        if let known = context.addressQuota { return known }
        let quota = quotas.quota(of: proxies.client(of: exchange), at: quotas.now(exchange))
        context.addressQuota = quota
        return quota
    }

    /// Charges the request: one to the rate of requests, and its bytes when they are there. From here on the
    /// bytes that the connection sends are charged to the same caller. To be called once for each request, and
    /// once more if the first time was before its body had come; only where `quotas.isOn`.
    ///
    /// - Throws: `rate`.
    func chargeRequest(
        _ exchange: Exchange, _ context: RequestContext, isArrived: Bool
    ) throws(Problem) {
        try charge(quota(exchange, context), exchange, context, isArrived: isArrived)
    }

    /// The same for one that may change something, beside the other charge.
    func chargeCommit(_ exchange: Exchange, _ context: RequestContext) throws(Problem) {
        let quota = quota(exchange, context)
        if exchange.isExpected { return tell(.commits, quota, exchange, context) }
        try charge(.commits, quota, exchange, context)
    }

    /// Charges a request without a good token to its address, so that guessing has a price.
    ///
    /// - Throws: `rate` in the place of `refusal`.
    func chargeStranger(_ exchange: Exchange, _ context: RequestContext) throws(Problem) {
        guard quotas.isOn else { return }
        try charge(addressQuota(exchange, context), exchange, context)
    }

    private func charge(
        _ quota: CallerQuota, _ exchange: Exchange, _ context: RequestContext,
        isArrived: Bool = true
    ) throws(Problem) {
        if exchange.isExpected {
            tell(.requests, quota, exchange, context)
        } else {
            try checkBytes(quota, exchange, context)
            try charge(.requests, quota, exchange, context)
        }
        if isArrived { quota.received.add(exchange.receivedBytes, at: quotas.now(exchange)) }
        if quotas.limitsSentBytes { exchange.sentMeter = quota }
        for kind in [RateKind.received, .sent] { tell(kind, quota, exchange, context) }
    }

    /// What bytes cost is known when they are there: a caller may owe its burst, and has to wait while it
    /// owes more.
    private func checkBytes(
        _ quota: CallerQuota, _ exchange: Exchange, _ context: RequestContext
    ) throws(Problem) {
        for kind in [RateKind.received, .sent] where quotas.opening(kind) != nil {
            let wait = quota.with(kind) { $0.excess(at: quotas.now(exchange)) }
            if wait > 0 { throw refusal(kind, wait, context) }
        }
    }

    private func charge(
        _ kind: RateKind, _ quota: CallerQuota, _ exchange: Exchange, _ context: RequestContext
    ) throws(Problem) {
        if case .refused(let wait) = quota.with(kind, { $0.charge(at: quotas.now(exchange)) }) {
            throw refusal(kind, wait, context)
        }
        tell(kind, quota, exchange, context)
    }

    /// Has the answer say what is left of a rate, whatever the answer will be.
    private func tell(
        _ kind: RateKind, _ quota: CallerQuota, _ exchange: Exchange, _ context: RequestContext
    ) {
        guard let opening = quotas.opening(kind) else { return }
        let (left, owed) = quota.with(kind) { meter in
            let owed = meter.owed(at: quotas.now(exchange))
            return (meter.left(owing: owed), owed)
        }
        context.shareRate(opening, left: left, seconds: Self.seconds(owed))
    }

    private static func seconds(_ nanoseconds: UInt64) -> Int64 {
        nanoseconds == 0 ? 0 : Int64((nanoseconds - 1) / 1_000_000_000) + 1
    }

    private func refusal(
        _ kind: RateKind, _ wait: UInt64, _ context: RequestContext
    ) -> Problem {
        let seconds = Self.seconds(wait)
        let perSecond = quotas.limits[keyPath: kind.limit]
        let option = kind.entry?.optionName ?? ""
        let who = context.caller.map { "The token \($0.accessor)" } ?? "This address"
        var problem = Problem.limit(
            .rate,
            "\(who) exceeded its rate of \(perSecond) \(kind.words) a second. Wait \(seconds) s, and "
                + "ask for less at a time; --\(option) sets the rate.",
            name: (kind.entry?.name ?? kind.name).description, value: perSecond)
        problem.retryAfterSeconds = seconds
        context.shareRate(quotas.opening(kind) ?? [], left: 0, seconds: seconds)
        return problem
    }

    /// A place for one more stream of the caller; nil where streams are not limited.
    ///
    /// - Throws: `tooManyStreams`.
    func streamPlace(_ request: Request) throws(Problem) -> StreamPlace? {
        guard quotas.limitsStreams else { return nil }
        if let place = quota(request.exchange, request.context).takeStream() { return place }
        let max = quotas.limits.streamsPerCallerMax
        let who = request.context.caller.map { "The token \($0.accessor)" } ?? "This address"
        throw Problem.limit(
            .tooManyStreams,
            "\(who) has streamsPerCallerMax=\(max) streams open. Close some.",
            name: "streamsPerCallerMax", value: max)
    }
}

extension CallerQuotas {
    /// Looked up once for each connection and token.
    fileprivate func quota(of caller: Caller, _ exchange: Exchange) -> CallerQuota {
        guard let known = exchange.clientState else { return quota(of: caller.accessor) }
        let state = unsafeDowncast(known, to: ClientState.self)
        if state.caller === caller, let quota = state.quota { return quota }
        let quota = quota(of: caller.accessor)
        if state.caller === caller { state.quota = quota }
        return quota
    }
}

/// What a connection remembers where there are no tokens. Confined to the shard of its connection.
private final class AddressState {
    let quota: CallerQuota

    init(_ quota: CallerQuota) { self.quota = quota }
}
