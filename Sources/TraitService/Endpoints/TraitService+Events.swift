// Streams of changes: of registrations, of a node, of a subtree and of a whole session. `wait` makes a
// long poll of the same paths.

import HTTPServer
import HTTPWire
import JSONCodec
import TraitEngine
import TraitSessions

extension TraitService {
    func streamRegistrationEvents(_ request: Request) throws(Problem) {
        try open(request) { _ in .registration(request.context.secondParameter) }
    }

    /// `GET …/nodes/{node}/events?traits=a,b`: a watch. It has all settable traits unless some are named.
    func streamNodeEvents(_ request: Request) throws(Problem) {
        let names = try request.listedTraits()
        try open(request) { session throws(SessionError) in
            let node = try session.node(request.context.secondParameter)
            return .watch(node, try session.traits(names))
        }
    }

    /// `GET …/events`: the whole session, `?subtree=` of a node, or `?registrations=r1,r2` and
    /// `?watch=node:trait,trait`, repeated.
    func streamSessionEvents(_ request: Request) throws(Problem) {
        let query = request.context.query
        let withOperations = query.flag(.operations)
        let list = try query.string(.registrations)
        let root = try query.string(.subtree)
        let watches = try request.watches()
        if list != nil || !watches.isEmpty {
            if withOperations {
                throw Query.malformed(
                    .operations, "It adds to commit records, which a session's stream has.")
            }
            if root != nil {
                throw Query.malformed(
                    .subtree,
                    "It narrows a session's stream, so it goes without registrations and watch.")
            }
        }
        let names = list?.parts(at: UInt8(ascii: ","))
        try open(request, withOperations: withOperations) { session throws(SessionError) in
            if let root { return .subtree(try session.node(named: root, "subtree")) }
            if watches.isEmpty { return names.map(StreamSubject.registrations) ?? .session }
            return .members(names ?? [], try session.watches(watches))
        }
    }

    /// `POST …/events`: registrations and watches that are too many for a query.
    func streamManyEvents(_ request: Request) throws(Problem) {
        var asked: StreamMembersBody?
        try request.withBody { json throws(SessionError) in
            asked = try StreamMembersBody(json, most: limits.streamRegistrationsMax)
        }
        guard let asked else { return }
        try open(request) { session throws(SessionError) in
            .members(asked.registrations, try session.watches(asked.watches))
        }
    }

    /// Opens the stream or answers the long poll.
    private func open(
        _ request: Request, withOperations: Bool = false,
        _ subject: (Session) throws(SessionError) -> StreamSubject
    ) throws(Problem) {
        let context = request.context
        context.origin.isWaiting = true
        let session = try session(request)
        let wait = try request.wait(limits)
        var options = StreamOptions(
            format: wait == nil ? try request.streamFormat() : .page,
            withOperations: withOperations, from: try request.streamStart())
        try request.addStreamOptions(to: &options)
        options.caller = request.exchange.caller
        let compresses = try context.query.has("gzip", .compress)
        let recordsMax = try context.query.integer(.limit, in: 1...limits.longPollRecordsMax)
        if wait == nil, recordsMax != nil {
            throw Query.malformed(.limit, "It limits a long poll, so it goes with wait.")
        }
        if wait != nil, compresses {
            throw Query.malformed(
                .compress, "Pages are compressed as Accept-Encoding says; leave it out.")
        }
        if wait != nil, options.coalesces {
            throw Query.malformed(.overflow, "A page has no overflow; it goes without wait.")
        }
        let place = try StreamPlace.take(request, streamsMax: limits.streamsPerCallerMax)
        let opening: Opening
        let acknowledged: Int64
        do throws(SessionError) {
            _ = try request.entered(session, before: false)
            defer { session.leave() }
            try checkRoom(for: session)
            let subject = try subject(session)
            acknowledged = session.acknowledged
            if let wait {
                let page = try session.openPage(
                    subject, options, recordsMax: recordsMax ?? limits.longPollRecordsDefault)
                opening = .poll(page, wait: wait)
            } else {
                let cursor = try session.openStream(subject, options) { SharedRecords($0) }
                opening = .stream(EventStream(cursor, context.meters, context.caller, place))
            }
        } catch {
            throw request.streamProblem(error)
        }
        context.field("Traitd-Revision", acknowledged)
        context.field("Cache-Control", "no-store")
        switch opening {
        case .stream(let stream): request.start(stream, options.format, compresses: compresses)
        case .poll(let poll, let wait): try request.answer(poll, wait: wait, place)
        }
    }

    private func checkRoom(for session: Session) throws(SessionError) {
        guard session.feeds.listenerCount < limits.streamsMax else {
            throw SessionError.limit(
                .tooManyStreams,
                "The session has streamsMax=\(limits.streamsMax) streams. Close some.",
                name: "streamsMax", value: limits.streamsMax)
        }
    }
}

private enum Opening {
    case stream(EventStream)
    /// `wait` in milliseconds.
    case poll(LongPoll, wait: Int64)
}
