// Work of a request that takes long: the workers do it in slices, off the shard, and the shard answers with the
// result. The body of an answer that is long itself is a `BodyProducer`.

import HTTPServer
import JSONCodec
import Ledger
import SessionViews
import TraitJSON
import TraitSessions

extension TraitService {
    /// Has the workers do the work of a request, once the log has acknowledged what the request shows
    /// (`context.response` waits for that), and answers on the shard. When the log withdraws that revision, the
    /// request is handled again from its beginning. Where there is no memory to keep the request, answers 503.
    ///
    /// - Parameters:
    ///   - revision: the revision that a problem shows; nil for that of the session `name` or, if `name` is nil, of
    ///     the path's session.
    ///   - step: gets the body of the request; about a millisecond of work, called until it returns a value. What
    ///     it captures belongs to it.
    ///   - answer: makes the answer from the value, on the shard, with the request restored.
    func work<Value>(
        _ request: Request, revision: Int64? = nil, of name: String? = nil,
        _ step: sending @escaping (RequestBody) throws(SessionError) -> Value?,
        then answer: @escaping (Value, Request) throws(Problem) -> Void
    ) {
        guard let (mark, retained) = request.setApart() else { return }
        LongWork(
            service: self, context: request.context, request: retained, mark: mark,
            revision: revision, name: name, step: step, answer: answer
        ).start(request.exchange)
    }

    /// Like `work`, for work that reads the body as JSON. The first step parses the body.
    func workWithJSON<Value>(
        _ request: Request,
        _ step: sending @escaping (JSONValue) throws(SessionError) -> Value?,
        then answer: @escaping (Value, Request) throws(Problem) -> Void
    ) {
        let memory = environment.memory
        var parsed: OffloadedBody?
        work(request) { bytes throws(SessionError) in
            let body = parsed ?? OffloadedBody(bytes, memory)
            parsed = body
            return try body.json().flatMap { json throws(SessionError) in try step(json) }
        } then: { value, request throws(Problem) in
            try answer(value, request)
        }
    }

    /// Parses a long body on the workers, and runs the operation with it.
    ///
    /// - Parameter collected: the body, where a sink has collected it.
    func runWithLongBody(
        _ endpoint: Endpoint, _ request: Request, _ collected: RequestBody? = nil
    ) throws(Problem) {
        try request.checkMediaType()
        let memory = environment.memory
        let wantsDigest =
            request.exchange.header(.idempotencyKey) != nil || endpoint == .applySession
        var parsed: OffloadedBody?
        work(request) { bytes throws(SessionError) in
            let body = parsed ?? OffloadedBody(collected ?? bytes, memory)
            parsed = body
            if try body.json() != nil { return body }
            if wantsDigest { _ = body.digest }
            return nil
        } then: { body, request throws(Problem) in
            request.context.document = body
            if request.context.origin.readsPast { return try self.runInPast(endpoint, request) }
            try self.run(endpoint, request)
        }
    }

    /// Runs `body` with a request that was set apart.
    fileprivate func again(
        _ exchange: Exchange, _ context: RequestContext, _ retained: RetainedRequest,
        _ body: (Request) throws(Problem) -> Void
    ) throws(Problem) {
        var problem: Problem?
        exchange.withRequest(retained) {
            do throws(Problem) {
                try restore(exchange, context)
                try body(Request(exchange: exchange, context: context))
            } catch {
                problem = error
            }
        }
        if let problem { throw problem }
    }

    /// Parses the parameters of path and query again, which were valid the first time.
    private func restore(_ exchange: Exchange, _ context: RequestContext) throws(Problem) {
        guard let match = router.match(exchange.path) else { return }
        try context.take(match)
        _ = try operation(exchange, match, context)
    }
}

extension Request {
    /// Retains the request, to be answered later, while its context serves other requests. Where the
    /// system refuses the memory, the request is answered with 503, and the result is nil. Only before the
    /// request changes something.
    fileprivate func setApart() -> (mark: RequestMark, request: RetainedRequest)? {
        context.isTaken = true
        if let mark = context.mark(exchange), let request = exchange.retainRequest() {
            return (mark, request)
        }
        context.response = nil
        context.render(.noMemoryToWait)
        context.send(on: exchange)
        return nil
    }
}

extension Problem {
    static var noMemoryToWait: Problem {
        Problem(.outOfMemory, "There is no memory to keep the request until it can be answered.")
    }
}

/// Confined to the shard of its request, except for `step`.
private final class LongWork<Value> {
    private let service: TraitService
    private let context: RequestContext
    private let request: RetainedRequest
    private let mark: RequestMark
    private let revision: Int64?
    private let name: String?
    /// The workers', from `begin` on.
    nonisolated(unsafe) private let step: (RequestBody) throws(SessionError) -> Value?
    private let answer: (Value, Request) throws(Problem) -> Void
    /// When the log had acknowledged the revision that the request shows.
    private var begunAt: UInt64 = 0

    init(
        service: TraitService, context: RequestContext, request: RetainedRequest,
        mark: RequestMark, revision: Int64?, name: String?,
        step: sending @escaping (RequestBody) throws(SessionError) -> Value?,
        answer: @escaping (Value, Request) throws(Problem) -> Void
    ) {
        self.service = service
        self.context = context
        self.request = request
        self.mark = mark
        self.revision = revision
        self.name = name
        self.step = step
        self.answer = answer
    }

    func start(_ exchange: Exchange) {
        guard let response = context.response else { return begin(exchange) }
        PendingAnswer(
            service, context, request, mark, waitingFor: response,
            until: service.waitMax.map { exchange.now &+ $0 }
        ) { self.begin($0) }.park(exchange)
    }

    /// Resumes the request in the context, and counts its waits for the log and for the workers.
    private func resumeContext(_ exchange: Exchange) {
        context.resume(mark)
        context.origin.waitedForLog &+= begunAt &- min(mark.since, begunAt)
        context.origin.waitedForWorkers &+= exchange.now &- min(begunAt, exchange.now)
    }

    private func begin(_ exchange: Exchange) {
        begunAt = exchange.now
        nonisolated(unsafe) let step = step
        exchange.work { [body = request.body] () -> WorkStep<Result<Value, SessionError>> in
            do throws(SessionError) {
                return try step(body).map { .done(.success($0)) } ?? .more
            } catch {
                return .done(.failure(error))
            }
        } then: { exchange, result in
            self.finish(exchange, result)
        }
    }

    private func finish(_ exchange: Exchange, _ result: Result<Value, SessionError>) {
        resumeContext(exchange)
        do throws(Problem) {
            try service.again(exchange, context, request) { request throws(Problem) in
                try answer(try translated(try result.get()), request)
            }
        } catch {
            if !context.mustRepeat { refuse(exchange, error) }
        }
        context.document = nil
        if !context.isTaken { service.finish(exchange, context, request) }
        context.wakes.wake()
    }

    private func refuse(_ exchange: Exchange, _ problem: Problem) {
        context.render(problem)
        if let revision {
            context.field("Traitd-Revision", revision)
        } else if let name {
            service.showRevision(of: name, context)
        } else {
            exchange.withRequest(request) { service.showRevision(exchange.path, context) }
        }
    }
}
