// Starting streams and long polls.

import HTTPServer
import HTTPWire
import JSONCodec
import TraitEngine

extension Request {
    /// NDJSON unless server-sent events are preferred.
    func streamFormat() throws(Problem) -> RecordFormat {
        let offered: [StaticString] = ["application/x-ndjson", "text/event-stream"]
        switch exchange.bestMediaType(offered: offered) {
        case 0: return .ndjson
        case 1: return .serverSentEvents
        default:
            throw Problem(
                .notAcceptable,
                "Streams come as application/x-ndjson or text/event-stream; a page comes with ?wait=0."
            )
        }
    }

    /// `?wait=30s` in milliseconds; nil without it.
    func wait(_ limits: ServiceLimits) throws(Problem) -> Int64? {
        guard let text = try context.query.string(.wait) else { return nil }
        guard let wait = QueryDuration.milliseconds(text),
            wait <= Int64(limits.longPollWaitSecondsMax) * 1_000
        else {
            throw Query.malformed(
                .wait,
                "It takes a duration such as 30s or 500ms, at most \(limits.longPollWaitSecondsMax)s; 0 returns at once."
            )
        }
        return wait
    }

    /// Runs while the session's lock is held.
    func makeStream(
        _ session: Session, _ writer: RecordWriter, initial: Bool
    ) throws(Problem) -> EventStream {
        // An EventSource repeats its first URL when it reconnects: where it was counts then.
        let isReconnecting = !(exchange.header(.lastEventID)?.isEmpty ?? true)
        guard initial, !isReconnecting else {
            let position = try StreamStart.position(self, session, writer.feed)
            return EventStream(session, writer, from: position, preface: nil)
        }
        if let from = context.query[.from], !from.elementsEqual("now".utf8) {
            throw Query.malformed(
                .from, "With initial=true a stream starts at the present: leave `from` out.")
        }
        var json = JSONWriter(capacity: 1_024)
        session.writeState(writer, into: &json)
        let preface = EventStream.Preface(
            bytes: json.array(), revision: session.head, withdrawals: session.withdrawals)
        return EventStream(
            session, writer, from: StreamPosition(revision: session.head), preface: preface)
    }

    func start(_ stream: EventStream, _ format: RecordFormat) {
        context.field("X-Accel-Buffering", "no")
        if exchange.method == .head {
            context.contentType = format.contentType
            return
        }
        context.isTaken = true
        let handle = exchange.stream(
            status: 200, contentType: format.contentType, fields: context.fields.bytes,
            source: stream)
        stream.listen(handle)
    }

    /// Answers at once when there is a record, else when there is one or the time is up.
    func answer(_ poll: LongPoll, wait: Int64) {
        let mark = context.body.count
        if poll.write(into: &context.body, evenIfEmpty: wait == 0 || exchange.method == .head) {
            return
        }
        context.body.truncate(to: mark)
        context.isTaken = true
        let context = context
        let requestID = Array(context.requestIDBytes)
        let fields = context.fields.array()
        let deadline = MonotonicClock.now() + UInt64(wait) * 1_000_000
        let listener = PollListener(poll)
        let handle = exchange.park(until: deadline) { exchange, reason in
            if case .disconnected = reason {
                listener.leave()
                return .answered
            }
            context.resume(requestID: requestID)
            var isOver = true
            if case .woken = reason { isOver = false }
            guard poll.write(into: &context.body, evenIfEmpty: isOver) else {
                return .keepWaiting(until: deadline)
            }
            listener.leave()
            context.fields.removeAll(keepingCapacity: true)
            context.fields.append(fields)
            context.send(on: exchange)
            return .answered
        }
        listener.listen(handle)
    }
}

/// Confined to the shard of the request that polls.
private final class PollListener {
    private let poll: LongPoll
    private var listener: Int?

    init(_ poll: LongPoll) { self.poll = poll }

    func listen(_ handle: WakeHandle) {
        let session = poll.session
        let isBehind = session.locked { () -> Bool in
            listener = session.feeds.listen(poll.writer.feed, handle)
            if case .caughtUp = session.read(poll.writer.feed, from: poll.position, limit: 1) {
                return false
            }
            return true
        }
        if isBehind { handle.wake() }
    }

    func leave() {
        guard let listener else { return }
        self.listener = nil
        let session = poll.session
        session.locked {
            session.feeds.leave(poll.writer.feed, listener, now: session.environment.now())
        }
    }
}

extension Session {
    /// The `state` records of a feed and the `sync` that ends them.
    func writeState(_ writer: RecordWriter, into json: inout JSONWriter) {
        let registrations =
            writer.feed.isSession
            ? hierarchy.registrations(after: nil, limit: .max) : writer.feed.filter.registrations
        let definitions = hierarchy.definitions
        for registration in registrations {
            let info = hierarchy.registrationInfo(registration)
            writer.writePlain(.state, head, isResumable: false, into: &json) { json in
                if let id = info.identifier {
                    json.key("registration")
                    json.value(id)
                }
                json.key("node")
                hierarchy.withIdentifier(of: info.node) { json.value(bytes: $0) }
                json.key("traits")
                json.beginObject()
                let settable = info.traits.subtracting(TraitDefinitions.privateTraits)
                hierarchy.values(of: settable, at: info.node) { trait, value in
                    let encoding = encodings.encoding(of: trait, in: definitions)
                    json.member(encoding.member)
                    encoding.write(value, into: &json)
                }
                json.endObject()
                writeDynamics(info, into: &json)
            }
        }
        writer.writeSync(at: head, count: registrations.count, into: &json)
    }

    /// `colors` and `images` of a registration's `state` record, when it names some.
    private func writeDynamics(_ info: RegistrationInfo, into json: inout JSONWriter) {
        let named: [(StaticString, DynamicKind, [String])] = [
            ("colors", .color, info.colors), ("images", .image, info.images),
        ]
        for (member, kind, names) in named where !names.isEmpty {
            json.key(member)
            json.beginObject()
            for name in names {
                guard let value = dynamicValue(kind, name, at: info.node) else { continue }
                json.key(name)
                json.raw(value)
            }
            json.endObject()
        }
    }
}
