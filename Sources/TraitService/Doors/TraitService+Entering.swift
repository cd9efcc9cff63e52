// The checks before an operation, called doors, in their order: entrance, host, origin, token, method, verb. They
// are the same for complete requests, for requests whose body is still to come, and for those the wire refuses.

import HTTPServer
import HTTPWire

extension TraitService {
    /// The first doors: whether the request is for this server, comes from no foreign page, and from a caller
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

    /// The first doors for a path without a route. With tokens, a caller without a valid token does not learn
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

    /// The last doors: whether the path takes the method, and the caller may do what it asks for.
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
