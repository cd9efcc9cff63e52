// Automatic trait tracking: clients say what a method read, and hear once when it has to run again.

import JSONCodec
import TraitEngine

extension TraitService {
    /// `PUT …/scopes/{method}` with `{"reads":[…]}`: answers with what those traits are now.
    func putScope(_ request: Request) throws(Problem) {
        let context = request.context
        let method = try Identifier.checked(context.thirdParameter)
        try request.withBody { json throws(Problem) in
            let object = try ObjectReader(json, "a tracked scope", members: ["reads"])
            var node: NodeIndex?
            var reads = TraitSet()
            try writing(
                request,
                describe: { session, outcome in
                    request.describeScope(session, node, reads, outcome)
                }
            ) { transaction throws(Problem) in
                let session = transaction.session
                let found = try session.node(context.secondParameter)
                reads = try TraitList.read(try object.required("reads"), "reads", in: session)
                node = found
                try transaction.setScope(found, method, reads: reads)
            }
        }
    }

    func getScope(_ request: Request) throws(Problem) {
        let context = request.context
        let method = try Identifier.checked(context.thirdParameter)
        try reading(request) { session throws(Problem) in
            let node = try session.node(context.secondParameter)
            guard let scope = session.hierarchy.scope(node, method) else {
                let id = session.hierarchy.identifier(of: node)
                throw Problem(
                    .unknownScope,
                    "Nothing is tracked for '\(method)' at the node '\(id)'. PUT …/scopes/\(method) says what it read.",
                    didYouMean: Suggestion.nearest(
                        to: method, among: session.hierarchy.scopes(of: node).map(\.name)))
            }
            session.write(scope, into: &context.body)
            context.body.newline()
        }
    }

    /// In the order in which they were first set.
    func listScopes(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(Problem) in
            let node = try session.node(context.secondParameter)
            context.body.beginObject()
            context.body.key("node")
            session.hierarchy.withIdentifier(of: node) { context.body.value(bytes: $0) }
            context.body.key("revision")
            context.body.value(session.head)
            context.body.key("scopes")
            context.body.beginArray()
            for scope in session.hierarchy.scopes(of: node) {
                session.write(scope, into: &context.body)
            }
            context.body.endArray()
            context.body.endObject()
            context.body.newline()
        }
    }

    /// Quiet when there is none.
    func deleteScope(_ request: Request) throws(Problem) {
        let context = request.context
        let method = try Identifier.checked(context.thirdParameter)
        try writing(request) { transaction throws(Problem) in
            let node = try transaction.session.node(context.secondParameter)
            if transaction.hierarchy.scope(node, method) != nil {
                transaction.removeScope(node, method)
            }
        }
    }
}

extension Request {
    /// `{"revision","unchanged"?,"dryRun"?,"traits":{…}}`.
    fileprivate func describeScope(
        _ session: Session, _ node: NodeIndex?, _ reads: TraitSet, _ outcome: CommitOutcome
    ) {
        guard let node else { return }
        context.body.beginObject()
        context.body.key("revision")
        context.body.value(outcome.revision)
        if outcome.isUnchanged {
            context.body.key("unchanged")
            context.body.value(true)
        }
        if context.query.flag(.dryRun) {
            context.body.key("dryRun")
            context.body.value(true)
        }
        session.writeTraits(
            reads.subtracting(TraitDefinitions.privateTraits), at: node, .plain,
            into: &context.body)
        context.body.endObject()
        context.body.newline()
    }
}

extension Session {
    /// `{"node","scope","invalidation","reads","stale","revision"}`.
    fileprivate func write(_ scope: ScopeInfo, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("node")
        hierarchy.withIdentifier(of: scope.node) { writer.value(bytes: $0) }
        writer.key("scope")
        writer.value(scope.name)
        writer.key("invalidation")
        writer.value(scope.invalidation)
        writer.key("reads")
        writer.beginArray()
        for trait in scope.reads { writer.value(hierarchy.definitions[trait].key) }
        writer.endArray()
        writer.key("stale")
        writer.value(scope.isStale)
        writer.key("revision")
        writer.value(scope.revision)
        writer.endObject()
    }
}
