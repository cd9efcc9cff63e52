// Nodes: created, replaced, moved, deleted, listed in tree order.

import HTTPServer
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

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

    /// `POST …/nodes`: the identifier is the body's, or one that the server makes.
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
        try readingInParts(request) { session throws(SessionError) in
            NodeText(try session.node(context.secondParameter))
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
        try translated(try write(request, .deleteNode(Reference(request.context.secondParameter))))
    }

    /// `GET …/nodes?under=&kind=&depth=&overriding=&q=`, in tree order. `depth` counts levels below
    /// `under` (0: only itself), or below the roots. Answers with a page, or with all nodes as NDJSON.
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
        let session = try session(request)
        let overriding = try context.query.string(.overriding)
        let asLines = try request.wantsNodeLines()
        let long = try translating { () throws(SessionError) in
            try request.withState(of: session, before: true) {
                session throws(SessionError) -> (SessionSnapshot, NodeFilter, TreePlace?)? in
                try request.checkIsThere(session)
                context.response = session.pendingResponse(until: session.head)
                var filter = NodeFilter(kind: kind, depth: depth, text: page.filter)
                if let underName { filter.under = try session.node(named: underName, "under") }
                if let overriding {
                    filter.overriding = try session.trait(
                        named: overriding, parameter: "overriding")
                }
                let after = try page.after.flatMap { names throws(SessionError) in
                    try PageToken.place(names, in: session.hierarchy, under: filter.under)
                }
                if asLines {
                    if writeLines(filter, session, request) {
                        request.finishNodeLines(session.uid, session.head)
                        return nil
                    }
                } else {
                    var nodes = NodePage(filter, after: after, of: page)
                    if nodes.write(
                        from: session, visitsMax: inlineVisitsMax(filter),
                        bytesMax: limits.inlineAnswerBytesMax, cutsNodes: true, into: &context.body)
                    {
                        if let next = nodes.next { page.link(next, request) }
                        request.finishReading(session)
                        return nil
                    }
                }
                context.body.reset()
                return (try session.snapshot(), filter, after)
            }
        }
        guard let (snapshot, filter, after) = long else { return }
        if asLines {
            listLines(request, snapshot, filter)
        } else {
            listFromSnapshot(request, snapshot, NodePage(filter, after: after, of: page))
        }
    }

    /// How many nodes are visited under the session's lock.
    private func inlineVisitsMax(_ filter: NodeFilter) -> Int {
        filter.text == nil
            ? limits.inlineVisitsMax : limits.inlineVisitsMax / TextFilter.visitsForOne
    }

    /// Writes all nodes as NDJSON.
    ///
    /// - Returns: whether the list was short enough to be written completely.
    private func writeLines(_ filter: NodeFilter, _ session: SessionState, _ request: Request)
        -> Bool
    {
        var walk = NodeWalk(filter)
        return walk.writeLines(
            from: session, budget: limits.inlineBodyBytesMax,
            visitsMax: min(limits.pageSizeMax, inlineVisitsMax(filter)), cutsNodes: true,
            into: &request.context.body)
    }

    /// Makes a page on the workers, as finding its nodes takes many visits.
    private func listFromSnapshot(
        _ request: Request, _ snapshot: SessionSnapshot, _ nodes: NodePage
    ) {
        var nodes = nodes
        var writer = JSONWriter(capacity: 65_536)
        work(request, revision: snapshot.revision) { _ throws(SessionError) in
            let isComplete = try snapshot.session().withState {
                nodes.write(
                    from: $0, visitsMax: NodeWalk.visitsPerSlice,
                    bytesMax: writer.count + Self.pageBytesPerStep, into: &writer)
            }
            return isComplete ? LongBody(writer.bytes, next: nodes.next) : nil
        } then: { [limits] body, request throws(Problem) in
            let page = try Page(request, limits)
            request.finish(page, body, snapshot.header.uid, snapshot.revision)
        }
    }

    private static let pageBytesPerStep = 1_048_576

    /// Streams all nodes as NDJSON.
    private func listLines(
        _ request: Request, _ snapshot: SessionSnapshot, _ filter: NodeFilter
    ) {
        work(request, revision: snapshot.revision) { _ throws(SessionError) in
            try snapshot.session()
        } then: { _, request throws(Problem) in
            request.finishNodeLines(snapshot.header.uid, snapshot.revision)
            if request.context.status == 304 { return }
            var walk = NodeWalk(filter)
            try request.stream(
                "application/x-ndjson",
                BodyProducer(snapshot) { walk.writeLines(from: $0, budget: $1, into: &$2) })
        }
    }
}

extension Request {
    /// Whether the client prefers NDJSON. NDJSON has no pages, so a page is only offered as JSON.
    ///
    /// - Throws: `notAcceptable`.
    fileprivate func wantsNodeLines() throws(Problem) -> Bool {
        let isPage = context.query[.pageSize] != nil || context.query[.pageToken] != nil
        let offered: [StaticString] =
            isPage ? ["application/json"] : ["application/json", "application/x-ndjson"]
        if !isPage { context.field("Vary", "Accept") }
        return try chosenMediaType(offered) == 1
    }

    fileprivate func finishNodeLines(_ uid: String, _ revision: Int64) {
        context.contentType = "application/x-ndjson"
        finishReading(uid: uid, revision: revision, form: "ndjson")
    }
}
