// An open stream as the interface sees it, whatever the stream sends.

import JSONCodec

/// The text of an open stream, which the interface sends. Confined to the thread that serves the stream's reader.
package protocol StreamText: AnyObject {
    /// Sets the waker of the reader, and wakes it if there is something to send already. Called once.
    func listen(_ waker: any Waker)
    /// Appends text to `out`, which is empty, until about `budget` bytes are in it.
    func produce(into out: any RecordSink, budget: Int) -> CursorStep
    /// The records that every stream of the same filter sends next; nil when there is more to send than these.
    func sharedRecords() -> (any FramedRecords)?
    /// Appends the end of a stream that the server ends.
    func end(_ reason: StreamReason, into out: any RecordSink)
    /// Releases what the session keeps for the stream. Called once, at the end.
    func closed()
    var heldBytes: Int { get }
    /// When the newest commit that the stream has sent was decided (`SessionEnvironment.ticks`); 0 for none.
    var newestDecidedAt: UInt64 { get }
    /// Why the stream ended; nil while it goes on, and when its reader disconnected.
    var endReason: StreamReason? { get }
}

/// How a call of `produce` ended.
package enum CursorStep: Sendable {
    /// There are no more records now. To be called again on a wake, or after this many
    /// milliseconds.
    case idle(milliseconds: Int64)
    /// There are more records already.
    case more
    /// The last record was written.
    case finished
}
