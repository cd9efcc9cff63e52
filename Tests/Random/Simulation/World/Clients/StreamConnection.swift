// A stream from a replica to a client, as TraitService opens and sends it.

import Background
import JSONCodec
import SessionScripts
import SessionViews
import Simulated
import TraitJSON
import TraitSessions

/// What a client asks a stream for.
struct StreamRequest {
    let session: String
    var subject = ModelSubject.session
    var options: StreamOptions
    /// Whether a model has to know what the names mean.
    var isModelled = false
    /// Those that the stream names, instead of the subject.
    var registrations: [String]?
}

final class StreamConnection: @unchecked Sendable {
    let request: StreamRequest
    /// What was sent and not taken.
    var chunks: [[UInt8]] = []
    /// The head that gave the names of the request their meaning; nil before the stream is open.
    private(set) var head: Int64?
    /// Whether the client has left.
    var isClosed = false
    private(set) var isEnded = false
    /// Why the stream was not opened.
    private(set) var refusal: SessionErrorCode?

    init(_ request: StreamRequest) { self.request = request }

    private final class Wake: Waker {
        let signal = Signal()
        func wake() { signal.signal() }
    }

    private final class Sink: RecordSink {
        var bytes: [UInt8] = []
        var count: Int { bytes.count }
        func append(_ more: UnsafeRawBufferPointer) { bytes += more }
    }

    private static let refusals: [SessionErrorCode] = [
        .historyGone, .revisionAhead, .logUnavailable, .logRefused, .outcomeUnknown, .unknownNode,
        .unknownRegistration,
    ]

    /// Of a thread of the replica.
    func serve(_ handler: Handler) {
        let scheduler = handler.world.scheduler
        defer {
            isEnded = true
            scheduler.changed()
        }
        let cursor: StreamCursor
        do throws(SessionError) {
            try handler.confirm([request.session])
            guard let session = handler.store.find(request.session) else { return }
            cursor = try open(session)
        } catch {
            refusal = error.code
            // No other server can have a later revision than the only one.
            let isAhead =
                error.code == .revisionAhead && !request.isModelled
                && handler.world.disk != nil
            if isAhead || !Self.refusals.contains(error.code) {
                handler.world.found(
                    "a stream of '\(request.session)' from \(request.options.from ?? "nowhere") is refused: \(error.code), \(error.detail)"
                )
            }
            return handler.world.tally.add("stream refused \(error.code)")
        }
        let waker = Wake()
        cursor.listen(waker)
        defer { cursor.closed() }
        var wantsMore = true
        while !isClosed {
            if !wantsMore, let records = cursor.sharedRecords() {
                records.withBytes { chunks.append(Array($0)) }
                scheduler.changed()
                continue
            }
            let sink = Sink()
            let step = cursor.produce(into: sink, budget: 4_096)
            if !sink.bytes.isEmpty {
                chunks.append(sink.bytes)
                scheduler.changed()
            }
            wantsMore = false
            switch step {
            case .more: wantsMore = true
            case .finished: return
            case .idle(let milliseconds):
                _ = waker.signal.wait(atMost: .milliseconds(min(milliseconds, 5_000)))
            }
        }
    }

    private func open(_ session: Session) throws(SessionError) -> StreamCursor {
        try session.openStream(request.options) { state throws(SessionError) in
            // What a name means at a revision that is withdrawn later no log tells.
            if request.isModelled, state.head != state.acknowledged {
                throw SessionError(.revisionAhead, "")
            }
            head = state.head
            if let registrations = request.registrations { return .registrations(registrations) }
            return try request.subject.subject(in: state)
        }
    }
}
