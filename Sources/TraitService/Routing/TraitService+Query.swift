// Parses the query of a request. `pretty` applies even to a problem about another parameter.

import HTTPServer

extension TraitService {
    /// - Throws: what `Query.parse` throws.
    func parseQuery(
        _ exchange: Exchange, _ operation: OperationGate, _ context: RequestContext
    ) throws(Problem) {
        defer { context.origin.isPretty = context.query.flag(.pretty) }
        context.origin.readsPast = try context.query.parse(
            exchange.query, allowed: operation.parameters,
            ignoresOthers: operation.endpoint.isOfFlags)
    }
}
