// Automatic trait tracking: a client lists the traits that a method read, and is notified once when the method
// has to run again.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
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
                // Comparing with each of very many names would hold the session's lock for long.
                let isComparable = session.hierarchy.hasScopes(
                    atMost: limits.inlineValuesMax, node)
                let names = isComparable ? session.hierarchy.scopes(of: node).map(\.name) : []
                throw SessionError(
                    .unknownScope, "Nothing is tracked for '\(method)' at the node '\(id)'.",
                    didYouMean: Suggestion.nearest(to: method, among: names),
                    hint: .setScope(method: method))
            }
            session.write(scope, into: &context.body)
            context.body.newline()
        }
    }

    /// In the order in which they were first set.
    func listScopes(_ request: Request) throws(Problem) {
        let context = request.context
        try readingInParts(request) { session throws(SessionError) in
            ScopesText(try session.node(context.secondParameter))
        }
    }

    /// Quiet when there is none.
    func deleteScope(_ request: Request) throws(Problem) {
        let context = request.context
        let method = try request.thirdName()
        try translated(try write(request, .removeScope(Reference(context.secondParameter), method)))
    }
}

/// The scopes of a node. There may be a million, so even finding them is work for another thread.
private struct ScopesText: TextInParts {
    let node: NodeIndex
    private var list: ListText?

    init(_ node: NodeIndex) { self.node = node }

    func writeAtOnce(from session: SessionState, budget: Int, into writer: inout JSONWriter) -> Bool
    {
        guard session.hierarchy.hasScopes(atMost: session.limits.inlineValuesMax, node) else {
            return false
        }
        var all = self
        return all.write(from: session, budget: budget, into: &writer)
    }

    mutating func write(
        from session: SessionState, budget: Int, into writer: inout JSONWriter
    ) -> Bool {
        var list = list ?? Self.list(session.hierarchy.scopes(of: node), node)
        defer { self.list = list }
        return list.write(from: session, budget: budget, into: &writer)
    }

    private static func list(_ scopes: [ScopeInfo], _ node: NodeIndex) -> ListText {
        ListText(count: scopes.count) { session, writer in
            writer.beginObject()
            writer.member("node", node, of: session.hierarchy)
            writer.member("uid", session.uid)
            writer.member("revision", session.head)
            writer.beginArray("scopes")
        } member: { session, position, writer in
            session.write(scopes[position], into: &writer)
        } end: { _, writer in
            writer.endArray()
            writer.endText()
        }
    }
}
