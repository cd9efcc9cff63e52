// A session's stream as the server asks for it: the cursor's records in the server's frames.

import HTTPServer
import HTTPWire
import TraitSessions

extension OutputBuffer: RecordSink {}

extension SharedRecords: FramedRecords {}

/// Confined to the shard of its connection.
final class EventStream: StreamSource {
    private let cursor: StreamCursor
    /// Who reads; the stream ends with its token.
    private let caller: Caller?
    private var target: WakeTarget?
    private let place: StreamPlace?

    /// - Parameter place: given back with the stream.
    init(_ cursor: StreamCursor, _ caller: Caller?, _ place: StreamPlace? = nil) {
        self.cursor = cursor
        self.caller = caller
        self.place = place
    }

    /// Begins to wake the stream's reader.
    func listen(_ target: WakeTarget) {
        cursor.listen(target)
        guard let caller else { return }
        self.target = target
        caller.listen(target)
    }

    func produce(into out: OutputBuffer, budget: Int) -> StreamStep {
        if let caller, caller.isRevoked {
            cursor.end(.revoked, into: out)
            return .finished
        }
        return switch cursor.produce(into: out, budget: budget) {
        case .idle(let milliseconds):
            .idle(until: MonotonicClock.now() + UInt64(milliseconds) * 1_000_000)
        case .more: .more
        case .finished: .finished
        }
    }

    func sharedRecords() -> SharedRecords? {
        if let caller, caller.isRevoked { return nil }
        // The service frames all records of its streams as these.
        return cursor.sharedRecords().map { unsafeDowncast($0, to: SharedRecords.self) }
    }

    func end(_ reason: StreamEnd, into out: OutputBuffer) {
        cursor.end(reason == .draining ? .drain : .slowConsumer, into: out)
    }

    func closed() {
        cursor.closed()
        if let target { caller?.leave(target) }
    }
}
