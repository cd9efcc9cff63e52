// An answer without a foreseeable end. The server asks its source for more bytes only when the
// client has received the earlier ones, so that a slow client costs the source nothing.

import HTTPWire

/// Produces the body of a streamed answer. Confined to the shard of its connection: the server calls
/// all of it on that shard's queue, never two at once.
package protocol StreamSource: AnyObject {
    /// Appends records to `out`, which is empty at first, and stops when about `budget` bytes are in it. Only
    /// after `.more` the last record may be incomplete. Called at the start (after the handler has returned),
    /// after a wake, at the deadline of `.idle`, and after `.more`, once the system has all earlier bytes. May be
    /// called without a reason; it then appends nothing and returns `.idle` again.
    func produce(into out: OutputBuffer, budget: Int) -> StreamStep

    /// Called first after a wake, when the last step was `.idle` and all bytes have been sent. When
    /// the stream has only records that other streams send as well, returns these, and they count
    /// as sent; the step stays `.idle` until the time given before. After `nil`, `produce` is
    /// called.
    func sharedRecords() -> SharedRecords?

    /// Whether the stream is incomplete without its own end. The server then never ends the stream
    /// early as if it were complete: a drain waits for the stream, a client that reads nothing has
    /// its connection closed, and a client that closed its sending side is still served.
    var isFinite: Bool { get }

    /// The stream is ended by the server. Appends the last record to `out`, which is empty at first.
    /// The server sends it for as long as `lingerSeconds` allow, and closes the connection.
    func end(_ reason: StreamEnd, into out: OutputBuffer)

    /// Bytes that the source keeps for its reader, beside what it has appended. They count as unsent.
    var heldBytes: Int { get }

    /// The stream is over, for any reason. Called exactly once, after all other calls.
    func closed()
}

extension StreamSource {
    package var isFinite: Bool { false }

    package var heldBytes: Int { 0 }

    package func sharedRecords() -> SharedRecords? { nil }
}

/// The state of a source after it was asked for more records.
package enum StreamStep: Hashable, Sendable {
    /// Nothing more for now. Ask again on a wake, or at this monotonic time in nanoseconds.
    case idle(until: UInt64?)
    /// There is more already; ask again as soon as the client has room.
    case more
    /// That was the last record. The answer ends in good order; the connection is used further.
    case finished
    /// The answer cannot be made whole. The connection is closed, so that what was sent does not look
    /// complete.
    case broken
}

/// Why the server ends a stream.
package enum StreamEnd: Hashable, Sendable {
    /// The server is about to stop.
    case draining
    /// The client took nothing for `writeStallTimeoutSeconds`.
    case slowConsumer
}
