// Nodes: created, replaced, moved, deleted, listed in tree order.

import TraitSessions
import JSONCodec
import TraitEngine

extension TraitService {
    /// `PUT …/nodes/{node}`: creates it, or replaces `parent`, `controller` and `label` (and the
    /// values of a layer, when given).
    func putNode(_ request: Request) throws(Problem) {
        let id = try request.secondName()
        try request.withBody { json throws(SessionError) in
            let body = try NodeBody(json)
            try ObjectReader.check(try body.identifier(), "id", agreesWith: id)
            try write(
                request, .putNode(Reference(request.context.secondParameter), body), creates: true)
        }
    }

    /// `POST …/nodes`: with an identifier in the body, or with one of ours.
    func createNode(_ request: Request) throws(Problem) {
        try request.withBody { json throws(SessionError) in
            let body = try NodeBody(json)
            let id = try body.identifier() ?? environment.name(length: 12)
            let name = request.context.hold(name: id)
            try write(request, .createNode(Reference(name), body), answer: .node(id), creates: true)
        }
    }

    func getNode(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            NodeWriter.write(node, of: session, into: &context.body)
            context.body.newline()
        }
    }

    /// A merge patch of `parent`, `controller` and `label`; null detaches or clears.
    func patchNode(_ request: Request) throws(Problem) {
        try request.withBody { json throws(SessionError) in
            let node = Reference(request.context.secondParameter)
            try write(request, .updateNode(node, try NodePatch(json)))
        }
    }

    func deleteNode(_ request: Request) throws(Problem) {
        try translating { () throws(SessionError) in
            try write(request, .deleteNode(Reference(request.context.secondParameter)))
        }
    }

    /// `GET …/nodes?under=&kind=&depth=`, in tree order. `depth` counts levels below `under`
    /// (0: only itself), or below the roots.
    func listNodes(_ request: Request) throws(Problem) {
        let context = request.context
        let page = try Page(request, limits)
        let depth = try context.query.integer(.depth, in: 0...limits.hierarchy.depthMax)
        var kind: NodeKind?
        if let name = try context.query.string(.kind) {
            kind = NodeKind(name: name)
            if kind == nil {
                throw Query.malformed(
                    .kind,
                    "It takes \(NodeKind.allCases.map(\.name).joined(separator: ", ")).")
            }
        }
        let underName = try context.query.string(.under)
        try reading(request) { session throws(SessionError) in
            var under: NodeIndex?
            if let underName {
                under = try session.node(named: underName, "under")
            }
            var after: NodeIndex?
            if let name = page.after {
                guard let node = session.hierarchy.node(name) else { throw Page.malformedToken() }
                after = node
            }
            request.writeNodes(
                session, under: under, after: after, kind: kind, depth: depth, page: page)
        }
    }
}

extension Request {
    fileprivate func writeNodes(
        _ session: Session, under: NodeIndex?, after: NodeIndex?, kind: NodeKind?, depth: Int?,
        page: Page
    ) {
        let hierarchy = session.hierarchy
        context.body.beginObject()
        context.body.key("nodes")
        context.body.beginArray()
        var last: NodeIndex?
        var count = 0
        var hasMore = false
        hierarchy.forEachNode(under: under, after: after) { node, level in
            let isAtBottom = depth.map { level >= $0 } ?? false
            if kind == nil || hierarchy.kind(of: node) == kind {
                if count == page.size {
                    hasMore = true
                    return .stop
                }
                NodeWriter.write(node, of: session, into: &context.body)
                count += 1
                last = node
            }
            return isAtBottom ? .skipChildren : .descend
        }
        context.body.endArray()
        if hasMore, let last { page.writeNext(after: hierarchy.identifier(of: last), self) }
        context.body.endObject()
        context.body.newline()
    }
}
