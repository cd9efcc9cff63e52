// One open stream: a cursor into its session's retained commits. It is asked for bytes when its
// reader can take them, so a slow reader costs no other stream anything.

import JSONCodec

/// What a cursor says after it was asked for more.
package enum CursorStep: Sendable {
    /// Nothing more for now. Ask again on a wake, or after this many milliseconds.
    case idle(milliseconds: Int64)
    /// There is more already.
    case more
    /// That was the last record.
    case finished
}

/// Confined to the thread that serves its reader.
package final class StreamCursor {
    /// The commits taken at a time, so that a stream that catches up does not hold the lock long.
    private static let commitsAtATime = 64
    /// A commit with more notes or bytes is written in parts, so that the buffer stays bounded, and for
    /// each stream by itself.
    private static let recordsAtATime = 256
    private static let bytesAtATime = 262_144

    private let session: Session
    private let writer: RecordWriter
    private var position: StreamPosition
    /// Within the commit that is being sent in parts.
    private var place: RecordWriter.Place?
    private var preface: Preface?
    private let listener = ListenerPlace()
    /// Wakes the reader.
    private var waker: (any Waker)?
    private let bornAt: Int64
    private var lastSentAt: Int64
    private var hasBegun = false
    /// Why the stream ended; nil while it goes on, and when its reader went away.
    package private(set) var endReason: StreamReason?
    /// When the commit whose records were taken last was decided (`SessionEnvironment.ticks`); 0 when
    /// that is not known, and for commits from before the stream.
    package var newestDecidedAt: UInt64 { decidedAt >= bornAtTicks ? decidedAt : 0 }
    private var decidedAt: UInt64 = 0
    private let bornAtTicks: UInt64

    /// The initial state.
    struct Preface {
        /// `state` and `sync` records.
        let text: Text
        /// The revision that they show; sent once it is acknowledged.
        let revision: Int64
        /// The session's `withdrawals` at that time.
        let withdrawals: Int

        enum Text {
            case written([UInt8])
            /// Written from a snapshot, a few chunks ahead of the reader.
            case inChunks(StateChunks)
        }
    }

    /// Makes the form in which all streams of a feed send the same records.
    private let framing: @Sendable (UnsafeRawBufferPointer) -> any FramedRecords

    init(
        _ session: Session, _ writer: RecordWriter, from position: StreamPosition,
        preface: Preface?,
        framing: @escaping @Sendable (UnsafeRawBufferPointer) -> any FramedRecords
    ) {
        self.framing = framing
        self.session = session
        self.writer = writer
        self.position = position
        self.preface = preface
        bornAt = session.environment.uptime()
        bornAtTicks = max(1, session.environment.ticks())
        lastSentAt = bornAt
    }

    /// Called once with what wakes this stream's reader; wakes it if something came meanwhile.
    package func listen(_ waker: any Waker) {
        self.waker = waker
        if case .inChunks(let chunks) = preface?.text { chunks.begin(waking: waker) }
        listener.listen(
            to: writer.feed, of: session, from: position, waker, atOnce: preface != nil)
    }

    /// The newest commit, when this stream has all before it: the case of nearly every wake.
    package func sharedRecords() -> (any FramedRecords)? {
        guard hasBegun, preface == nil, position.part == nil else { return nil }
        guard let commit = latest() ?? writeLatest() else { return nil }
        position = StreamPosition(revision: commit.revision)
        lastSentAt = max(lastSentAt, commit.writtenAt)
        decidedAt = commit.decidedAt
        return commit.records
    }

    private func latest() -> EncodedRecords.Commit? {
        writer.feed.encoded.withLock { $0.latest(writer.key, after: position.revision) }
    }

    /// As the first of its feed: writes the newest commit, if nothing else is left to send.
    private func writeLatest() -> EncodedRecords.Commit? {
        let reading = session.lockedIfFree(waking: waker) {
            session.read(writer.feed, from: position, limit: 2)
        }
        guard case .commits(let commits)? = reading, commits.count == 1,
            !isLarge(commits[0])
        else { return nil }
        let after = position.revision
        let records = records(of: commits[0])
        return latest()
            ?? EncodedRecords.Commit(
                key: writer.key, after: after, revision: commits[0].revision, records: records,
                writtenAt: session.environment.uptime(),
                decidedAt: commits[0].commit.decidedAt)
    }

    /// Appends whole records to `out`, until about `budget` bytes are in it.
    package func produce(into out: any RecordSink, budget: Int) -> CursorStep {
        let now = session.environment.uptime()
        if !hasBegun {
            let known = session.lockedIfFree(waking: waker) {
                (session.retained.oldestRevision ?? session.acknowledged + 1, session.acknowledged)
            }
            guard let bounds = known else { return idle(now) }
            hasBegun = true
            var text = JSONWriter()
            writer.writeBegin(
                at: position, session: session, oldest: bounds.0, head: bounds.1,
                beforeState: preface != nil, into: &text)
            out.append(text.bytes)
            lastSentAt = now
        }
        return advance(into: out, budget: budget, now: now)
    }

    private func advance(into out: any RecordSink, budget: Int, now: Int64) -> CursorStep {
        if let preface {
            // Present values that the log has not acknowledged yet are not shown.
            let known = session.lockedIfFree(waking: waker) {
                (session.acknowledged, session.withdrawals)
            }
            guard let (acknowledged, withdrawals) = known else { return idle(now) }
            guard withdrawals == preface.withdrawals else { return finish(.error, into: out) }
            guard acknowledged >= preface.revision else { return idle(now) }
            switch preface.text {
            case .written(let bytes):
                bytes.withUnsafeBytes { out.append($0) }
            case .inChunks(let chunks):
                while out.count < budget {
                    guard let chunk = chunks.next() else { break }
                    chunk.withUnsafeBytes { out.append($0) }
                }
                lastSentAt = now
                if out.count >= budget { return .more }
                // The chunks wake the reader when there is one more.
                guard chunks.isOver else { return idle(now) }
            }
            self.preface = nil
            lastSentAt = now
        }
        while out.count < budget {
            let read = session.lockedIfFree(waking: waker) {
                session.read(writer.feed, from: position, limit: Self.commitsAtATime)
            }
            guard let reading = read else { return idle(now) }
            switch reading {
            case .commits(let commits):
                for commit in commits {
                    append(commit, into: out)
                    if out.count >= budget || position.part != nil { break }
                }
                lastSentAt = now
            case .caughtUp(let revision):
                position = StreamPosition(revision: revision)
                return keepAlive(into: out, now: now)
            case .lost:
                return finish(.slowConsumer, into: out)
            case .ended(let reason, let revision):
                position = StreamPosition(revision: max(revision, position.revision))
                return finish(reason, into: out)
            }
        }
        return .more
    }

    /// Whether a commit is written in parts. O(recordsAtATime).
    private func isLarge(_ commit: FeedCommit) -> Bool {
        if commit.notes.count > Self.recordsAtATime { return true }
        var bytes = 0
        for note in commit.commit.notes[commit.notes] {
            bytes += RetainedCommit.recordBytes(of: note)
            if bytes > Self.bytesAtATime { return true }
        }
        return false
    }

    private func append(_ commit: FeedCommit, into out: any RecordSink) {
        decidedAt = commit.commit.decidedAt
        let part = position.revision == commit.revision ? position.part : nil
        guard part != nil || isLarge(commit) else {
            records(of: commit).withBytes { out.append($0) }
            position = StreamPosition(revision: commit.revision)
            return
        }
        let first = (part ?? -1) + 1
        var place =
            place.flatMap { $0.revision == commit.revision && $0.part == first ? $0 : nil }
            ?? writer.place(of: first, in: commit)
        var text = JSONWriter()
        let isWhole = writer.write(
            commit, from: &place, limit: Self.recordsAtATime, bytesMax: Self.bytesAtATime,
            into: &text)
        out.append(text.bytes)
        self.place = isWhole ? nil : place
        position = StreamPosition(
            revision: commit.revision, part: isWhole ? nil : place.part - 1)
    }

    /// The records of the commit that comes next, written by the first stream of the feed that asks.
    private func records(of commit: FeedCommit) -> any FramedRecords {
        let after = position.revision
        let known = writer.feed.encoded.withLock {
            $0.records(writer.key, of: commit.revision, after: after)
        }
        if let known { return known }
        var text = JSONWriter()
        var place = writer.start(of: commit)
        writer.write(commit, from: &place, into: &text)
        let records = framing(text.bytes)
        let written = EncodedRecords.Commit(
            key: writer.key, after: after, revision: commit.revision, records: records,
            writtenAt: session.environment.uptime(), decidedAt: commit.commit.decidedAt)
        writer.feed.encoded.withLock { $0.keep(written) }
        return records
    }

    private func finish(_ reason: StreamReason, into out: any RecordSink) -> CursorStep {
        endReason = reason
        var text = JSONWriter()
        writer.writeEnd(at: position, reason, into: &text)
        out.append(text.bytes)
        return .finished
    }

    /// A bookmark when nothing else was sent for the heartbeat, the end when the time is up.
    private func keepAlive(into out: any RecordSink, now: Int64) -> CursorStep {
        let limits = session.limits
        if now - bornAt >= limits.streamLifetimeMilliseconds { return finish(.timeout, into: out) }
        if now - lastSentAt >= limits.heartbeatMilliseconds {
            var text = JSONWriter()
            writer.writeBookmark(at: position.revision, lagMilliseconds: 0, into: &text)
            out.append(text.bytes)
            lastSentAt = now
        }
        return idle(now)
    }

    private func idle(_ now: Int64) -> CursorStep {
        let limits = session.limits
        let heartbeat = lastSentAt + limits.heartbeatMilliseconds
        let due = max(0, min(heartbeat, bornAt + limits.streamLifetimeMilliseconds) - now)
        return .idle(milliseconds: due + 1)
    }

    /// Appends the last record of a stream that its reader's side ends.
    package func end(_ reason: StreamReason, into out: any RecordSink) {
        _ = finish(reason, into: out)
    }

    /// The stream is over. To be called once.
    package func closed() {
        listener.leave(writer.feed, of: session)
        if case .inChunks(let chunks) = preface?.text { chunks.end() }
        preface = nil
    }
}
