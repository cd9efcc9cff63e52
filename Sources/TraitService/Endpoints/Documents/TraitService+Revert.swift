// Reverts a session to an earlier revision, or one commit of it, as one commit.

import HTTPServer
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

extension TraitService {
    /// `POST …/revert?dryRun=&changes=` with
    /// `{"revision" or "at" or "commit","nodes"?,"move"?,"reason"?}`.
    func revertSession(_ request: Request) throws(Problem) {
        let context = request.context
        var read: RevertBody?
        try request.withBody { json throws(SessionError) in
            read = try RevertBody(json, limits)
            try request.take(reason: json.member("reason"))
        }
        guard let body = read else { return }
        let session = try session(request)
        let goal: Revert.Goal? = try translating { () throws(SessionError) in
            let key = try request.idempotency(store)
            return try request.withState(of: session, before: false) {
                state throws(SessionError) in
                // A request that is repeated has its answer, whatever can be read by now.
                if let key, try state.hasOutcome(of: key) { return nil }
                // The earlier state is rebuilt only if the conditions are met. The commit checks them again.
                try request.checkIsThere(state)
                switch body.target {
                case .commit(let revision):
                    _ = try state.pastRevision(.revision(revision))
                    _ = try state.pastRevision(.revision(revision - 1))
                    return .commit(revision)
                case .state(let target):
                    return .revision(
                        try state.pastRevision(
                            context.origin.pinned > 0 ? .revision(context.origin.pinned) : target))
                }
            }
        }
        var past: Revert.Past?
        let caller = request.exchange.caller
        switch goal {
        case .revision(let revision):
            context.origin.pinned = revision
            let finding = try translating { () throws(SessionError) in
                try store.past.state(of: session, at: revision, for: caller)
            }
            past = .state(try request.found(finding))
        case .commit(let revision):
            let finding = try translating { () throws(SessionError) in
                try store.past.commit(revision, of: session, for: caller)
            }
            past = .commit(try request.found(finding))
        case nil: break
        }
        let revert = Revert(goal ?? .revision(0), past, nodes: body.nodes, moves: body.moves)
        try translating { () throws(SessionError) in
            try write(request, .revert(revert), answer: .revert(revert.goal))
        }
    }
}

/// The body of a revert.
private struct RevertBody {
    enum Target {
        case state(PastTarget)
        case commit(Int64)
    }

    let target: Target
    /// The nodes to whose subtrees the revert is limited; nil for the whole session.
    let nodes: [String]?
    /// Whether nodes that stand elsewhere may be moved.
    let moves: Bool

    /// - Throws: `malformedBody`, `unknownMember`, `missingMember`, `malformedIdentifier`.
    init(_ json: JSONValue, _ limits: ServiceLimits) throws(SessionError) {
        let object = try ObjectReader(
            json, "a revert", members: ["revision", "at", "commit", "nodes", "move", "reason"])
        moves = try object.bool("move") ?? false
        target = try Self.target(object)
        nodes = try Self.nodes(object, limits)
    }

    private static func target(_ object: ObjectReader) throws(SessionError) -> Target {
        let names: [StaticString] = ["revision", "at", "commit"]
        let given = names.filter(object.has)
        guard given.count <= 1 else {
            throw SessionError(
                .malformedBody, "Give one of `revision`, `at` and `commit`.",
                pointer: "/\(given[1])")
        }
        if let time = try object.string("at") {
            guard let moment = Timestamp.moment(time) ?? Timestamp.day(time)?.upperBound else {
                throw SessionError(
                    .malformedBody,
                    "`at` is a time of RFC 3339 with its zone, such as 2026-11-26T09:30:00Z, or a day with its zone, such as 2026-11-26+01:00.",
                    pointer: "/at")
            }
            return .state(.time(moment))
        }
        for name in ["revision", "commit"] as [StaticString] {
            guard let revision = try object.integer(name) else { continue }
            guard revision >= 1 else {
                throw SessionError(
                    .malformedBody, "Revisions are counted from 1; it is \(revision).",
                    pointer: "/\(name)")
            }
            return name.description == "commit" ? .commit(revision) : .state(.revision(revision))
        }
        throw SessionError(
            .missingMember, "Say what to revert: `revision` or `at`, or one `commit`.", pointer: "")
    }

    private static func nodes(
        _ object: ObjectReader, _ limits: ServiceLimits
    ) throws(SessionError) -> [String]? {
        guard let list = object["nodes"] else { return nil }
        guard list.kind == .array, (1...limits.pageSizeMax).contains(list.count) else {
            throw object.wrongType(
                "nodes", "an array of 1 to \(limits.pageSizeMax) names of nodes", list)
        }
        var names: [String] = []
        for element in list.elements {
            guard let name = element.string?.string else {
                throw object.wrongType("nodes", "an array of names of nodes", element)
            }
            names.append(name)
        }
        return names
    }
}
