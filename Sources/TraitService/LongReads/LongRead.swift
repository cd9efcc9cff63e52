// A request whose answer takes long to read: it takes the session's snapshot under the lock, and
// everything after that happens on the workers, off the lock and off the shard.

import HTTPServer
import JSONCodec
import TraitSessions

extension TraitService {
    /// Reads a snapshot at length, once its revision is acknowledged (the context has the response
    /// that waits for it), and answers on the shard. When the log withdraws that revision, the
    /// request is handled again from its beginning.
    ///
    /// - Parameters:
    ///   - step: about a millisecond of reading on a worker; called until it returns something. The
    ///     session is the snapshot's: it is to be read under its lock.
    ///   - answer: makes the answer from that, as if the request had just come.
    func readAtLength<Value: Sendable>(
        _ request: Request, _ snapshot: SessionSnapshot,
        _ step: @escaping @Sendable (Session, RequestBody) throws(SessionError) -> Value?,
        then answer: @escaping (Value, Request) throws(Problem) -> Void
    ) {
        let read = LongRead(self, request, revision: snapshot.revision) {
            body throws(SessionError) in
            // The snapshot alone keeps its session, so that its end is the session's.
            try step(try snapshot.session(), body)
        } then: { value, request throws(Problem) in
            try answer(value, request)
        }
        read.start(request.exchange)
    }

    /// Writes at length what was taken from a session, once the revision that it shows is
    /// acknowledged: `readAtLength` for what needs no snapshot.
    func writeAtLength<Value: Sendable>(
        _ request: Request, revision: Int64,
        _ step: @escaping @Sendable () -> Value?,
        then answer: @escaping (Value, Request) throws(Problem) -> Void
    ) {
        let read = LongRead(self, request, revision: revision) { _ throws(SessionError) in
            step()
        } then: { value, request throws(Problem) in
            try answer(value, request)
        }
        read.start(request.exchange)
    }

    /// Runs `body` as if a request that is kept had just come. Only where `withRequest` may be called.
    func again(
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

    /// Gives the context the parameters of path and query, which were parsed without fault before.
    private func restore(_ exchange: Exchange, _ context: RequestContext) throws(Problem) {
        guard let match = router.match(exchange.path) else { return }
        try context.take(match)
        let gate = router.gates[match.route]
        let method = exchange.method == .head ? .get : exchange.method
        guard let index = router.operation(of: gate, method) else { return }
        try context.query.parse(
            exchange.query,
            allowed: router.operationGates[gate.firstOperation &+ index].parameters)
    }
}

/// One long answer in the making. Confined to the shard of its request, but for the steps.
private final class LongRead<Value: Sendable> {
    private let service: TraitService
    private let context: RequestContext
    private let request: RetainedRequest
    private let mark: RequestMark
    /// When the log had acknowledged what the request shows.
    private var begunAt: UInt64 = 0
    private let revision: Int64
    private let step: @Sendable (RequestBody) throws(SessionError) -> Value?
    private let answer: (Value, Request) throws(Problem) -> Void

    init(
        _ service: TraitService, _ request: Request, revision: Int64,
        _ step: @escaping @Sendable (RequestBody) throws(SessionError) -> Value?,
        then answer: @escaping (Value, Request) throws(Problem) -> Void
    ) {
        self.service = service
        context = request.context
        self.request = request.exchange.retainRequest()
        mark = request.context.mark(request.exchange)
        self.revision = revision
        self.step = step
        self.answer = answer
    }

    func start(_ exchange: Exchange) {
        context.isTaken = true
        guard let response = context.response else { return begin(exchange) }
        let handle = exchange.park(until: nil) { exchange, _ in
            switch response.decision {
            case .pending: return .keepWaiting(until: nil)
            case .released: self.begin(exchange)
            case .refused(let error):
                self.resumeContext(exchange)
                self.context.render(Problem(error))
                self.context.send(on: exchange)
            case .readAgain: self.handleAgain(exchange)
            }
            return .answered
        }
        if response.attach(handle.target) { handle.wake() }
    }

    /// The context serves the request again, which has waited for the log, then for the workers.
    private func resumeContext(_ exchange: Exchange) {
        context.resume(mark)
        let now = exchange.now
        let begun = begunAt == 0 ? now : begunAt
        context.origin.waitedForLog &+= begun &- min(mark.since, begun)
        context.origin.waitedForWorkers &+= now &- min(begun, now)
    }

    private func begin(_ exchange: Exchange) {
        begunAt = exchange.now
        exchange.work { [step, body = request.body] () -> WorkStep<Result<Value, SessionError>> in
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
                let value = try translating { () throws(SessionError) in try result.get() }
                try answer(value, request)
            }
        } catch {
            context.render(error)
            context.field("Traitd-Revision", revision)
        }
        if !context.isTaken { context.send(on: exchange) }
    }

    private func handleAgain(_ exchange: Exchange) {
        resumeContext(exchange)
        exchange.withRequest(request) { service.answer(exchange, context, again: true) }
        if !context.isTaken { service.finish(exchange, context, request) }
        context.wakes.wake()
    }
}
