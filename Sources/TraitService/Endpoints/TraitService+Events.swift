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
            return try openAtLength(request) { session throws(SessionError) in
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
private struct Opened {
    enum Reader {
        case stream(StreamCursor)
        case poll(LongPoll)
    }

    let reader: Reader
    let acknowledged: Int64
}

/// What a request says of its stream or page beside the subject.
private struct Opening: Sendable {
    let options: StreamOptions
    /// Milliseconds; nil for a stream.
    let wait: Int64?
    let recordsMax: Int
    let streamsMax: Int
    let compresses: Bool

    /// Runs while the session's lock is held, or on the thread that owns the session.
    func open(
        _ session: Session, _ subject: (Session) throws(SessionError) -> StreamSubject
    ) throws(SessionError) -> Opened {
        guard session.feeds.listenerCount < streamsMax else {
            throw SessionError.limit(
                .tooManyStreams,
                "The session has streamsMax=\(streamsMax) streams. Close some.",
                name: "streamsMax", value: streamsMax)
        }
        let subject = try subject(session)
        let acknowledged = session.acknowledged
        let reader: Opened.Reader =
            wait == nil
            ? .stream(try session.openStream(subject, options) { SharedRecords($0) })
            : .poll(try session.openPage(subject, options, recordsMax: recordsMax))
        return Opened(reader: reader, acknowledged: acknowledged)
    }
}

/// What a thread has opened for a shard.
///
/// `@unchecked Sendable`: the thread writes it before the response that the shard waits for is released,
/// and keeps no reference to what is opened.
private final class OpenedCell: @unchecked Sendable {
    var result: Result<Opened, SessionError>?
}

extension TraitService {
    /// Watches times traits of the session that a shard makes watches for: about two milliseconds.
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
        _ subject: (Session) throws(SessionError) -> StreamSubject
    ) throws(Problem) {
        request.context.origin.isWaiting = true
        let session = try session(request)
        let opening = try opening(request, withOperations: withOperations)
        let place = try StreamPlace.take(request, streamsMax: limits.streamsPerCallerMax)
        let opened: Opened
        do throws(SessionError) {
            _ = try request.entered(session, before: false)
            defer { session.leave() }
            opened = try opening.open(session, subject)
        } catch {
            throw request.streamProblem(error)
        }
        try answer(request, opened, opening, place)
    }

    /// Opens the stream or page of registrations and watches.
    private func open(_ request: Request, _ asked: StreamMembersBody) throws(Problem) {
        let session = try session(request)
        let isShort =
            asked.watches.isEmpty
            || session.lockedIfFree {
                asked.watches.count * session.hierarchy.definitions.settable.count
                    <= Self.watchedTraitsMax
            } == true
        if isShort { return try open(request, asked.subject) }
        try openAtLength(request) { session throws(SessionError) in
            try asked.subject(in: session)
        }
    }

    /// Like `open`, for watches of so many traits that making them takes long: a thread that owns the session
    /// makes them.
    private func openAtLength(
        _ request: Request,
        _ subject: @escaping @Sendable (Session) throws(SessionError) -> StreamSubject
    ) throws(Problem) {
        let context = request.context
        context.origin.isWaiting = true
        let session = try session(request)
        let opening = try opening(request)
        let place = try StreamPlace.take(request, streamsMax: limits.streamsPerCallerMax)
        let cell = OpenedCell()
        context.response = session.queue { session in
            do throws(SessionError) {
                cell.result = .success(try opening.open(session, subject))
            } catch {
                cell.result = .failure(error)
            }
        }
        writeAtLength(request, revision: session.headOrRecall()) {
            cell
        } then: { [self] cell, request throws(Problem) in
            guard let result = cell.result else { return }
            cell.result = nil
            let opened: Opened
            do throws(SessionError) {
                opened = try result.get()
            } catch {
                throw request.streamProblem(error)
            }
            try answer(request, opened, opening, place)
        }
    }

    private func answer(
        _ request: Request, _ opened: Opened, _ opening: Opening, _ place: StreamPlace?
    ) throws(Problem) {
        let context = request.context
        context.field("Traitd-Revision", opened.acknowledged)
        context.field("Cache-Control", "no-store")
        switch opened.reader {
        case .stream(let cursor):
            request.start(
                EventStream(cursor, context.meters, context.caller, place),
                opening.options.format, compresses: opening.compresses)
        case .poll(let poll): try request.answer(poll, wait: opening.wait ?? 0, place)
        }
    }
}

extension SessionError {
    fileprivate static var noBody: SessionError {
        SessionError(.internalError, "The body was not parsed.")
    }
}
