// One open stream: a cursor into its session's retained commits. It is asked for bytes when the
// connection can take them, so a slow reader costs nobody else anything.

import HTTPServer
import HTTPWire
import JSONCodec

/// Confined to the shard of its connection.
final class EventStream: StreamSource {
    /// The commits taken at a time, so that a stream that catches up does not hold the lock long.
    private static let commitsAtATime = 64
    /// The records of one large commit written at a time, so that the buffer stays bounded.
    private static let recordsAtATime = 256

    private let session: Session
    private let writer: RecordWriter
    private var position: StreamPosition
    private var preface: Preface?
    private var listener: Int?
    private let bornAt: Int64
    private var lastSentAt: Int64
    private var hasBegun = false

    /// The initial state, already written.
    struct Preface {
        /// `state` and `sync` records.
        let bytes: [UInt8]
        /// The revision that they show; sent once it is acknowledged.
        let revision: Int64
        /// The session's `withdrawals` at that time.
        let withdrawals: Int
    }

    init(
        _ session: Session, _ writer: RecordWriter, from position: StreamPosition,
        preface: Preface?
    ) {
        self.session = session
        self.writer = writer
        self.position = position
        self.preface = preface
        bornAt = session.environment.now()
        lastSentAt = bornAt
    }

    /// Called once with the handle that wakes this stream; wakes it if something came meanwhile.
    func listen(_ handle: WakeHandle) {
        let isBehind = session.locked { () -> Bool in
            listener = session.feeds.listen(writer.feed, handle)
            switch session.read(writer.feed, from: position, limit: 1) {
            case .caughtUp: return preface != nil
            default: return true
            }
        }
        if isBehind { handle.wake() }
    }

    func produce(into out: OutputBuffer, budget: Int) -> StreamStep {
        let now = session.environment.now()
        var text = JSONWriter()
        if !hasBegun {
            hasBegun = true
            let bounds = session.locked {
                (session.retained.oldestRevision ?? session.acknowledged + 1, session.acknowledged)
            }
            writer.writeBegin(
                at: position, session: session, oldest: bounds.0, head: bounds.1,
                beforeState: preface != nil, into: &text)
            lastSentAt = now
        }
        let step = advance(into: &text, budget: budget, now: now)
        out.append(text.bytes)
        return step
    }

    private func advance(into text: inout JSONWriter, budget: Int, now: Int64) -> StreamStep {
        if let preface {
            // Present values that the log has not acknowledged yet are not shown.
            let (acknowledged, withdrawals) = session.locked {
                (session.acknowledged, session.withdrawals)
            }
            guard withdrawals == preface.withdrawals else {
                writer.writeEnd(at: position, .error, into: &text)
                return .finished
            }
            guard acknowledged >= preface.revision else { return idle(now) }
            preface.bytes.withUnsafeBytes { text.verbatim($0) }
            self.preface = nil
            lastSentAt = now
        }
        while text.count < budget {
            let reading = session.locked {
                session.read(writer.feed, from: position, limit: Self.commitsAtATime)
            }
            switch reading {
            case .commits(let commits):
                for commit in commits {
                    append(commit, into: &text)
                    if text.count >= budget || position.part != nil { break }
                }
                lastSentAt = now
            case .caughtUp(let revision):
                position = StreamPosition(revision: revision)
                return keepAlive(into: &text, now: now)
            case .lost:
                writer.writeEnd(at: position, .slowConsumer, into: &text)
                return .finished
            case .ended(let reason, let revision):
                position = StreamPosition(revision: max(revision, position.revision))
                writer.writeEnd(at: position, reason, into: &text)
                return .finished
            }
        }
        return .more
    }

    private func append(_ commit: RetainedCommit, into text: inout JSONWriter) {
        let part = position.revision == commit.revision ? position.part : nil
        if part != nil || commit.notes.count > Self.recordsAtATime {
            let first = (part ?? -1) + 1
            let (written, isWhole) = writer.write(
                commit, from: first, limit: Self.recordsAtATime, into: &text)
            position = StreamPosition(
                revision: commit.revision, part: isWhole ? nil : first + written - 1)
            return
        } else {
            let key = EncodedRecords.Key(
                format: writer.format, withOperations: writer.withOperations)
            let bytes = writer.feed.encoded.withLock { encoded -> [UInt8] in
                if let known = encoded.bytes(key, commit.revision) { return known }
                var records = JSONWriter()
                writer.write(commit, from: 0, into: &records)
                let bytes = records.array()
                encoded.keep(key, commit.revision, bytes)
                return bytes
            }
            bytes.withUnsafeBytes { text.verbatim($0) }
        }
        position = StreamPosition(revision: commit.revision)
    }

    /// A bookmark when nothing else was sent for the heartbeat, the end when the time is up.
    private func keepAlive(into text: inout JSONWriter, now: Int64) -> StreamStep {
        let limits = session.limits
        if now - bornAt >= limits.streamLifetimeMilliseconds {
            writer.writeEnd(at: position, .timeout, into: &text)
            return .finished
        }
        if now - lastSentAt >= limits.heartbeatMilliseconds {
            writer.writeBookmark(at: position.revision, lagMilliseconds: 0, into: &text)
            lastSentAt = now
        }
        return idle(now)
    }

    private func idle(_ now: Int64) -> StreamStep {
        let limits = session.limits
        let heartbeat = lastSentAt + limits.heartbeatMilliseconds
        let due = max(0, min(heartbeat, bornAt + limits.streamLifetimeMilliseconds) - now)
        return .idle(until: MonotonicClock.now() + UInt64(due + 1) * 1_000_000)
    }

    func end(_ reason: StreamEnd, into out: OutputBuffer) {
        var text = JSONWriter()
        let reason: StreamReason =
            switch reason {
            case .draining: .drain
            case .slowConsumer: .slowConsumer
            }
        writer.writeEnd(at: position, reason, into: &text)
        out.append(text.bytes)
    }

    func closed() {
        if let listener {
            session.locked {
                session.feeds.leave(writer.feed, listener, now: session.environment.now())
            }
        }
        listener = nil
    }
}
