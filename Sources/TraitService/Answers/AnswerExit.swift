// The exit of all answers: every answer of the service is sent by `RequestContext.leave`. Code that concerns
// all answers belongs here.

import HTTPServer
import HTTPWire
import SessionViews
import TraitSessions

/// The facts of a request that are needed when its answer is sent.
struct RequestOrigin {
    /// Monotonic nanoseconds: the beginning of the turn in which the request was whole.
    var startedAt: UInt64 = 0
    /// Nanoseconds that the request waited for the log, and for the workers; exact to a turn.
    var waitedForLog: UInt64 = 0
    var waitedForWorkers: UInt64 = 0
    /// The position of route and operation in the table; below 0 when no route was found.
    var route = -1
    var operation = -1
    /// `HTTPMethod`.
    var method: UInt8 = 0
    /// A stream or a long poll, whose duration says nothing about the server.
    var isWaiting = false
    /// The request asks for indented JSON.
    var isPretty = false
    /// The answer replaces one that was noted and then not sent.
    var isNoted = false
    var confirmation = ConfirmationNeed.none
    /// The operation only shows sessions, so that its answer says how new it is.
    var showsSessions = false
    /// The least revision that the answer may show; 0 for any.
    var minRevision: Int64 = 0
    /// Whether the query names a revision or time of the past.
    var readsPast = false
    /// The newest revision that an answer about the past shows, so that a request that is handled again asks for what
    /// was made for it; 0 before it is known.
    var pinned: Int64 = 0
}

/// What a waiting request needs after its context has gone on to other requests.
final class RequestMark {
    let origin: RequestOrigin
    /// Header lines for the page that sent the request.
    let sharedLines: [UInt8]
    let caller: Caller?
    let idempotent: IdempotentRequest?
    /// The reason that the request gives for its commit; empty for none.
    let reason: [UInt8]
    /// When the request was set apart.
    let since: UInt64
    /// Id, target and trace parent, one behind another.
    private let text: GrowingBlock
    private let idEnd: Int
    private let targetEnd: Int

    /// Nil where the system refuses the memory.
    ///
    /// - Parameter trace: the trace parent; empty for none.
    init?(
        id: UnsafeRawBufferPointer, path: UnsafeRawBufferPointer, query: UnsafeRawBufferPointer?,
        trace: UnsafeRawBufferPointer, origin: RequestOrigin, sharedLines: [UInt8],
        caller: Caller?, idempotent: IdempotentRequest?, reason: [UInt8], since: UInt64
    ) {
        let path = Self.noted(path)
        let query = query.map(Self.noted)
        idEnd = id.count
        targetEnd = idEnd + path.count + (query.map { $0.count + 1 } ?? 0)
        guard let text = GrowingBlock(capacity: targetEnd + trace.count) else { return nil }
        text.copy(id, to: 0)
        text.copy(path, to: idEnd)
        if let query {
            text.start.storeBytes(
                of: UInt8(ascii: "?"), toByteOffset: idEnd + path.count, as: UInt8.self)
            text.copy(query, to: targetEnd - query.count)
        }
        text.copy(trace, to: targetEnd)
        self.text = text
        self.origin = origin
        self.sharedLines = sharedLines
        self.caller = caller
        self.idempotent = idempotent
        self.reason = reason
        self.since = since
    }

    /// The bytes that a note keeps, and one more byte if there are more.
    private static func noted(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes.prefix(AnswerNote.targetBytesMax + 1))
    }

    // Views, valid as long as this object.

    var id: UnsafeRawBufferPointer { text.bytes(0..<idEnd) }
    /// Path and query, for the note of the answer.
    var target: UnsafeRawBufferPointer { text.bytes(idEnd..<targetEnd) }
    /// The trace parent, if it is noted; else empty.
    var trace: UnsafeRawBufferPointer { text.bytes(targetEnd..<text.capacity) }
}

/// The forms in which a body leaves.
enum LeavingBody {
    /// Copied when it cannot be sent at once.
    case borrowed(UnsafeRawBufferPointer)
    case owned(OutputBuffer)
    case stream(any StreamSource)
    /// Made on the workers while it is sent.
    case produced(BodyProducer)

    fileprivate var count: Int? {
        switch self {
        case .borrowed(let bytes): bytes.count
        case .owned(let buffer): buffer.count
        case .stream, .produced: nil
        }
    }
}

extension RequestContext {
    /// Sends the answer that the context holds.
    func send(on exchange: Exchange) { leave(on: exchange, .borrowed(body.bytes)) }

    /// Sends the context's status and header lines with `body`.
    ///
    /// - Returns: the handle that wakes the stream; nil for other answers.
    @discardableResult
    func leave(on exchange: Exchange, _ body: LeavingBody) -> WakeHandle? {
        leave(
            on: exchange, status: status, contentType: contentType, fields: fields.bytes, body)
    }

    /// The exit. Only this function calls the server's functions that send.
    @discardableResult
    func leave(
        on exchange: Exchange, status: Int, contentType: StaticString?,
        fields: UnsafeRawBufferPointer, _ given: LeavingBody
    ) -> WakeHandle? {
        if let idempotent { idempotent.end() }
        let body = origin.isPretty ? PrettyAnswer.laidOut(given, contentType) : given
        if let count = body.count, count > Exchange.smallBodyBytesMax,
            let refusal = exchange.refusal(ofBody: count)
        {
            render(Problem(refusal))
            return leave(on: exchange, .borrowed(self.body.bytes))
        }
        if !origin.isNoted { note(status, body.count, exchange) }
        switch body {
        case .borrowed(let bytes):
            exchange.send(
                status: status, contentType: contentType, fields: fields, body: .borrowed(bytes))
        case .owned(let buffer):
            exchange.send(
                status: status, contentType: contentType, fields: fields, body: .owned(buffer))
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

    /// Records the figures that metrics, the access log and the list of slow requests show.
    @inline(__always)
    private func note(_ status: Int, _ bodyBytes: Int?, _ exchange: Exchange) {
        var note = AnswerNote()
        note.startedAt = origin.startedAt
        note.waitedForLog = origin.waitedForLog
        note.waitedForWorkers = origin.waitedForWorkers
        note.bodyBytes = bodyBytes ?? -1
        note.client = exchange.clientAddress
        note.series = UInt32(
            truncatingIfNeeded: RequestSeries(route: origin.route, method: origin.method).index)
        note.status = UInt16(truncatingIfNeeded: status)
        note.isWaiting = origin.isWaiting
        note.isLogged = meters.isLogged(status: status)
        if hasReason, note.isLogged {
            reason.withUnsafeBytes { record(note, $0) }
        } else {
            record(note, nil)
        }
    }

    @inline(__always)
    private func record(_ note: AnswerNote, _ reason: UnsafeRawBufferPointer?) {
        meters.answered(
            note, id: requestIDBytes, path: noted.path, query: noted.query,
            trace: note.isLogged ? noted.trace : nil,
            caller: note.isLogged ? caller?.accessor : nil, reason: reason)
    }
}
