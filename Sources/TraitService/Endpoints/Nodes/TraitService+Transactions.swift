// Many operations as one commit: all or nothing, one revision, one update pass.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension TraitService {
    /// `POST …/transactions` with `{"operations":[{"op":…}…],"ifRevision"?,"reason"?}`.
    func runTransaction(_ request: Request) throws(Problem) {
        try request.withBody { json throws(SessionError) in
            let object = try ObjectReader(
                json, "a transaction", members: ["operations", "ifRevision", "reason"])
            let ifRevision = try object.integer("ifRevision")
            let operations = try object.required("operations")
            guard case .array = operations.kind else {
                throw object.wrongType("operations", "an array of operations", operations)
            }
            guard operations.count <= limits.operationsMax else {
                throw .limit(
                    .transactionTooLarge,
                    "A transaction has at most operationsMax=\(limits.operationsMax) operations. Split it.",
                    name: "operationsMax", value: limits.operationsMax)
            }
            try write(request, .many(operations), ifRevision: ifRevision, reason: object["reason"])
        }
    }
}
