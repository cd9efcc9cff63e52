// A session's stream as a stream source of the server: the cursor's records, framed by the server.

import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import TraitSessions

extension OutputBuffer: RecordSink {
    /// A longer text is taken over instead of copied: each copy of a megabyte costs an event loop as
    /// much as dozens of requests.
    private static let copiedBytesMax = 65_536

    package func append(_ text: inout JSONWriter) {
        guard isEmpty, text.count > Self.copiedBytesMax else {
            append(text.bytes)
            return text.reset()
        }
        let storage = text.giveStorage()
        adopt(storage.base, count: storage.count, capacity: storage.capacity)
    }
}

extension SharedRecords: FramedRecords {}

/// Confined to the shard of its connection.
final class EventStream<Text: StreamText>: StreamSource {
    private let cursor: Text
    /// The caller, with whose token the stream ends.
    private let caller: Caller?
    private var target: WakeTarget?
    private let place: StreamPlace?
    private let meters: ShardMeters
    /// The compressor of a compressed stream; nil for a plain one.
    private var compression: StreamCompression?
    /// When the commit was decided that was last counted as delivered.
    private var countedAt: UInt64 = 0

    /// - Parameters:
    ///   - meters: the counters of the stream's shard.
    ///   - place: the caller's place for a stream, released with the stream.
    init(
        _ cursor: Text, _ meters: ShardMeters, _ caller: Caller?,
        _ place: StreamPlace? = nil
    ) {
        self.cursor = cursor
        self.meters = meters
        self.caller = caller
        self.place = place
    }

    /// Counts the stream, which the server closes with `closed`.
    func opened() { meters.streamsOpened.add(1, at: 0) }

    /// Begins to wake the stream's reader.
    func listen(_ target: WakeTarget) {
        cursor.listen(target)
        guard let caller else { return }
        self.target = target
        caller.listen(target)
    }

    /// Compresses the stream. To be called before `produce`.
    ///
    /// - Returns: whether there is memory for the compressor.
    func compress() -> Bool {
        compression = StreamCompression()
        return compression != nil
    }

    func produce(into out: OutputBuffer, budget: Int) -> StreamStep {
        if let caller, caller.isRevoked {
            finish(.revoked, into: out)
            return .finished
        }
        var step = CursorStep.finished
        let isWritten = writing(into: out) {
            step = cursor.produce(into: $0, budget: budget)
            if case .finished = step { return true }
            return false
        }
        if !isWritten { step = .finished }
        countDelivery()
        return switch step {
        case .idle(let milliseconds):
            .idle(until: MonotonicClock.now() + UInt64(milliseconds) * 1_000_000)
        case .more: .more
        case .finished: .finished
        }
    }

    /// - Parameter write: appends records, and returns whether they are the last.
    /// - Returns: whether the records could be compressed.
    private func writing(into out: OutputBuffer, _ write: (OutputBuffer) -> Bool) -> Bool {
        if let compression { return compression.write(into: out, write) }
        _ = write(out)
        return true
    }

    private func finish(_ reason: StreamReason, into out: OutputBuffer) {
        _ = writing(into: out) {
            cursor.end(reason, into: $0)
            return true
        }
    }

    var heldBytes: Int { cursor.heldBytes }

    func sharedRecords() -> SharedRecords? {
        if compression != nil { return nil }
        if let caller, caller.isRevoked { return nil }
        guard let records = cursor.sharedRecords() else { return nil }
        countDelivery()
        // The service frames all records of its streams as these.
        return unsafeDowncast(records, to: SharedRecords.self)
    }

    /// Counts a delivered commit once for each stream. Of several commits at once, the newest counts.
    private func countDelivery() {
        let decidedAt = cursor.newestDecidedAt
        guard decidedAt != countedAt, decidedAt != 0 else { return }
        countedAt = decidedAt
        meters.delivered(since: decidedAt)
    }

    func end(_ reason: StreamEnd, into out: OutputBuffer) {
        finish(reason == .draining ? .drain : .slowConsumer, into: out)
    }

    func closed() {
        cursor.closed()
        if let target { caller?.leave(target) }
        let reasons = StreamReason.allCases
        let reason = cursor.endReason.flatMap { reasons.firstIndex(of: $0) } ?? reasons.count
        meters.streamEnds.add(1, at: reason)
    }
}
