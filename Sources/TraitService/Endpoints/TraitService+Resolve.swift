// Many nodes resolved at once, all at one revision.

import HTTPServer
import JSONCodec
import Ledger
import TraitEngine
import TraitSessions

/// `{"nodes":[…] or "under":…,"traits":[…]?}`.
private struct ResolveBody {
    let object: ObjectReader

    init(_ json: JSONValue) throws(SessionError) {
        object = try ObjectReader(
            json, "a request to resolve", members: ["nodes", "under", "traits"])
        if object.has("nodes"), object.has("under") {
            throw SessionError(
                .malformedBody, "Give `nodes` or `under`, not both.", pointer: "/under")
        }
    }

    /// All settable traits when none are named.
    func traits(in session: Session) throws(SessionError) -> TraitSet {
        guard let json = object["traits"] else { return session.hierarchy.definitions.settable }
        return try TraitList.read(json, "traits", in: session)
            .subtracting(TraitDefinitions.privateTraits)
    }

    /// The array of names; nil when there is none.
    func names() throws(SessionError) -> JSONValue? {
        guard let json = object["nodes"] else { return nil }
        guard json.kind == .array else {
            throw object.wrongType("nodes", "an array of node identifiers", json)
        }
        return json
    }

    func root(in session: Session) throws(SessionError) -> NodeIndex {
        guard object.has("under") else {
            throw SessionError(
                .missingMember, "Name the `nodes`, or the node `under` which all are meant.",
                pointer: "")
        }
        return try session.node(try object.required("under"), "/under")
    }
}

/// The names of a long list, looked up a thousand at a time.
///
/// `@unchecked Sendable`: used by one step at a time.
private final class ResolvePlan: @unchecked Sendable {
    private static let namesPerStep = 1_000

    private let body: OffloadedBody
    private let asLines: Bool
    private var traits = TraitSet()
    private var names: JSONElements?
    private var nodes: [NodeIndex] = []

    init(_ bytes: RequestBody, asLines: Bool, _ memory: MemoryLedger) {
        body = OffloadedBody(bytes, memory)
        self.asLines = asLines
    }

    /// Nil until all is looked up.
    func step(_ session: Session) throws(SessionError) -> ResolvedText? {
        guard let json = try body.json() else { return nil }
        return try session.locked { () throws(SessionError) in
            if names == nil {
                let body = try ResolveBody(json)
                traits = try body.traits(in: session)
                guard let list = try body.names() else {
                    let root = try body.root(in: session)
                    return ResolvedText(.under(root), traits, asLines: asLines)
                }
                nodes.reserveCapacity(list.count)
                names = list.elements
            }
            for _ in 0..<Self.namesPerStep {
                guard let name = names?.next() else {
                    return ResolvedText(.named(nodes), traits, asLines: asLines)
                }
                nodes.append(try session.node(name, "/nodes/\(nodes.count)"))
            }
            return nil
        }
    }
}

/// How a request goes on after the look under the session's lock.
private enum ResolveCourse {
    case answered
    /// The nodes are known, and too many to be resolved there.
    case long(SessionSnapshot, ResolvedText)
    /// Their names are yet to be looked up.
    case unread(SessionSnapshot)
}

extension TraitService {
    /// `POST …/resolve`: one JSON object, or a line for each node when NDJSON is asked for. A few
    /// values are resolved under the session's lock, more from a snapshot, streamed.
    func resolve(_ request: Request) throws(Problem) {
        let context = request.context
        let offered: [StaticString] = ["application/json", "application/x-ndjson"]
        guard let format = request.exchange.bestMediaType(offered: offered) else {
            throw Problem(
                .notAcceptable, "Resolved nodes come as application/json or application/x-ndjson.")
        }
        let asLines = format == 1
        context.contentType = offered[format]
        var course = ResolveCourse.answered
        if request.exchange.body.count > limits.inlineBodyBytesMax {
            try request.checkMediaType()
            try looking(request) { session throws(SessionError) in
                course = .unread(try session.snapshot())
            }
        } else {
            try request.withBody { json throws(SessionError) in
                let body = try ResolveBody(json)
                try looking(
                    request,
                    try store.session(
                        context.firstParameter, visibleTo: context.caller?.scope)
                ) { session throws(SessionError) in
                    course = try resolve(body, in: session, asLines: asLines, &context.body)
                }
            }
        }
        switch course {
        case .answered: return
        case .long(let snapshot, let text):
            resolveAtLength(request, snapshot, offered[format]) { _, _ in text }
        case .unread(let snapshot):
            let plan = PlanCell()
            resolveAtLength(request, snapshot, offered[format]) {
                session, bytes throws(SessionError) in
                try plan.made(bytes, asLines: asLines, session.environment.memory).step(session)
            }
        }
    }

    /// Runs while the session's lock is held.
    private func resolve(
        _ body: ResolveBody, in session: Session, asLines: Bool, _ writer: inout JSONWriter
    ) throws(SessionError) -> ResolveCourse {
        let traits = try body.traits(in: session)
        let nodesMax = limits.inlineValuesMax / max(1, traits.count)
        let nodes: ResolvedNodes
        let isLong: Bool
        if let names = try body.names() {
            if names.count > limits.inlineValuesMax { return .unread(try session.snapshot()) }
            var named: [NodeIndex] = []
            named.reserveCapacity(names.count)
            for name in names.elements {
                named.append(try session.node(name, "/nodes/\(named.count)"))
            }
            nodes = .named(named)
            isLong = named.count > nodesMax
        } else {
            let root = try body.root(in: session)
            nodes = .under(root)
            isLong = session.hierarchy.hasMore(than: nodesMax, under: root)
        }
        var text = ResolvedText(nodes, traits, asLines: asLines)
        if isLong { return .long(try session.snapshot(), text) }
        let whole = text
        if text.write(from: session, budget: limits.inlineAnswerBytesMax, into: &writer) {
            return .answered
        }
        // Few values, but long ones.
        writer.reset()
        return .long(try session.snapshot(), whole)
    }

    private func resolveAtLength(
        _ request: Request, _ snapshot: SessionSnapshot, _ contentType: StaticString,
        _ plan: @escaping @Sendable (Session, RequestBody) throws(SessionError) -> ResolvedText?
    ) {
        readAtLength(request, snapshot, plan) { text, request throws(Problem) in
            request.context.field("Traitd-Revision", snapshot.revision)
            try request.stream(contentType, PartsProducer(snapshot, text))
        }
    }
}

/// The plan of one request, made in its first step.
///
/// `@unchecked Sendable`: used by one step at a time.
private final class PlanCell: @unchecked Sendable {
    private var plan: ResolvePlan?

    func made(_ bytes: RequestBody, asLines: Bool, _ memory: MemoryLedger) -> ResolvePlan {
        if let plan { return plan }
        let plan = ResolvePlan(bytes, asLines: asLines, memory)
        self.plan = plan
        return plan
    }
}

extension Hierarchy {
    /// Whether there are more than `count` nodes at and below that one. O(count).
    fileprivate func hasMore(than count: Int, under root: NodeIndex) -> Bool {
        var visited = 0
        forEachNode(under: root, after: nil) { _, _ in
            visited += 1
            return visited > count ? .stop : .descend
        }
        return visited > count
    }
}
