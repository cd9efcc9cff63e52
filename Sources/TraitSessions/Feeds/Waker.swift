// How a session wakes what waits for it. The server's parked requests and its streams are wakers; tests
// have wakers of their own.

import JSONCodec

/// Something that waits for a session and goes on when it is woken.
///
/// A waker is an object, so that thousands of them lie side by side in 16 bytes each.
@usableFromInline
package protocol Waker: AnyObject, Sendable {
    /// May be called from any thread, any number of times, and never under a session's lock.
    func wake()

    /// Whether nothing waits any more, as the client is gone.
    var isOver: Bool { get }

    /// Wakes all of these, of which the first is of this type. One call may wake thousands.
    static func wake(_ all: ContiguousArray<any Waker>)
}

extension Waker {
    package var isOver: Bool { false }

    package static func wake(_ all: ContiguousArray<any Waker>) {
        for waker in all { waker.wake() }
    }
}

/// The wakers of one or more sessions, collected under their locks and woken once these are free.
@usableFromInline
package struct WakeList {
    @usableFromInline var wakers = ContiguousArray<any Waker>()
    /// Where the thread that fills the list counts (`SessionMeters`).
    let stripe: Int

    /// - Parameter stripe: the shard's index, for the thread of a shard.
    package init(stripe: Int = SessionMeters.stripes - 1) { self.stripe = stripe }

    @inlinable package var isEmpty: Bool { wakers.isEmpty }

    package mutating func add(_ waker: any Waker) { wakers.append(waker) }

    /// Makes room for `count` more.
    mutating func reserve(_ count: Int) {
        // Exact room for each feed in turn would copy all of it each time.
        if wakers.isEmpty { wakers.reserveCapacity(count) }
    }

    /// O(wakers). Most wakers of a list are the server's; a few may be of snapshots and backups.
    package func wake() {
        guard let first = wakers.first else { return }
        if wakers.count == 1 { return first.wake() }
        type(of: first).wake(wakers)
    }
}

/// Whole records in the form in which every stream of a feed sends them. The interface makes
/// these, once for each commit and format.
package protocol FramedRecords: AnyObject, Sendable {
    /// Bytes of the records without any frame.
    var count: Int { get }
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R
}

/// Where a cursor writes records.
package protocol RecordSink: AnyObject {
    var count: Int { get }
    func append(_ bytes: UnsafeRawBufferPointer)
    /// Appends the text of a writer, which is empty afterwards. A long text may be taken over with
    /// its storage.
    func append(_ text: inout JSONWriter)
}

extension RecordSink {
    /// Appends the text that `write` writes.
    func append(_ write: (inout JSONWriter) -> Void) {
        var text = JSONWriter()
        write(&text)
        append(text.bytes)
    }

    package func append(_ text: inout JSONWriter) {
        append(text.bytes)
        text.reset()
    }
}
