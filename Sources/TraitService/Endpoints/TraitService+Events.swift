// Streams of changes: of registrations, of a node, of a whole session; and the long poll on the
// same paths.

import HTTPServer
import HTTPWire
import JSONCodec
import TraitEngine
import TraitSessions

extension TraitService {
    func streamRegistrationEvents(_ request: Request) throws(Problem) {
        try open(request) { _ in .registration(request.context.secondParameter) }
    }

    /// `GET …/nodes/{node}/events?traits=a,b`: a watch. All settable traits when none are named.
    func streamNodeEvents(_ request: Request) throws(Problem) {
        let names = try request.listedTraits()
        try open(request) { session throws(SessionError) in
            let node = try session.node(request.context.secondParameter)
            return .watch(node, try session.traits(names))
        }
    }

    /// `GET …/events`, the whole session, or `?registrations=r1,r2`.
    func streamSessionEvents(_ request: Request) throws(Problem) {
        let query = request.context.query
        let withOperations = query.flag(.operations)
        let list = try query.string(.registrations)
        if list != nil, withOperations {
            throw Query.malformed(
                .operations, "It adds to commit records, which a session's stream has.")
        }
        let names = list?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        try open(request, withOperations: withOperations) { _ in
            names.map(StreamSubject.registrations) ?? .session
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
        let options = StreamOptions(
            format: wait == nil ? try request.streamFormat() : .page,
            withOperations: withOperations, from: try request.streamStart())
        let recordsMax = try context.query.integer(.limit, in: 1...limits.longPollRecordsMax)
        if wait == nil, recordsMax != nil {
            throw Query.malformed(.limit, "It limits a long poll, so it goes with wait.")
        }
        if wait != nil, context.query.flag(.initial) {
            throw Query.malformed(.initial, "A long poll has no initial state; use …/traits.")
        }
        let place = try streamPlace(request)
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
        case .stream(let stream): request.start(stream, options.format)
        case .poll(let poll, let wait): request.answer(poll, wait: wait, place)
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
