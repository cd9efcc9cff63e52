// The one way out: every answer of the service leaves through `RequestContext.leave`, whatever made
// it and whenever. What concerns all answers attaches here.

import HTTPServer
import HTTPWire

/// What is known of an answer at the moment it leaves.
package struct AnswerRecord: Sendable {
    package let status: Int
    /// Bytes of the body before any coding; nil for a stream, which has no foreseeable end.
    package let bodyBytes: Int?
    /// The path as the table of routes has it; nil when no route was found.
    package let route: String?
    package let endpoint: Endpoint?
    package let requestID: String
    /// The accessor of the token; nil where none was needed or none was good.
    package let caller: String?
    /// From the request's arrival at the service to here.
    package let nanoseconds: UInt64
}

/// Gets a record of every answer, on the shard that sends it: it must return at once.
package protocol AnswerObserver: Sendable {
    func answered(_ record: AnswerRecord)
}

/// Where a request came in, for the moment in which its answer leaves.
struct RequestOrigin {
    /// Monotonic nanoseconds; 0 when no observer asks for durations.
    var startedAt: UInt64 = 0
    /// The position of route and operation in the table; below 0 when no route was found.
    var route = -1
    var operation = -1
}

/// A request apart from its context, which serves other requests meanwhile.
struct RequestMark {
    let id: [UInt8]
    let origin: RequestOrigin
    /// Header lines for the page that asks.
    let sharedLines: [UInt8]
    let caller: Caller?
}

/// The forms in which a body leaves.
enum LeavingBody {
    /// Copied when it cannot be sent at once.
    case borrowed(UnsafeRawBufferPointer)
    case owned(OutputBuffer)
    case stream(any StreamSource)
    /// Made beside the shard while it is sent.
    case produced(any BodyProducer)

    fileprivate var count: Int? {
        switch self {
        case .borrowed(let bytes): bytes.count
        case .owned(let buffer): buffer.count
        case .stream, .produced: nil
        }
    }
}

extension RequestContext {
    /// The request at hand, to go on with it later.
    var mark: RequestMark {
        RequestMark(
            id: Array(requestIDBytes), origin: origin, sharedLines: sharedLines, caller: caller)
    }

    /// Sends the answer that the context holds.
    func send(on exchange: Exchange) { leave(on: exchange, .borrowed(body.bytes)) }

    /// Sends the context's status and header lines with `body`.
    ///
    /// - Returns: what wakes the stream, for a stream.
    @discardableResult
    func leave(on exchange: Exchange, _ body: LeavingBody) -> WakeHandle? {
        leave(
            on: exchange, status: status, contentType: contentType, fields: fields.bytes, body)
    }

    /// The exit. Every call of the server's that sends something is here.
    @discardableResult
    func leave(
        on exchange: Exchange, status: Int, contentType: StaticString?,
        fields: UnsafeRawBufferPointer, _ body: LeavingBody
    ) -> WakeHandle? {
        if isObserved { observer?.answered(record(status, body.count)) }
        switch body {
        case .borrowed(let bytes):
            exchange.send(status: status, contentType: contentType, fields: fields, body: bytes)
        case .owned(let buffer):
            let answer = Answer(status: status, contentType: contentType, body: buffer)
            answer.fields.append(fields)
            exchange.send(answer)
        case .stream(let source):
            return exchange.stream(
                status: status, contentType: contentType ?? "application/octet-stream",
                fields: fields, source: source)
        case .produced(let producer):
            exchange.stream(
                status: status, contentType: contentType ?? "application/octet-stream",
                fields: fields, producer: producer)
        }
        return nil
    }

    private func record(_ status: Int, _ bodyBytes: Int?) -> AnswerRecord {
        let route = origin.route < 0 ? nil : Route.all[origin.route]
        let endpoint =
            origin.operation < 0 ? nil : route?.operations[origin.operation].endpoint
        return AnswerRecord(
            status: status, bodyBytes: bodyBytes, route: route?.pattern, endpoint: endpoint,
            requestID: String(decoding: requestIDBytes, as: UTF8.self), caller: caller?.accessor,
            nanoseconds: MonotonicClock.now() &- origin.startedAt)
    }
}
