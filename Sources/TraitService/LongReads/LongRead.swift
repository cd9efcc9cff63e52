// Requests whose answer takes long to read. The request takes a snapshot under the session's lock; the workers
// do the rest, without the lock and off the shard.

import HTTPServer
import JSONCodec
import TraitSessions

extension TraitService {
    /// Reads a snapshot on the workers, once the log has acknowledged its revision (`context.response` waits
    /// for that), and answers on the shard. When the log withdraws that revision, the request is handled
    /// again from its beginning.
    ///
    /// - Parameters:
    ///   - step: about a millisecond of reading on a worker; called until it returns a value. The session
    ///     is the snapshot's, and has to be read under its lock.
    ///   - answer: makes the answer from the value, on the shard, with the request restored.
    func readAtLength<Value: Sendable>(
        _ request: Request, _ snapshot: SessionSnapshot,
        _ step: @escaping @Sendable (Session, RequestBody) throws(SessionError) -> Value?,
        then answer: @escaping (Value, Request) throws(Problem) -> Void
    ) {
        guard let (mark, retained) = request.setApart() else { return }
        let read = LongRead(self, request, mark, retained, revision: snapshot.revision) {
            body throws(SessionError) in
            // Only the snapshot keeps its session, so that both are released together.
            try step(try snapshot.session(), body)
        } then: { value, request throws(Problem) in
            try answer(value, request)
        }
        read.start(request.exchange)
    }

    /// Like `readAtLength`, for an answer whose data were taken from the session, so that it needs no
    /// snapshot.
    func writeAtLength<Value: Sendable>(
        _ request: Request, revision: Int64,
        _ step: @escaping @Sendable () -> Value?,
        then answer: @escaping (Value, Request) throws(Problem) -> Void
    ) {
        guard let (mark, retained) = request.setApart() else { return }
        let read = LongRead(self, request, mark, retained, revision: revision) {
            _ throws(SessionError) in
            step()
        } then: { value, request throws(Problem) in
            try answer(value, request)
        }
        read.start(request.exchange)
    }

    /// Restores a retained request and runs `body` with it. Only where `withRequest` may be called.
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

    /// Parses the parameters of path and query again, which were valid the first time.
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

/// The state of one long answer. Confined to the shard of its request, except for the steps.
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
        _ service: TraitService, _ request: Request, _ mark: RequestMark,
        _ retained: RetainedRequest, revision: Int64,
        _ step: @escaping @Sendable (RequestBody) throws(SessionError) -> Value?,
        then answer: @escaping (Value, Request) throws(Problem) -> Void
    ) {
        self.service = service
        context = request.context
        self.request = retained
        self.mark = mark
        self.revision = revision
        self.step = step
        self.answer = answer
    }

    func start(_ exchange: Exchange) {
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

    /// Resumes the request in the context, and counts its waits for the log and for the workers.
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
                let value = try translated(try result.get())
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
        exchange.withRequest(request) { service.answer(exchange, context) }
        if !context.isTaken { service.finish(exchange, context, request) }
        context.wakes.wake()
    }
}
