// The query of a request on its way in: what it says of the answer's form counts even if the rest is refused.

import HTTPServer

extension TraitService {
    /// - Throws: what `Query.parse` throws.
    func parseQuery(
        _ exchange: Exchange, _ allowed: QueryParameterSet, _ context: RequestContext
    ) throws(Problem) {
        // What was understood counts for a refusal of the rest, too.
        defer {
            context.origin.isTraced = context.query.flag(.trace)
            context.origin.isPretty = context.query.flag(.pretty)
        }
        try context.query.parse(exchange.query, allowed: allowed)
    }
}
