// Changes a session to match a document, or plans the changes.

import HTTPServer
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

extension TraitService {
    /// `PUT …/apply?manager=&prune=&force=&dryRun=&plan=&changes=`.
    func applySession(_ request: Request) throws(Problem) {
        let context = request.context
        var options = ApplyOptions()
        options.prune = context.query.flag(.prune)
        options.force = context.query.flag(.force)
        if let manager = try context.query.string(.manager) {
            guard Identifier.isValid(manager) else {
                throw Problem(SessionError.malformedIdentifier(manager))
            }
            options.manager = manager
        } else if options.prune {
            throw Query.malformed(
                .prune, "It removes what a manager once set: give `manager`, too.")
        }
        options.digest = request.digest(options)
        var state: String?
        if let text = try context.query.string(.plan) {
            guard let token = PlanToken(text) else {
                throw Problem(
                    .malformedToken, "'\(text.prefix(140))' is no token of a plan.")
            }
            guard token.digest == options.digest else {
                throw Problem(
                    .tokenMismatch,
                    "The plan was made for another document, manager, prune or force. Ask for a new one with dryRun=true."
                )
            }
            state = "\(token.uid).\(token.revision)"
        }
        let isPlan = context.query.flag(.dryRun)
        try request.withBody { json throws(SessionError) in
            try write(
                request, .apply(json, options), answer: isPlan ? .plan(options.digest) : .commit,
                state: state, reason: json.member("reason"))
        }
    }
}

extension Request {
    /// A digest of the document and the options. The token of a plan is bound to it and to the revision.
    fileprivate func digest(_ options: ApplyOptions) -> UInt64 {
        let body = context.document?.digest ?? Fingerprint.wide(exchange.body)
        let words = "\(options.manager ?? "") \(options.prune) \(options.force)"
        return Array(words.utf8).withUnsafeBytes { Fingerprint.wide($0, seed: body) }
    }
}
