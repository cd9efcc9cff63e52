// Starting streams and long polls.

import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

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
                "Streams come as application/x-ndjson or text/event-stream; a page comes with ?wait=0. curl --json asks for application/json: add -H 'Accept: */*'."
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

    /// Where a stream or a page starts; nil for the present state.
    func streamStart() throws(Problem) -> String? {
        // An EventSource repeats its first URL when it reconnects, so `Last-Event-ID` takes precedence.
        if let lastEventID = exchange.header(.lastEventID), !lastEventID.isEmpty {
            return String(decoding: lastEventID, as: UTF8.self)
        }
        guard context.query.flag(.initial) else {
            return try context.query.string(.from) ?? "now"
        }
        if let from = context.query[.from], !from.elementsEqual("now".utf8) {
            throw Query.malformed(
                .from, "With initial=true a stream starts at the present: leave `from` out.")
        }
        return nil
    }

    /// The problem of a session's refusal, with the path to start again or the wrong parameter.
    func streamProblem(_ error: SessionError) -> Problem {
        let problem = Problem(error)
        switch error.code {
        case .historyGone, .sessionReplaced: return problem.with("restart", restart)
        case .malformedToken: return problem.with("parameter", "from")
        default: return problem
        }
    }

    /// The path and query that start the stream again with the present state.
    private var restart: String {
        let path = String(decoding: exchange.path, as: UTF8.self)
        var parameters: [String] = []
        for parameter in [
            QueryParameter.traits, .registrations, .subtree, .operations, .resync, .overflow,
            .compress,
        ] {
            if let value = context.query[parameter] {
                parameters.append("\(parameter.name)=\(PercentEncoding.query(value))")
            }
        }
        for watch in context.query.watches {
            parameters.append("watch=\(PercentEncoding.query(watch))")
        }
        return path + "?" + (parameters + ["initial=true"]).joined(separator: "&")
    }

    /// `resync`, `overflow`, and whether the state was asked for.
    func addStreamOptions(to options: inout StreamOptions) throws(Problem) {
        options.resyncs = try context.query.has("auto", .resync)
        options.coalesces = try context.query.has("coalesce", .overflow)
        options.wantsState = context.query.flag(.initial)
    }

    /// All values of `?watch=node:trait,trait`.
    func watches() throws(Problem) -> [AskedWatch] {
        var watches: [AskedWatch] = []
        for raw in context.query.watches {
            guard let watch = PercentEncoding.decode(raw)?.cut(at: UInt8(ascii: ":")) else {
                throw Query.malformed(
                    .watch, "It takes a node and traits, as in watch=label:theme,displayScale.")
            }
            let traits = watch.after.parts(at: UInt8(ascii: ","))
            watches.append(AskedWatch(node: watch.before, traits: traits))
        }
        return watches
    }

    func start(_ stream: EventStream<some StreamText>, _ format: RecordFormat, compresses: Bool) {
        context.field("X-Accel-Buffering", "no")
        context.isTaken = true
        context.status = 200
        context.contentType = format.contentType
        if exchange.method == .head {
            // The head alone, as a stream has it: without a length.
            context.leave(on: exchange, .produced(BodyProducer([UInt8]())))
            return
        }
        stream.opened()
        if compresses, exchange.memory.admit(StreamCompression.stateBytes), stream.compress() {
            context.field("Content-Encoding", "gzip")
        }
        if let handle = context.leave(on: exchange, .stream(stream)) {
            stream.listen(handle.target)
        }
    }

    /// Answers at once when there is a record, otherwise with the next record or when the time is up.
    ///
    /// - Parameter place: released when the poll ends.
    func answer(
        _ poll: LongPoll, wait: Int64, _ place: StreamPlace? = nil
    ) throws(Problem) {
        let length = context.body.count
        let isPage = wait == 0 || exchange.method == .head
        switch poll.write(into: &context.body, evenIfEmpty: isPage) {
        case .written: return
        case .long(let record):
            return try stream("application/json", BodyProducer(record))
        case .empty, .busy: break
        }
        context.body.truncate(to: length)
        guard let mark = context.mark(exchange) else { throw .noMemoryToWait }
        context.isTaken = true
        let context = context
        let fields = context.fields.array()
        let deadline = MonotonicClock.now() + UInt64(wait) * 1_000_000
        let caller = context.caller
        let listener = PollListener(poll)
        let waker = PollWaker()
        let handle = exchange.park(until: deadline) { [place] exchange, reason in
            // Released with this closure.
            withExtendedLifetime(place) {}
            if case .disconnected = reason {
                listener.leave()
                if let target = waker.value { caller?.leave(target) }
                return .answered
            }
            context.resume(mark)
            if let caller, caller.isRevoked {
                listener.leave()
                context.render(TraitService.revoked)
                context.send(on: exchange)
                return .answered
            }
            var isOver = true
            if case .woken = reason { isOver = isPage }
            var pieces: LongRecord?
            switch poll.write(into: &context.body, evenIfEmpty: isOver, waking: waker.value) {
            case .written: break
            case .long(let record): pieces = record
            case .empty: return .keepWaiting(until: deadline)
            // A thread owns the session, and wakes the poll when it releases the session.
            case .busy: return .keepWaiting(until: nil)
            }
            listener.leave()
            if let target = waker.value { caller?.leave(target) }
            context.fields.removeAll(keepingCapacity: true)
            context.fields.append(fields)
            guard let pieces else {
                context.send(on: exchange)
                return .answered
            }
            do throws(Problem) {
                try Request(exchange: exchange, context: context)
                    .stream("application/json", BodyProducer(pieces))
            } catch {
                context.render(error)
                context.send(on: exchange)
            }
            return .answered
        }
        waker.value = handle.target
        listener.listen(handle.target)
        caller?.listen(handle.target)
    }
}

/// The wake target of a parked poll, known only after parking. Confined to the shard of its request.
private final class PollWaker {
    var value: WakeTarget?
}
