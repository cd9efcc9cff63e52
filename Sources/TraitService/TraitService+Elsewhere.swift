// Requests whose work is done on the workers instead of their shard.

import HTTPServer
import JSONCodec
import Ledger
import TraitSessions

extension TraitService {
    /// Parses the body and does the work of a request on the workers, step by step. Answers on the shard.
    ///
    /// - Parameters:
    ///   - name: the session whose revision a problem shows; nil for none.
    ///   - step: gets the body; called until it returns a value.
    func offload<Value: Sendable>(
        _ request: Request, name: String?,
        _ step: @escaping @Sendable (JSONValue) throws(SessionError) -> Value?,
        then answer: @escaping (Value, Request) throws(Problem) -> Void
    ) {
        let body = FirstStep<OffloadedBody>()
        workElsewhere(request, name: name) { [environment] bytes throws(SessionError) in
            let body = body.value { OffloadedBody(bytes, environment.memory) }
            guard let json = try body.json() else { return nil }
            return try step(json)
        } then: { value, request throws(Problem) in
            try answer(value, request)
        }
    }

    /// Like `offload`, for work that reads the bytes of the body.
    func workElsewhere<Value: Sendable>(
        _ request: Request, name: String?,
        _ step: @escaping @Sendable (RequestBody) throws(SessionError) -> Value?,
        then answer: @escaping (Value, Request) throws(Problem) -> Void
    ) {
        let context = request.context
        guard let (mark, retained) = request.setApart() else { return }
        let body = retained.body
        request.exchange.work { () -> WorkStep<Result<Value, SessionError>> in
            do throws(SessionError) {
                return try step(body).map { .done(.success($0)) } ?? .more
            } catch {
                return .done(.failure(error))
            }
        } then: { exchange, result in
            context.resume(mark)
            context.origin.waitedForWorkers &+= exchange.now &- min(mark.since, exchange.now)
            do throws(Problem) {
                let value = try translated(try result.get())
                try answer(value, Request(exchange: exchange, context: context))
            } catch {
                if !context.mustRepeat {
                    context.render(error)
                    if let name { self.showRevision(of: name, context) }
                }
            }
            self.finish(exchange, context, retained)
            context.wakes.wake()
        }
    }
}

extension Request {
    /// The request to keep, so that it is answered later; the context serves other requests meanwhile. Where the
    /// system refuses the memory, the request is answered with 503, and the result is nil. Only before the
    /// request changes something.
    func setApart() -> (mark: RequestMark, request: RetainedRequest)? {
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

/// What the first step of some work makes for the others.
///
/// `@unchecked Sendable`: used by one step at a time.
final class FirstStep<Value>: @unchecked Sendable {
    private var made: Value?

    func value(_ make: () -> Value) -> Value {
        if let made { return made }
        let value = make()
        made = value
        return value
    }
}
