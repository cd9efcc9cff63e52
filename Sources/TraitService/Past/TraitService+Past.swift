// Reads of the past: the operation runs as always, on a session as it was. Threads for the past rebuild that session;
// the shard only finds it.

import HTTPServer
import SessionViews
import TraitJSON
import TraitSessions

extension TraitService {
    /// Runs an operation on the session as it was at the revision that the query names. If that has to be rebuilt, the
    /// request is handled again when it is there.
    @inline(never)
    func runInPast(_ endpoint: Endpoint, _ request: Request) throws(Problem) {
        let context = request.context
        let target = try request.pastTarget()
        let session = try session(request)
        let revision = try translating { () throws(SessionError) in
            try request.withState(of: session, before: false) { state throws(SessionError) in
                if state.isDeleted { throw .deleted(state.name) }
                // A time may mean a newer revision by the time when the request is handled again.
                if context.origin.pinned > 0 {
                    return try state.pastRevision(.revision(context.origin.pinned))
                }
                return try state.pastRevision(target)
            }
        }
        context.origin.pinned = revision
        let finding = try translating { () throws(SessionError) in
            try store.past.state(
                of: session, at: revision, for: request.exchange.caller,
                isAssumable: endpoint == .listVariants
                    || endpoint == .resolve && request.mayAssume)
        }
        context.past = try request.found(finding)
        defer { context.past = nil }
        try run(endpoint, request)
    }

    /// The session that the path names, or that session as it was while an operation reads the past.
    func presentOrPast(_ context: RequestContext) throws(SessionError) -> Session {
        if let past = context.past { return past }
        return try store.session(context.firstParameter, visibleTo: context.caller?.scope)
    }
}

extension Request {
    /// The value of a finding, or has the request handled again when it is there.
    ///
    /// - Throws: when the request waits; `mustRepeat` is set then.
    func found<Value>(_ finding: PastFinding<Value>) throws(Problem) -> Value {
        switch finding {
        case .found(let value): return value
        case .wait(let response):
            context.response = response
            context.write = nil
            context.mustRepeat = true
            throw Problem(.internalError, "The past is being rebuilt.")
        }
    }

    /// The revision that the query names.
    ///
    /// - Throws: `malformedParameter`.
    func pastTarget() throws(Problem) -> PastTarget {
        let query = context.query
        if let time = try query.moment(.at) {
            if query[.revision] != nil {
                throw Query.malformed(.at, "Give revision or at, not both.")
            }
            return .time(time)
        }
        return .revision(Int64(try query.integer(.revision, in: 1...Self.revisionMax) ?? 1))
    }

    /// Revisions are whole numbers of JSON.
    static let revisionMax = 1 << 53 - 1
}

extension Query {
    /// Milliseconds since 1970; of a day its last one. Nil when absent.
    ///
    /// - Throws: `malformedParameter`.
    func moment(_ parameter: QueryParameter) throws(Problem) -> Int64? {
        guard let text = try string(parameter) else { return nil }
        guard let time = Timestamp.moment(text) ?? Timestamp.day(text)?.upperBound else {
            throw Self.malformed(
                parameter,
                "It takes a time of RFC 3339 with its zone, such as 2026-11-26T09:30:00Z or 2026-11-26T10:30:00%2B01:00, or a day with its zone, such as 2026-11-26%2B01:00."
            )
        }
        return time
    }
}
