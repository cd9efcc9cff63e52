// Traits as feature flags, by the OpenFeature Remote Evaluation Protocol, so that clients of OpenFeature read a
// session without code of this project.

import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension FlagsText: TextInParts {}

extension TraitService {
    /// `POST …/ofrep/v1/evaluate/flags/{key}`: one trait at the node that the context names.
    func evaluateFlag(_ request: Request) throws(Problem) {
        let context = request.context
        try evaluating(request) { asked, session throws(SessionError) in
            let target = try asked.target(in: session)
            let trait = try session.flag(context.secondParameter)
            session.writeFlag(
                trait, context.secondParameter, for: target,
                session.hierarchy.state(of: target.node), into: &context.body)
            context.body.newline()
        }
    }

    /// `POST …/ofrep/v1/evaluate/flags`: every trait. Few values are written under the session's lock. More are
    /// written from a snapshot, once for the entity tag and once for the client.
    func evaluateFlags(_ request: Request) throws(Problem) {
        if try waitsForRevision(request) { return }
        let context = request.context
        var long: (snapshot: SessionSnapshot, text: FlagsText)?
        var uid = ""
        try evaluating(request) { asked, session throws(SessionError) in
            let target = try asked.target(in: session)
            uid = session.uid
            let ticket = context.caller.flatMap {
                tokens?.ticket(
                    for: $0, uid: session.uid, node: session.hierarchy.identifier(of: target.node))
            }
            let text = FlagsText(for: target, publicPath: publicPath, ticket: ticket)
            var whole = text
            let budget = limits.inlineAnswerBytesMax
            if whole.write(from: session, budget: budget, into: &context.body) { return }
            context.body.reset()
            long = (try session.snapshot(), text)
        }
        guard let long else {
            var tag = FlagTag(uid: uid, isCompressed: request.willCompressBody)
            tag.add(context.body.bytes)
            return request.finishFlags(tag)
        }
        var tag = FlagTag(uid: uid, isCompressed: false)
        var rest = long.text
        var part = JSONWriter()
        work(request, revision: long.snapshot.revision) { _ throws(SessionError) -> FlagTag? in
            let isWhole = try long.snapshot.session().withState {
                rest.write(from: $0, budget: Self.hashedBytesAtATime, into: &part)
            }
            tag.add(part.bytes)
            part.reset()
            return isWhole ? tag : nil
        } then: { tag, request throws(Problem) in
            request.context.field("Traitd-Revision", long.snapshot.revision)
            request.finishFlags(tag)
            if request.context.status == 304 { return }
            try request.stream("application/json", BodyProducer(long.snapshot, long.text))
        }
    }

    private static let hashedBytesAtATime = 65_536

    /// Reads the context of the request, and runs `body` with it under the session's lock.
    private func evaluating(
        _ request: Request,
        _ body: (FlagContext, SessionState) throws(SessionError) -> Void
    ) throws(Problem) {
        let bytesMax = limits.flagContextBytesMax
        if request.exchange.body.count > bytesMax {
            throw Problem.limit(
                .bodyTooLarge,
                "The body of an evaluation has at most flagContextBytesMax=\(bytesMax) bytes.",
                name: "flagContextBytesMax", value: bytesMax)
        }
        try request.withBody { json throws(SessionError) in
            let asked = try FlagContext(json)
            let context = request.context
            let session = try store.session(
                context.firstParameter, visibleTo: context.caller?.scope)
            try looking(request, session) { session throws(SessionError) in
                try body(asked, session)
            }
        }
    }

    /// `GET …/ofrep/v1/events?node=`: notices that flags of a node have changed.
    func streamFlagEvents(_ request: Request) throws(Problem) {
        let context = request.context
        context.origin.isWaiting = true
        _ = try request.chosenMediaType(["text/event-stream"])
        guard let node = try context.query.string(.node) else {
            throw Query.malformed(.node, "Name the node whose flags are followed.")
        }
        let session = try session(request)
        let place = try StreamPlace.take(request, streamsMax: limits.streamsPerCallerMax)
        let lastEventID = request.exchange.header(.lastEventID)
            .map { String(decoding: $0, as: UTF8.self) }
        let opened = try translated(
            try request.withState(of: session, before: false) {
                state throws(SessionError) -> OpenedNotices in
                try state.checkStreamCount(limits.streamsMax)
                return try state.openNotices(
                    of: node, after: lastEventID, for: request.exchange.caller)
            })
        context.field("Traitd-Revision", opened.revision)
        context.field("Cache-Control", "no-store")
        request.start(
            EventStream(
                ChangeNotices(session, opened), context.meters, context.caller, place),
            .serverSentEvents, compresses: false)
    }
}

// MARK: - A revision that is to come

extension TraitService {
    /// How long an evaluation waits for the revision of a notice.
    private static let revisionWaitNanoseconds: UInt64 = 2_000_000_000

    /// Whether the request waits for the revision that `flagConfigEtag` names. A notice of one server may have the
    /// client read from another one, which is behind. After the wait the request is handled again.
    private func waitsForRevision(_ request: Request) throws(Problem) -> Bool {
        guard let text = try request.context.query.string(.flagConfigEtag) else { return false }
        let session = try session(request)
        let opaque =
            text.hasPrefix("\"") && text.hasSuffix("\"") ? text.dropFirst().dropLast() : text[...]
        guard let token = StreamToken(String(opaque)), token.names(session),
            session.isBehind(token)
        else { return false }
        let (exchange, context) = (request.exchange, request.context)
        guard let mark = context.mark(exchange), let retained = exchange.retainRequest() else {
            throw .noMemoryToWait
        }
        context.isTaken = true
        let deadline = exchange.now &+ Self.revisionWaitNanoseconds
        let waiting = RevisionWait(session, token)
        let handle = exchange.park(until: deadline) { [self] exchange, reason in
            if case .disconnected = reason { return .answered }
            if session.isBehind(token) {
                guard exchange.now >= deadline || reason == .draining else {
                    waiting.wait()
                    return .keepWaiting(until: deadline)
                }
                context.resume(mark)
                context.render(
                    Problem(
                        .logUnavailable,
                        "The server has not reached the revision of flagConfigEtag yet. Try again.")
                )
                context.send(on: exchange)
                return .answered
            }
            context.resume(mark)
            exchange.withRequest(retained) { answer(exchange, context) }
            if !context.isTaken { finish(exchange, context, retained) }
            context.wakes.wake()
            return .answered
        }
        waiting.waker = handle.target
        waiting.wait()
        return true
    }
}

/// Wakes a parked request with each commit of its session. Confined to the shard of the request.
private final class RevisionWait {
    private let session: Session
    private let token: StreamToken
    var waker: WakeTarget?

    init(_ session: Session, _ token: StreamToken) {
        self.session = session
        self.token = token
    }

    func wait() {
        guard let waker else { return }
        session.wakeAfterCommit(waker, before: token)
    }
}

// MARK: - Entity tags

/// The entity tag of a body that is hashed: `"ofrep.` and 16 hexadecimal digits. A hash of the session's uid, of the
/// content coding and of the body, so that it covers all on which the body depends.
struct FlagTag: Sendable {
    private var hash: UInt64

    /// - Parameter isCompressed: whether the body is sent with gzip: two codings of one representation need two
    ///   strong tags (RFC 9110, section 8.8.3).
    init(uid: String, isCompressed: Bool) {
        var uid = uid
        hash = uid.withUTF8 {
            Fingerprint.wide(UnsafeRawBufferPointer($0), seed: isCompressed ? 1 : 0)
        }
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        hash = Fingerprint.wide(bytes, seed: hash)
    }

    var text: String {
        let digits = String(hash, radix: 16)
        return "\"ofrep." + String(repeating: "0", count: 16 - digits.count) + digits + "\""
    }
}

extension Request {
    /// Whether the body in the context will be compressed.
    fileprivate var willCompressBody: Bool { exchange.willCompress(bodyBytes: sentBytes(nil)) }

    /// Adds the tag, or makes the answer 304 for a client that has this body. A request that a notice has caused is
    /// always answered with the body.
    fileprivate func finishFlags(_ tag: FlagTag) {
        let text = tag.text
        context.field("ETag", text)
        guard context.query[.flagConfigEtag] == nil, exchange.header(.ifNoneMatch) != nil else {
            return
        }
        let isKnown = Array(text.utf8).withUnsafeBytes { knows($0) }
        guard isKnown else { return }
        context.body.reset()
        context.status = 304
        context.contentType = nil
    }
}
