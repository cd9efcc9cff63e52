// Resolves traits of many nodes at one revision.

import HTTPServer
import JSONCodec
import Ledger
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// The options of the query: the form of the answer, and the beginning of the page.
struct ResolveOptions: Sendable {
    var form = ResolvedForm()
    /// The names of the page's token; nil for the first page.
    var after: [String]?

    /// The text of named nodes.
    func text(
        named nodes: [NodeIndex], _ parts: ResolvedParts
    ) throws(SessionError) -> ResolvedText {
        var start = 0
        if let after {
            guard after.count == 1, let number = StreamToken.number(after[0]),
                number <= Int64(nodes.count)
            else { throw Page.malformedToken() }
            start = Int(number)
        }
        return ResolvedText(.named(nodes), parts, form, start: start)
    }

    /// The text of a node and those below it.
    func text(
        under root: NodeIndex, _ parts: ResolvedParts, in session: SessionState
    ) throws(SessionError) -> ResolvedText {
        let place = try after.flatMap { names throws(SessionError) in
            try PageToken.place(names, in: session.hierarchy, under: root)
        }
        return ResolvedText(.under(root), parts, form, after: place)
    }
}

/// The names of a long list, looked up a thousand at a time.
private final class ResolvePlan {
    private static let namesPerStep = 1_000

    private let body: OffloadedBody
    private let options: ResolveOptions
    private var parts = ResolvedParts()
    private var names: JSONElements?
    private var nodes: [NodeIndex] = []

    init(_ body: OffloadedBody, _ options: ResolveOptions) {
        self.body = body
        self.options = options
    }

    /// Nil until all names are looked up.
    func step(_ session: Session) throws(SessionError) -> ResolvedText? {
        guard let json = try body.json() else { return nil }
        return try session.withState { session throws(SessionError) in
            if names == nil {
                let body = try ResolveBody(json)
                parts = try ResolvedParts(body, in: session)
                guard let list = try body.names() else {
                    let root = try body.root(in: session)
                    return try options.text(under: root, parts, in: session)
                }
                nodes.reserveCapacity(list.count)
                names = list.elements
            }
            for _ in 0..<Self.namesPerStep {
                guard let name = names?.next() else {
                    return try options.text(named: nodes, parts)
                }
                nodes.append(try session.node(name, "/nodes/\(nodes.count)"))
            }
            return nil
        }
    }
}

/// How a request continues after the session's lock is released.
private enum ResolveCourse {
    case answered
    /// The nodes are known, and too many to resolve under the lock.
    case long(SessionSnapshot, ResolvedText)
    /// The names of the nodes are not looked up yet.
    case unread(SessionSnapshot)
}

extension TraitService {
    /// `POST …/resolve`: one JSON object, or a line for each node when NDJSON is asked for; with
    /// `pageSize` a page of nodes. A few values are resolved under the session's lock. More are resolved
    /// from a snapshot, and streamed.
    func resolve(_ request: Request) throws(Problem) {
        let context = request.context
        var options = ResolveOptions()
        options.form.listing = try request.listing()
        var offered: [StaticString] = ["application/json", "application/x-ndjson"]
        if context.query[.pageSize] != nil || context.query[.pageToken] != nil {
            // NDJSON has no place for the token of the next page.
            offered.removeLast()
            let page = try Page(request, limits)
            options.form.pageSize = page.size
            options.after = page.after
        }
        let format = try request.chosenMediaType(offered)
        options.form.asLines = format == 1
        context.contentType = offered[format]
        let type = offered[format]
        var course = ResolveCourse.answered
        try request.withBody { json throws(SessionError) in
            let body = try ResolveBody(json)
            if try Assumption.operations(body.object, limits) != nil {
                return try resolveAssumed(request, json, options)
            }
            _ = try body.changed()
            let session = try presentOrPast(context)
            guard context.document == nil else {
                // A long body may have very many names.
                return try looking(request, session) { session throws(SessionError) in
                    course = .unread(try session.snapshot())
                }
            }
            try looking(request, session) { session throws(SessionError) in
                course = try resolve(body, in: session, options, &context.body)
                if case .answered = course {
                    request.stateTag(uid: session.uid, revision: session.head)
                }
            }
        }
        switch course {
        case .answered: return
        case .long(let snapshot, let text):
            resolveFromSnapshot(request, snapshot, type) { _, _ in text }
        case .unread(let snapshot):
            var known: ResolvePlan?
            resolveFromSnapshot(request, snapshot, type) {
                [options, document = context.document] session, bytes throws(SessionError) in
                let plan =
                    known
                    ?? ResolvePlan(
                        document ?? OffloadedBody(bytes, session.environment.memory), options)
                known = plan
                return try plan.step(session)
            }
        }
    }

    private func resolve(
        _ body: ResolveBody, in session: SessionState, _ options: ResolveOptions,
        _ writer: inout JSONWriter
    ) throws(SessionError) -> ResolveCourse {
        let parts = try ResolvedParts(body, in: session)
        // The cost of a chain grows with the depth of its node.
        let valuesMax = options.form.listing.explain ? Self.inlineChainsMax : limits.inlineValuesMax
        let nodesMax = valuesMax / parts.count
        let pageSize = options.form.pageSize ?? .max
        var text: ResolvedText
        let isLong: Bool
        if let names = try body.names() {
            if names.count > limits.inlineValuesMax { return .unread(try session.snapshot()) }
            var named: [NodeIndex] = []
            named.reserveCapacity(names.count)
            for name in names.elements {
                named.append(try session.node(name, "/nodes/\(named.count)"))
            }
            text = try options.text(named: named, parts)
            isLong = min(named.count, pageSize) > nodesMax
        } else {
            let root = try body.root(in: session)
            text = try options.text(under: root, parts, in: session)
            isLong = pageSize > nodesMax && session.hierarchy.hasMore(than: nodesMax, under: root)
        }
        if isLong { return .long(try session.snapshot(), text) }
        let whole = text
        if text.write(from: session, budget: limits.inlineAnswerBytesMax, into: &writer) {
            return .answered
        }
        // There are few values, but their JSON is long.
        writer.reset()
        return .long(try session.snapshot(), whole)
    }

    /// The most chains that are resolved under the session's lock, in a tree of any depth.
    private static let inlineChainsMax = 40

    private func resolveFromSnapshot(
        _ request: Request, _ snapshot: SessionSnapshot, _ contentType: StaticString,
        _ plan: sending @escaping (Session, RequestBody) throws(SessionError) -> ResolvedText?
    ) {
        work(request, revision: snapshot.revision) { body throws(SessionError) in
            try plan(try snapshot.session(), body)
        } then: { text, request throws(Problem) in
            request.stateTag(uid: snapshot.header.uid, revision: snapshot.revision)
            request.context.field("Traitd-Revision", snapshot.revision)
            try request.stream(contentType, BodyProducer(snapshot, text))
        }
    }
}

extension Request {
    /// Whether the body may have assumptions. O(bytes) of a short body, which a long one is parsed for.
    var mayAssume: Bool {
        guard let document = context.document else { return Assumption.isIn(exchange.body) }
        return (try? document.json())?.member(Assumption.member) != nil
    }
}

extension Hierarchy {
    /// Whether there are more than `count` nodes at and below that one. O(count).
    func hasMore(than count: Int, under root: NodeIndex) -> Bool {
        var visited = 0
        forEachNode(under: root, after: nil) { _, _ in
            visited += 1
            return visited > count ? .stop : .descend
        }
        return visited > count
    }
}
