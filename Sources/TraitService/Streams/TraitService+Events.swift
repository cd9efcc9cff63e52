// Streams of changes: of registrations, of a node, of a subtree and of a whole session. `wait` makes a
// long poll of the same paths.

import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import Synchronization
import TraitEngine
import TraitJSON
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
            return .watch(node, try session.traits(names, withKeys: true))
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
        if !watches.isEmpty {
            return try open(
                request, StreamMembersBody(registrations: names ?? [], watches: watches))
        }
        try open(request, withOperations: withOperations) { session throws(SessionError) in
            if let root { return .subtree(try session.node(named: root, "subtree")) }
            return names.map(StreamSubject.registrations) ?? .session
        }
    }

    /// `POST …/events`: registrations and watches that are too many for a query.
    func streamManyEvents(_ request: Request) throws(Problem) {
        let most = limits.streamRegistrationsMax
        if let document = request.context.document {
            // Already the names of a long body take long.
            return try openByWriteThread(request) { session throws(SessionError) in
                guard let json = try document.json() else { throw .noBody }
                return try StreamMembersBody(json, most: most).subject(in: session)
            }
        }
        var asked: StreamMembersBody?
        try request.withBody { json throws(SessionError) in
            asked = try StreamMembersBody(json, most: most)
        }
        if let asked { try open(request, asked) }
    }
}

// MARK: - Opening

/// A stream or page that is open, and the session's acknowledged revision.
private struct Opened: Sendable {
    let stream: OpenedStream
    let acknowledged: Int64
}

/// The options of a stream or page that a request gives, without the subject.
private struct Opening: Sendable {
    let options: StreamOptions
    /// Milliseconds; nil for a stream.
    let wait: Int64?
    let recordsMax: Int
    let streamsMax: Int
    let compresses: Bool

    func open(
        _ state: SessionState,
        _ subject: (SessionState) throws(SessionError) -> StreamSubject
    ) throws(SessionError) -> Opened {
        try state.checkStreamCount(streamsMax)
        let subject = try subject(state)
        let acknowledged = state.acknowledged
        let stream =
            wait == nil
            ? try state.openStream(subject, options) : try state.openPage(subject, options)
        return Opened(stream: stream, acknowledged: acknowledged)
    }
}

/// The result of opening a stream or page on the thread that owns the session, for the shard that answers.
private final class OpenedLater: Sendable {
    let result = Mutex<Result<Opened, SessionError>?>(nil)
}

extension TraitService {
    /// The limit of watches times traits of the session for watches that a shard makes: about two milliseconds.
    private static let watchedTraitsMax = 4_096

    private func opening(
        _ request: Request, withOperations: Bool = false
    ) throws(Problem) -> Opening {
        let context = request.context
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
        return Opening(
            options: options, wait: wait,
            recordsMax: recordsMax ?? limits.longPollRecordsDefault,
            streamsMax: limits.streamsMax, compresses: compresses)
    }

    /// Opens the stream or answers the long poll.
    private func open(
        _ request: Request, withOperations: Bool = false,
        _ subject: (SessionState) throws(SessionError) -> StreamSubject
    ) throws(Problem) {
        request.context.origin.isWaiting = true
        let session = try session(request)
        let opening = try opening(request, withOperations: withOperations)
        let place = try StreamPlace.take(request, streamsMax: limits.streamsPerCallerMax)
        let opened: Opened
        do throws(SessionError) {
            opened = try request.withState(of: session, before: false) {
                state throws(SessionError) in try opening.open(state, subject)
            }
        } catch {
            throw request.streamProblem(error)
        }
        try answer(request, session, opened, opening, place)
    }

    /// Opens the stream or page of registrations and watches.
    private func open(_ request: Request, _ asked: StreamMembersBody) throws(Problem) {
        let session = try session(request)
        let isShort =
            asked.watches.isEmpty
            || session.withStateIfFree {
                asked.watches.count * $0.hierarchy.definitions.settable.count
                    <= Self.watchedTraitsMax
            } == true
        if isShort { return try open(request, asked.subject) }
        try openByWriteThread(request) { session throws(SessionError) in
            try asked.subject(in: session)
        }
    }

    /// Like `open`, for watches of so many traits that making them takes long: a thread that owns the session
    /// makes them.
    private func openByWriteThread(
        _ request: Request,
        _ subject: @escaping @Sendable (SessionState) throws(SessionError) -> StreamSubject
    ) throws(Problem) {
        let context = request.context
        context.origin.isWaiting = true
        let session = try session(request)
        let opening = try opening(request)
        let place = try StreamPlace.take(request, streamsMax: limits.streamsPerCallerMax)
        let opened = OpenedLater()
        context.response = session.queue(for: request.exchange.caller) { state in
            do throws(SessionError) {
                let stream = try opening.open(state, subject)
                opened.result.withLock { $0 = .success(stream) }
            } catch {
                opened.result.withLock { $0 = .failure(error) }
            }
        }
        work(request, revision: session.headOrRecall()) { _ in
            opened.result.withLock { $0 }
        } then: { [self] result, request throws(Problem) in
            let opened: Opened
            do throws(SessionError) {
                opened = try result.get()
            } catch {
                throw request.streamProblem(error)
            }
            try answer(request, session, opened, opening, place)
        }
    }

    private func answer(
        _ request: Request, _ session: Session, _ opened: Opened, _ opening: Opening,
        _ place: StreamPlace?
    ) throws(Problem) {
        let context = request.context
        context.field("Traitd-Revision", opened.acknowledged)
        context.field("Cache-Control", "no-store")
        if let wait = opening.wait {
            let poll = LongPoll(session, opened.stream, recordsMax: opening.recordsMax)
            return try request.answer(poll, wait: wait, place)
        }
        let cursor = StreamCursor(session, opened.stream) { SharedRecords($0) }
        request.start(
            EventStream(cursor, context.meters, context.caller, place), opening.options.format,
            compresses: opening.compresses)
    }
}

extension SessionState {
    /// - Throws: `tooManyStreams` when the session has that many.
    func checkStreamCount(_ streamsMax: Int) throws(SessionError) {
        if feeds.listenerCount < streamsMax { return }
        throw .limit(
            .tooManyStreams, "The session has streamsMax=\(streamsMax) streams. Close some.",
            name: "streamsMax", value: streamsMax)
    }
}

extension SessionError {
    fileprivate static var noBody: SessionError {
        SessionError(.internalError, "The body was not parsed.")
    }
}
