// Automatic trait tracking: a client lists the traits that a method read, and is notified once when the method
// has to run again.

import JSONCodec
import TraitEngine
import TraitSessions

extension TraitService {
    /// `PUT …/scopes/{method}` with `{"reads":[…]}`: answers with what those traits are now.
    func putScope(_ request: Request) throws(Problem) {
        let context = request.context
        let method = try request.thirdName()
        try request.withBody { json throws(SessionError) in
            let object = try ObjectReader(json, "a tracked scope", members: ["reads"])
            let node = context.secondParameter
            try write(
                request,
                .setScope(Reference(node), method, reads: try object.required("reads")),
                answer: .scope(node: String(decoding: node, as: UTF8.self), method: method))
        }
    }

    func getScope(_ request: Request) throws(Problem) {
        let context = request.context
        let method = try request.thirdName()
        try reading(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            guard let scope = session.hierarchy.scope(node, method) else {
                let id = session.hierarchy.identifier(of: node)
                throw SessionError(
                    .unknownScope, "Nothing is tracked for '\(method)' at the node '\(id)'.",
                    didYouMean: Suggestion.nearest(
                        to: method, among: session.hierarchy.scopes(of: node).lazy.map(\.name)),
                    hint: .setScope(method: method))
            }
            session.write(scope, into: &context.body)
            context.body.newline()
        }
    }

    /// In the order in which they were first set.
    func listScopes(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            context.body.beginObject()
            context.body.member("node", node, of: session.hierarchy)
            context.body.member("uid", session.uid)
            context.body.member("revision", session.head)
            context.body.beginArray("scopes")
            for scope in session.hierarchy.scopes(of: node) {
                session.write(scope, into: &context.body)
            }
            context.body.endArray()
            context.body.endText()
        }
    }

    /// Quiet when there is none.
    func deleteScope(_ request: Request) throws(Problem) {
        let context = request.context
        let method = try request.thirdName()
        try translated(try write(request, .removeScope(Reference(context.secondParameter), method)))
    }
}
