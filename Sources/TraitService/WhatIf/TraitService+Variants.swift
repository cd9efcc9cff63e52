// `POST …/variants`: what nodes would show in each combination of some traits, devices and operations.

import SessionViews
import TraitJSON
import TraitSessions

extension TraitService {
    /// A line for each row, or one object.
    func listVariants(_ request: Request) throws(Problem) {
        let context = request.context
        let offered: [StaticString] = ["application/x-ndjson", "application/json"]
        let format = try request.chosenMediaType(offered)
        context.contentType = offered[format]
        let variants = AssumedRead.variants(updates: context.query.updates, asLines: format == 0)
        try request.withBody { json throws(SessionError) in try answer(request, json, variants) }
    }
}
