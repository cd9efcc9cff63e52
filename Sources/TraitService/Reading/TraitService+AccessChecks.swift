// The access checks before an operation, in their order: entrance, host, origin, token, method, verb. They
// are the same for complete requests, for requests whose body is still to come, and for those the wire refuses.
// The checks of host and origin refuse requests that a browser sends for a page of another origin, and say which
// permissions such a page gets (CORS).

import HTTPServer
import HTTPWire

extension TraitService {
    /// The first checks: whether the request is for this server, comes from no foreign page, and from a caller
    /// that is known. Nothing of the body is looked at.
    ///
    /// - Returns: the route; nil for a path that has none.
    @inline(__always)
    func enter(
        _ exchange: Exchange, _ context: RequestContext
    ) throws(Problem) -> Router.Match? {
        if exchange.entrance != .open { try checkEntrance(exchange) }
        guard let match = router.match(exchange.path) else {
            try enterWithoutRoute(exchange, context)
            return nil
        }
        let gate = router.gates[match.route]
        // Probes ask by addresses that only their operator knows.
        if !gate.isHealth { try checkHost(exchange) }
        try checkOrigin(exchange)
        context.origin.route = match.route
        if tokenChanges != nil {
            if !gate.isOpen { try checkToken(exchange, context, takesKey: gate.isOfFlags) }
        } else if proxies.isOn {
            exchange.count(for: proxies.client(of: exchange).caller)
        }
        // Before the method is checked: the answer to a refused method shows the session's revision.
        try context.take(match)
        return match
    }

    /// The first checks for a path without a route. With tokens, a caller without a valid token does not learn
    /// which paths exist under /v1.
    private func enterWithoutRoute(
        _ exchange: Exchange, _ context: RequestContext
    ) throws(Problem) {
        try checkHost(exchange)
        try checkOrigin(exchange)
        let path = exchange.path
        if tokenChanges != nil, path.starts(with: "/v1".utf8),
            path.count == 3 || path[3] == UInt8(ascii: "/")
        {
            try checkToken(exchange, context)
        }
    }

    private func checkToken(
        _ exchange: Exchange, _ context: RequestContext, takesKey: Bool = false
    ) throws(Problem) {
        do throws(Problem) {
            try authenticate(exchange, context, takesKey: takesKey)
        } catch {
            // A browser sends a preflight without a token.
            if isPreflight(exchange) { return }
            throw error
        }
    }

    /// The last checks: whether the path takes the method, and the caller may do what it asks for.
    ///
    /// - Returns: the operation; nil if OPTIONS was answered.
    @inline(__always)
    func operation(
        _ exchange: Exchange, _ match: Router.Match, _ context: RequestContext
    ) throws(Problem) -> Route.Operation? {
        let gate = router.gates[match.route]
        guard let index = router.operation(of: gate, exchange.method) else {
            try refuseMethod(exchange, router.routes[match.route], context)
            return nil
        }
        let operation = router.operations[gate.firstOperation &+ index]
        context.origin.operation = index
        try authorize(gate, index, context)
        if exchange.query != nil { try parseQuery(exchange, operation, context) }
        return operation
    }

    /// Parses the query. `pretty` applies even to a problem about another parameter.
    ///
    /// - Throws: what `Query.parse` throws.
    private func parseQuery(
        _ exchange: Exchange, _ operation: Route.Operation, _ context: RequestContext
    ) throws(Problem) {
        defer { context.origin.isPretty = context.query.flag(.pretty) }
        context.origin.readsPast = try context.query.parse(
            exchange.query, allowed: operation.parameters,
            ignoresOthers: operation.endpoint.isOfFlags)
    }

    /// - Throws: the refusal of everything but health, on a connection that is for that alone.
    private func checkEntrance(_ exchange: Exchange) throws(Problem) {
        if let match = router.match(exchange.path), router.gates[match.route].isHealth { return }
        switch exchange.entrance {
        case .open: return
        case .reserved: throw Problem(exchange.connectionRefusal)
        case .health:
            throw Problem(
                .unknownRoute,
                "This address serves /livez and /readyz alone. The interface is at "
                    + "\(places.list.joined(separator: ", ")).")
        }
    }
}

// MARK: - Host and origin

extension TraitService {
    /// Refuses a request whose `Host` names another server. On loopback addresses a host must be
    /// one that the address has, `localhost`, or allowed: a browser that resolved the name
    /// of a foreign page to this machine's address sends that name. On other addresses the check holds
    /// once a host is allowed, since only their operator knows their names.
    func checkHost(_ exchange: Exchange) throws(Problem) {
        // A request without a host is HTTP/1.0, which no browser sends.
        guard let authority = exchange.authority else { return }
        if access.answers(to: authority, on: exchange.listener) { return }
        let host = String(decoding: authority.prefix(255), as: UTF8.self)
        let allowed = Listener.host(of: authority.rebasedPrefix(255))
        throw Problem(
            .unknownHost,
            "This server does not answer to the host '\(host)'. Ask for one of "
                + "\((exchange.listener.hosts + access.hosts).joined(separator: ", "))"
                + (allowed.isEmpty ? "." : ", or start it with --allow-host \(allowed)."))
    }

    /// Refuses a request that changes something and comes from a page of another origin. The order
    /// is that of `CrossOriginProtection` in Go 1.25: what the browser says about itself in
    /// `Sec-Fetch-Site`; without that, whether `Origin` is the host that is asked; with neither
    /// field the client is no browser. A preflight is refused like what it asks for.
    func checkOrigin(_ exchange: Exchange) throws(Problem) {
        switch exchange.method {
        case .get, .head: return
        case .options: return try checkPreflight(exchange)
        default: break
        }
        let site = exchange.header(.secFetchSite)
        let origin = exchange.header(.origin)
        if site == nil, origin == nil { return }
        let isClear = !exchange.isRepeated(.secFetchSite) && !exchange.isRepeated(.origin)
        if isClear {
            if let site, !site.isEmpty {
                if site.elementsEqual("same-origin".utf8) || site.elementsEqual("none".utf8) {
                    return
                }
            } else if let origin, !origin.isEmpty {
                if Self.isHost(of: origin, exchange.authority) { return }
            } else {
                return
            }
            if let origin, access.allows(origin) { return }
        }
        throw refusal(of: origin)
    }

    private func refusal(of origin: UnsafeRawBufferPointer?) -> Problem {
        let name = origin.map { String(decoding: $0.prefix(255), as: UTF8.self) }
        guard let name, name != "null" else {
            return Problem(
                .crossOrigin,
                "The request comes from a page of another origin that does not say its name. Serve "
                    + "the page from an origin of its own and start traitd with --allow-origin and it."
            )
        }
        return Problem(
            .crossOrigin,
            "The request comes from a page of the origin '\(name)', which is not this server's. "
                + "Start traitd with --allow-origin \(name) to let its pages read and write.")
    }

    /// Whether the origin's host and port are those that the request is for.
    private static func isHost(
        of origin: UnsafeRawBufferPointer, _ authority: UnsafeRawBufferPointer?
    ) -> Bool {
        guard let authority, !authority.isEmpty else { return false }
        for scheme in ["http://", "https://"] as [StaticString] {
            let count = scheme.utf8CodeUnitCount
            if origin.count == count + authority.count,
                origin.prefix(count).elementsEqual(
                    UnsafeRawBufferPointer(start: scheme.utf8Start, count: count)),
                Self.areEqual(
                    UnsafeRawBufferPointer(rebasing: origin[count...]), authority)
            {
                return true
            }
        }
        return false
    }

    /// Host names are compared without regard to case; browsers write them in small letters.
    private static func areEqual(
        _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
    ) -> Bool {
        zip(one, other).allSatisfy { a, b in
            let lower = { (byte: UInt8) in (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
            return lower(a) == lower(b)
        }
    }

    // MARK: - CORS

    /// How long a browser may remember the answer to a preflight; two hours is the most that
    /// Chromium keeps it.
    private static let preflightSeconds: Int64 = 7_200

    private static let requestFields =
        "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
        + "Last-Event-ID, Prefer, Traitd-Reason, Traitd-Request-Id, traceparent, tracestate"

    /// Whether a browser asks on behalf of a page what the page may send.
    func isPreflight(_ exchange: Exchange) -> Bool {
        exchange.method == .options && exchange.header(.accessControlRequestMethod) != nil
            && exchange.header(.origin) != nil
    }

    private func checkPreflight(_ exchange: Exchange) throws(Problem) {
        guard isPreflight(exchange), let origin = exchange.header(.origin) else { return }
        if exchange.isRepeated(.origin) || !access.allows(origin) { throw refusal(of: origin) }
    }

    /// How many bytes of names a preflight may ask for beside `requestFields`.
    private static let askedFieldsBytesMax = 2_048

    /// The names that a preflight asks for, as the end of a list; empty for a text that is no list of names. Libraries
    /// of pages send fields of their own, such as `baggage`, and the server ignores those.
    private static func askedFields(_ exchange: Exchange) -> String {
        guard let asked = exchange.header(.accessControlRequestHeaders), !asked.isEmpty,
            asked.count <= askedFieldsBytesMax,
            asked.allSatisfy({
                $0 > 0x20 && $0 < 0x7f && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
                    || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ")
            })
        else { return "" }
        return ", " + String(decoding: asked, as: UTF8.self)
    }

    /// Answers a preflight that has passed the check of origins. It looks at no session, so the answer reveals none.
    ///
    /// - Parameters:
    ///   - methods: what the path takes, as `Allow` lists it.
    ///   - takesKey: whether the path takes `X-API-Key`.
    func answerPreflight(
        _ exchange: Exchange, methods: String, takesKey: Bool, _ context: RequestContext
    ) {
        context.status = 204
        context.contentType = nil
        context.field("Allow", methods)
        context.field("Access-Control-Allow-Methods", methods)
        context.field(
            "Access-Control-Allow-Headers",
            Self.requestFields + (takesKey ? ", X-API-Key" : "") + Self.askedFields(exchange))
        context.field("Access-Control-Max-Age", Self.preflightSeconds)
        context.field("Vary", "Access-Control-Request-Method, Access-Control-Request-Headers")
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func rebasedPrefix(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: prefix(count))
    }
}
