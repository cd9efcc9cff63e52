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
            let quota = quotas.quota(of: exchange.clientAddress, at: exchange.now)
            exchange.clientState = AddressState(quota)
            return quota
        }
        if let known = context.addressQuota { return known }
        let quota = quotas.quota(of: proxies.client(of: exchange), at: exchange.now)
        context.addressQuota = quota
        return quota
    }

    /// Charges the request. To be called once for each, and only where `quotas.isOn`.
    ///
    /// - Throws: `rate`.
    func chargeRequest(_ exchange: Exchange, _ context: RequestContext) throws(Problem) {
        try charge(
            quota(exchange, context).requests, "requests", "requestsPerSecondMax", exchange, context
        )
    }

    /// The same for one that may change something, beside the other charge.
    func chargeCommit(_ exchange: Exchange, _ context: RequestContext) throws(Problem) {
        try charge(
            quota(exchange, context).commits, "commits", "commitsPerSecondMax", exchange, context)
    }

    /// Charges a request without a good token to its address, so that guessing has a price.
    ///
    /// - Throws: `rate` in the place of `refusal`.
    func chargeStranger(_ exchange: Exchange, _ context: RequestContext) throws(Problem) {
        guard quotas.isOn else { return }
        try charge(
            addressQuota(exchange, context).requests, "requests", "requestsPerSecondMax", exchange,
            context)
    }

    private func charge(
        _ meter: borrowing RateMeter, _ name: String, _ limit: String, _ exchange: Exchange,
        _ context: RequestContext
    ) throws(Problem) {
        guard case .refused(let wait) = meter.charge(at: exchange.now) else { return }
        let seconds = Int64(wait / 1_000_000_000) + 1
        let window = quotas.limits.burstSeconds
        let perSecond =
            name == "commits"
            ? quotas.limits.commitsPerSecondMax : quotas.limits.requestsPerSecondMax
        let burst = perSecond.multipliedReportingOverflow(by: window)
        let who = context.caller.map { "The token \($0.accessor)" } ?? "This address"
        var problem = Problem.limit(
            .rate,
            "\(who) may send \(perSecond) \(name) a second and has sent more. Wait "
                + "\(seconds) s, and send fewer at a time; --\(Self.option(limit)) sets the rate.",
            name: limit, value: perSecond)
        problem.retryAfterSeconds = seconds
        // draft-ietf-httpapi-ratelimit-headers-10.
        throw problem.withHeader(
            "RateLimit-Policy: \"\(name)\";q=\(burst.overflow ? .max : burst.partialValue);w=\(window)"
        ).withHeader("RateLimit: \"\(name)\";r=0;t=\(seconds)")
    }

    private static func option(_ limit: String) -> String {
        CallerLimits.all.first { $0.name.description == limit }?.optionName ?? limit
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
