// A request as its handler sees it, and the four ways to answer it.

import HTTPWire
import Ledger

/// One request and its answer. Belongs to a connection and is used again for its next request;
/// confined to its shard. All byte views are valid until `handle` or `refuse` returns; later, in the
/// resumption of a parked request, the request's bytes are gone and the views are empty.
package final class Exchange {
    let connection: Connection
    let shardState: Shard
    let intake: Intake

    init(_ connection: Connection) {
        self.connection = connection
        shardState = connection.shard
        intake = connection.intake
    }

    /// Whether the views of the request's bytes are valid. They are not when a parked request is
    /// resumed.
    package var isReadable: Bool { shardState.request.bytes.baseAddress != nil }

    private func view(_ range: ByteRange) -> UnsafeRawBufferPointer {
        range.slice(of: shardState.request.bytes)
    }

    private static var nothing: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// The ledger that admits memory for work under way.
    package var memory: MemoryLedger { shardState.memory }

    /// The account of the caller; memory that the request holds is counted in it.
    package var caller: MemoryAccount { connection.account }

    /// Counts the connection's memory for this caller from now on, instead of for its address.
    package func count(for caller: CallerKey) { connection.count(for: caller) }

    /// Which shard this runs on, `0..<shards`: an index for what the handler keeps for each.
    package var shard: Int { shardState.index }

    package var method: HTTPMethod { isReadable ? intake.head.method : .other }

    /// The method as it was sent; the only way to name one that is `.other`.
    package var methodName: UnsafeRawBufferPointer {
        isReadable ? view(intake.head.methodRange) : Self.nothing
    }

    package var targetForm: TargetForm {
        isReadable ? intake.head.targetForm : .origin
    }

    /// The path as it was sent, still percent-encoded.
    package var path: UnsafeRawBufferPointer {
        isReadable ? view(intake.head.path) : Self.nothing
    }

    /// The query after the first `?`, as it was sent; nil without one.
    package var query: UnsafeRawBufferPointer? {
        guard isReadable, let range = intake.head.query else { return nil }
        return view(range)
    }

    /// Host and port that the request is for.
    package var authority: UnsafeRawBufferPointer? {
        guard isReadable, let range = intake.head.authority else { return nil }
        return view(range)
    }

    /// The value of the first field line of that name, without the white space around it. O(1).
    package func header(_ name: HeaderName) -> UnsafeRawBufferPointer? {
        guard isReadable, let range = intake.first(name) else { return nil }
        return view(range)
    }

    /// Whether more than one field line has that name. O(1).
    package func isRepeated(_ name: HeaderName) -> Bool {
        isReadable && intake.head.isRepeated(name)
    }

    /// Calls `body` with the value of every field line of that name, in their order.
    package func forEachHeader(_ name: HeaderName, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard isReadable else { return }
        intake.head.forEach(name, in: shardState.request.bytes, body)
    }

    /// The index of the media type to answer with, by the request's `Accept`; `nil` when the client
    /// accepts none of those offered.
    package func bestMediaType(offered: [StaticString]) -> Int? {
        guard isReadable else { return offered.isEmpty ? nil : 0 }
        return intake.head.bestMediaType(
            in: shardState.request.bytes, offered: offered)
    }

    /// The body, its transfer and content codings undone.
    package var body: UnsafeRawBufferPointer { shardState.request.body }

    /// Where the connection came in.
    package var listener: Listener { connection.listener }

    /// The client's numeric address; `ClientAddress.none` on a socket file.
    package var clientAddress: ClientAddress { connection.address }

    /// The user id of the process at the other end of a socket file (`SO_PEERCRED`); `nil` for TCP.
    /// One system call.
    package var peerUserID: UInt32? { connection.peerUserID }

    /// An object in which the handler keeps what it knows of the connection's client. Released with
    /// the connection.
    package var clientState: AnyObject? {
        get { connection.clientState }
        set { connection.clientState = newValue }
    }

    /// The address of `clientState`, read without a retain: valid until another object replaces it.
    package var clientStateAddress: UnsafeRawPointer? { connection.clientStateAddress }

    /// The value of the first field line of that name, and whether it is the only one. O(1).
    package func soleHeader(
        _ name: HeaderName
    ) -> (value: UnsafeRawBufferPointer?, isSole: Bool) {
        guard isReadable, let range = intake.first(name) else { return (nil, true) }
        return (view(range), !intake.isRepeated(name))
    }

    /// The shard's clock: monotonic nanoseconds at the beginning of its turn.
    package var now: UInt64 { shardState.now }

    /// The requests that this connection may make. Unless it is `open`, the handler answers health requests, at
    /// once, and refuses all others; on a `reserved` connection with `connectionRefusal`.
    package var entrance: Entrance { connection.entrance }

    /// Why a connection with the entrance `reserved` may request health only.
    package var connectionRefusal: WireError { .tooManyConnections(connection.limits) }
}

extension Exchange {
    /// Whether `send` would compress a body of `bodyBytes` for this client, if it has a content type
    /// and its status allows it: a strong entity tag has to say so (RFC 9110 section 8.8.3). O(field).
    package func willCompress(bodyBytes: Int) -> Bool {
        bodyBytes >= connection.limits.gzipBytesMin && connection.clientAcceptsGzip
    }

    /// Answers. `Date`, `Content-Type`, `Content-Length`, `Connection`, and for bodies of at least
    /// `gzipBytesMin` bytes, and for 304, `Vary`; then a negotiated `Content-Encoding` are added.
    ///
    /// `fields` is zero or more complete `Name: value` lines, each with its CR LF, which are copied. A long body
    /// that is owned is not copied.
    /// The body is not sent in answers to HEAD, nor with the statuses 204 and 304.
    package func send(
        status: Int, contentType: StaticString?, fields: UnsafeRawBufferPointer, body: AnswerBody
    ) {
        connection.answer(status: status, contentType: contentType, fields: fields, body: body)
    }

    /// Bodies up to this size are sent even if the budget for unsent bytes is used up.
    @inlinable package static var smallBodyBytesMax: Int { 4_096 }

    /// Why an answer with a body of `bytes` would not be sent now: the server holds too many
    /// unsent bytes, of all clients or of this caller. `send` would refuse the answer as well, by a
    /// later call of `refuse`, when the request's bytes are gone. O(1).
    package func refusal(ofBody bytes: Int) -> WireError? { connection.refusal(ofBody: bytes) }

    /// Whether `refuse` is called for an answer that was handed to `send` before, and not for a request.
    package var isAnswerRefused: Bool { connection.isAnswerRefused }

    /// Closes the connection without an answer: for a request that may have changed something, when there is no
    /// memory to wait for its answer.
    package func abandon() {
        connection.takeTurn()
        connection.close()
    }

    /// Answers after work that would delay the shard. `step` is called on another thread until the
    /// work is done, never twice at once, then `finish` on the shard, which must call one of
    /// `send`, `park`, `stream` and `work` before it returns.
    ///
    /// One step should take about a millisecond: between two of them other work has its turn, and a
    /// client that is gone ends it, so that `finish` need not be called. Both closures are released in
    /// any case. Requests behind this one wait.
    package func work<Value>(
        _ step: sending @escaping () -> WorkStep<Value>,
        then finish: @escaping (Exchange, Value) -> Void
    ) {
        connection.beginWork(ClosureWork(step, then: finish))
    }

    /// Answers later. `resume` runs on the shard when the handle is woken, at the deadline (monotonic
    /// nanoseconds, met within about 20 ms), when the client disconnects and when the server drains.
    /// Requests behind this one wait.
    package func park(
        until deadline: UInt64?, _ resume: @escaping (Exchange, WakeReason) -> ParkedStep
    ) -> WakeHandle {
        connection.park(until: deadline, resume)
    }

    /// Answers with a body that `source` produces in pieces, chunked (for HTTP/1.0: until the
    /// connection closes) and never compressed. To a HEAD request only the head is sent and the
    /// source closed at once.
    package func stream(
        status: Int, contentType: StaticString, fields: UnsafeRawBufferPointer,
        source: any StreamSource
    ) -> WakeHandle {
        connection.beginStream(
            status: status, contentType: contentType, fields: fields, source: source)
    }

    /// Answers as with a source, but `producer` makes the body on the workers' threads, a few chunks ahead.
    /// The answer is whole, or its connection is closed before its end.
    package func stream(
        status: Int, contentType: StaticString, fields: UnsafeRawBufferPointer,
        producer: BodyProducer
    ) {
        let body = ProducedBody(
            producer, shardState.workers, caller, shardState.unsent, shardState.spares)
        let handle = connection.beginStream(
            status: status, contentType: contentType, fields: fields, source: body)
        body.begin(waking: handle.target)
    }
}
