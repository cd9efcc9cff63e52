// Streams of changes: of registrations, of a node, of a whole session; and the long poll on the
// same paths.

import HTTPServer
import HTTPWire
import JSONCodec
import TraitEngine

extension TraitService {
    func streamRegistrationEvents(_ request: Request) throws(Problem) {
        try open(request) { session throws(Problem) in
            let registration = try session.registration(request.context.secondParameter)
            return session.feed(of: [registration])
        }
    }

    /// `GET …/nodes/{node}/events?traits=a,b`: a watch. All settable traits when none are named.
    func streamNodeEvents(_ request: Request) throws(Problem) {
        try open(request) { session throws(Problem) in
            let node = try session.node(request.context.secondParameter)
            let traits = try session.requestedTraits(request.context.query)
            guard !traits.isEmpty else { throw Problem(OperationError.emptyTraitList) }
            return try session.watchFeed(node, traits)
        }
    }

    /// `GET …/events`, the whole session, or `?registrations=r1,r2`.
    func streamSessionEvents(_ request: Request) throws(Problem) {
        let query = request.context.query
        let withOperations = query.flag(.operations)
        let names = try query.string(.registrations)
        if names != nil, withOperations {
            throw Query.malformed(
                .operations, "It adds to commit records, which a session's stream has.")
        }
        try open(request, withOperations: withOperations) { session throws(Problem) in
            guard let names else { return session.feed(.session, since: 0) }
            return session.feed(of: try session.registrations(named: names))
        }
    }

    /// Opens the stream or answers the long poll.
    private func open(
        _ request: Request, withOperations: Bool = false,
        _ find: (Session) throws(Problem) -> Feed
    ) throws(Problem) {
        let context = request.context
        let session = try session(request)
        let wait = try request.wait(limits)
        let initial = context.query.flag(.initial)
        let format = wait == nil ? try request.streamFormat() : .page
        let recordsMax = try context.query.integer(.limit, in: 1...limits.longPollRecordsMax)
        if wait == nil, recordsMax != nil {
            throw Query.malformed(.limit, "It limits a long poll, so it goes with wait.")
        }
        if wait != nil, initial {
            throw Query.malformed(.initial, "A long poll has no initial state; use …/traits.")
        }
        let opening = try session.locked { () throws(Problem) -> Opening in
            if session.isDeleted {
                throw Problem(
                    .unknownSession, "The session '\(session.name)' was deleted just now.")
            }
            guard session.feeds.listenerCount < limits.streamsMax else {
                throw Problem.limit(
                    .tooManyStreams,
                    "The session has streamsMax=\(limits.streamsMax) streams. Close some.",
                    name: "streamsMax", value: limits.streamsMax)
            }
            let feed = try find(session)
            let writer = RecordWriter(
                uid: session.uid, feed: feed, format: format, withOperations: withOperations)
            guard let wait else {
                return .stream(try request.makeStream(session, writer, initial: initial))
            }
            let poll = LongPoll(
                session: session, writer: writer,
                position: try StreamStart.position(request, session, feed),
                recordsMax: recordsMax ?? limits.longPollRecordsDefault)
            return .poll(poll, wait: wait)
        }
        context.field("Traitd-Revision", session.locked { session.acknowledged })
        context.field("Cache-Control", "no-store")
        switch opening {
        case .stream(let stream): request.start(stream, format)
        case .poll(let poll, let wait): request.answer(poll, wait: wait)
        }
    }
}

private enum Opening {
    case stream(EventStream)
    /// `wait` in milliseconds.
    case poll(LongPoll, wait: Int64)
}

extension Session {
    /// The feed of some registrations. Runs while the lock is held.
    func feed(of registrations: [RegistrationIndex]) -> Feed {
        let named = registrations.map { index -> FeedFilter.NamedRegistration in
            let info = hierarchy.registrationInfo(index)
            return FeedFilter.NamedRegistration(
                index: index, id: info.identifier ?? "",
                node: hierarchy.identifier(of: info.node), since: info.createdRevision)
        }
        return feed(.registrations(named), since: named.map(\.since).min() ?? 0)
    }

    fileprivate func registrations(named list: String) throws(Problem) -> [RegistrationIndex] {
        let names = list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= limits.streamRegistrationsMax else {
            throw .limit(
                .quota,
                "A stream names at most streamRegistrationsMax=\(limits.streamRegistrationsMax) registrations.",
                name: "streamRegistrationsMax", value: limits.streamRegistrationsMax)
        }
        var found: [RegistrationIndex] = []
        for name in names {
            guard let registration = hierarchy.registration(named: name) else {
                throw Problem(
                    .unknownRegistration,
                    "The session '\(self.name)' has no registration '\(name.prefix(140))'.")
            }
            if !found.contains(registration) { found.append(registration) }
        }
        return found
    }
}
