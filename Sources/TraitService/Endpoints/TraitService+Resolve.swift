// Many nodes resolved at once, all at one revision.

import TraitSessions
import HTTPServer
import JSONCodec
import TraitEngine

/// `{"nodes":[…] or "under":…,"traits":[…]?}`.
private struct ResolveBody {
    let object: ObjectReader

    init(_ json: JSONValue) throws(SessionError) {
        object = try ObjectReader(
            json, "a request to resolve", members: ["nodes", "under", "traits"])
        if object.has("nodes"), object.has("under") {
            throw SessionError(.malformedBody, "Give `nodes` or `under`, not both.", pointer: "/under")
        }
    }

    /// All settable traits when none are named.
    func traits(in session: Session) throws(SessionError) -> TraitSet {
        guard let json = object["traits"] else { return session.hierarchy.definitions.settable }
        return try TraitList.read(json, "traits", in: session)
            .subtracting(TraitDefinitions.privateTraits)
    }

    /// In the order in which they were named, or in tree order.
    /// - Throws: `quota` when they are too many for that many traits.
    func nodes(in session: Session, traits: Int) throws(SessionError) -> [NodeIndex] {
        let max = Self.nodesMax(session.limits, traits: traits)
        guard let json = object["nodes"] else { return try subtree(in: session, max, traits) }
        guard json.kind == .array else {
            throw object.wrongType("nodes", "an array of node identifiers", json)
        }
        guard json.count <= max else { throw tooMany(session, traits) }
        var nodes: [NodeIndex] = []
        nodes.reserveCapacity(json.count)
        for element in json.elements {
            nodes.append(try session.node(element, "/nodes/\(nodes.count)"))
        }
        return nodes
    }

    private static func nodesMax(_ limits: ServiceLimits, traits: Int) -> Int {
        min(limits.resolvedNodesMax, limits.resolvedValuesMax / max(1, traits))
    }

    private func subtree(
        in session: Session, _ max: Int, _ traits: Int
    ) throws(SessionError) -> [NodeIndex] {
        guard object.has("under") else {
            throw SessionError(
                .missingMember, "Name the `nodes`, or the node `under` which all are meant.",
                pointer: "")
        }
        let root = try session.node(try object.required("under"), "/under")
        var nodes: [NodeIndex] = []
        var isTooLarge = false
        session.hierarchy.forEachNode(under: root, after: nil) { node, _ in
            if nodes.count == max {
                isTooLarge = true
                return .stop
            }
            nodes.append(node)
            return .descend
        }
        if isTooLarge { throw tooMany(session, traits) }
        return nodes
    }

    private func tooMany(_ session: Session, _ traits: Int) -> SessionError {
        let limits = session.limits
        if Self.nodesMax(limits, traits: traits) == limits.resolvedNodesMax {
            return .limit(
                .quota,
                "At most resolvedNodesMax=\(limits.resolvedNodesMax) nodes are resolved at once. Name fewer.",
                name: "resolvedNodesMax", value: limits.resolvedNodesMax)
        }
        let max = limits.resolvedValuesMax
        return .limit(
            .quota,
            "At most resolvedValuesMax=\(max) values are resolved at once: nodes times traits. Name fewer of either.",
            name: "resolvedValuesMax", value: max)
    }
}

extension TraitService {
    /// `POST …/resolve`: one JSON object, or a line for each node when NDJSON is asked for.
    func resolve(_ request: Request) throws(Problem) {
        let context = request.context
        let offered: [StaticString] = ["application/json", "application/x-ndjson"]
        guard let format = request.exchange.bestMediaType(offered: offered) else {
            throw Problem(
                .notAcceptable, "Resolved nodes come as application/json or application/x-ndjson.")
        }
        let asLines = format == 1
        try request.withBody { json throws(SessionError) in
            let body = try ResolveBody(json)
            try looking(request, try store.session(context.firstParameter)) {
                session throws(SessionError) in
                let traits = try body.traits(in: session)
                let nodes = try body.nodes(in: session, traits: traits.count)
                asLines
                    ? session.writeLines(nodes, traits, into: &context.body)
                    : session.writeResolved(nodes, traits, into: &context.body)
            }
        }
        context.contentType = offered[format]
    }
}

extension Session {
    /// `{"revision","nodes":[{"node","state","traits"}]}`.
    fileprivate func writeResolved(
        _ nodes: [NodeIndex], _ traits: TraitSet, into writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.key("revision")
        writer.value(head)
        writer.key("nodes")
        writer.beginArray()
        for node in nodes {
            writer.beginObject()
            writer.key("node")
            hierarchy.withIdentifier(of: node) { writer.value(bytes: $0) }
            writeState(node, into: &writer)
            writeTraits(traits, at: node, .plain, into: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        writer.newline()
    }

    /// A line for each node, the same as its `…/traits`.
    fileprivate func writeLines(
        _ nodes: [NodeIndex], _ traits: TraitSet, into writer: inout JSONWriter
    ) {
        for node in nodes {
            writer.beginObject()
            writeHead(node, into: &writer)
            writeTraits(traits, at: node, .plain, into: &writer)
            writer.endObject()
            writer.newline()
        }
    }
}
