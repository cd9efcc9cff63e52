// A session's stream as the server asks for it: the cursor's records in the server's frames.

import HTTPServer
import HTTPWire
import TraitSessions

extension OutputBuffer: RecordSink {}

extension SharedRecords: FramedRecords {}

/// Confined to the shard of its connection.
final class EventStream: StreamSource {
    private let cursor: StreamCursor

    init(_ cursor: StreamCursor) { self.cursor = cursor }

    func produce(into out: OutputBuffer, budget: Int) -> StreamStep {
        switch cursor.produce(into: out, budget: budget) {
        case .idle(let milliseconds):
            .idle(until: MonotonicClock.now() + UInt64(milliseconds) * 1_000_000)
        case .more: .more
        case .finished: .finished
        }
    }

    func sharedRecords() -> SharedRecords? {
        // The service frames all records of its streams as these.
        cursor.sharedRecords().map { unsafeDowncast($0, to: SharedRecords.self) }
    }

    func end(_ reason: StreamEnd, into out: OutputBuffer) {
        cursor.end(reason == .draining ? .drain : .slowConsumer, into: out)
    }

    func closed() { cursor.closed() }
}
