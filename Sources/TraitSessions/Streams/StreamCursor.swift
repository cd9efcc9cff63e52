// One open stream: a cursor into its session's retained commits. It produces bytes when its reader
// can take them, so a slow reader does not delay other streams.

import JSONCodec

/// Confined to the thread that serves its reader.
package final class StreamCursor: StreamText {
    /// How many commits are read at a time, so that a stream that catches up holds the lock
    /// briefly.
    private static let commitsAtATime = 64
    /// After so long a cursor that waits for a wake is called again, when its bookmark is overdue.
    private static let overdueMilliseconds: Int64 = 1_000

    let session: Session
    var writer: RecordWriter
    var position: StreamPosition
    /// The next record of a commit that is being sent in parts.
    var place: RecordWriter.Place?
    /// The record that is being sent in pieces. No other is sent before its end.
    var longRecord: LongRecord?
    /// For a commit that is sent in parts, the change of the digest by the parts that are sent.
    var openSum: PairSum?
    /// How many changes of `longRecord` are in `openSum`.
    var addedChanges = 0
    var preface: Preface?
    private let listener = ListenerPlace()
    /// Wakes the reader.
    var waker: (any Waker)?
    private let bornAt: Int64
    var lastSentAt: Int64
    var lastBookmarkAt: Int64
    /// Whether the stream gets a new state when its position is no longer retained. Otherwise it
    /// ends.
    private let coalesces: Bool
    /// The digest of the client's cache; nil while it is not known.
    var digest: CacheDigest?
    /// Whether the stream needs a new state. It is tried again with the next bookmark.
    var isResyncDue = false
    private var hasBegun = false
    /// Why the stream ended; nil while it goes on, and when its reader disconnected.
    package private(set) var endReason: StreamReason?
    /// The time (`SessionEnvironment.ticks`) at which the newest commit taken by the stream was
    /// decided; 0 when that is not known, and for commits from before the stream.
    package var newestDecidedAt: UInt64 { decidedAt >= bornAtTicks ? decidedAt : 0 }
    private var decidedAt: UInt64 = 0
    private let bornAtTicks: UInt64

    /// A state that the stream sends before it goes on with commits.
    struct Preface: Sendable {
        /// A `reset` or `gap` record that says why the state comes; empty when the client requested
        /// it. At the start of a stream it precedes `begin`, later it precedes the state.
        var lead: [UInt8] = []
        /// Makes `lead` at the start of a stream, for the revision of the state.
        var leadAt: @Sendable (Int64) -> [UInt8] = { _ in [] }
        /// Whether the log has acknowledged the revision. Until then nothing of the state is sent.
        var isShown = false
        /// `state` and `sync` records.
        let text: Text
        /// The position to which the stream returns when the state is withdrawn, and its feed; nil at the
        /// start.
        var resumesAt: (position: StreamPosition, feed: Feed)?
        /// The feed's `setVersion` when the state was taken.
        let setVersion: Int
        /// The digest of a state that is written at once; nil for one that is written in chunks.
        var digest: UInt64?
        /// The revision of the state.
        let revision: Int64
        /// The session's `withdrawals` when the state was taken.
        let withdrawals: Int

        enum Text: Sendable {
            case written([UInt8])
            /// Written from a snapshot while the reader takes the chunks.
            case inChunks(StateChunks)
        }
    }

    /// The digest of the client's cache at a revision, updated by each commit that the stream
    /// takes.
    struct CacheDigest: Sendable {
        var revision: Int64
        var sum: UInt64
        /// The feed's `setVersion` of the sum.
        let setVersion: Int
        /// The newest commit that changed the sum.
        var changedAt: Int64 = 0
        /// The newest revision at which the set of registrations and watches is known to be this
        /// one.
        var freshAt: Int64 = 0
    }

    /// Makes the form in which all streams of a feed send the same records.
    private let framing: @Sendable (UnsafeRawBufferPointer) -> any FramedRecords

    package init(
        _ session: Session, _ opened: OpenedStream,
        framing: @escaping @Sendable (UnsafeRawBufferPointer) -> any FramedRecords
    ) {
        self.session = session
        self.framing = framing
        writer = opened.writer
        position = opened.position
        preface = opened.preface
        digest = opened.digest
        isResyncDue = opened.isResyncDue
        coalesces = opened.coalesces
        bornAt = session.environment.uptime()
        bornAtTicks = max(1, session.environment.ticks())
        lastSentAt = bornAt
        lastBookmarkAt = bornAt
    }

    /// Sets the waker of this stream's reader, and wakes it if there are records already. Called
    /// once.
    package func listen(_ waker: any Waker) {
        self.waker = waker
        if case .inChunks(let chunks) = preface?.text { chunks.begin(waking: waker) }
        listener.listen(
            to: writer.feed, of: session, from: position, waker, atOnce: preface != nil)
    }

    /// The records of the newest commit, when the stream has taken all earlier ones, as after most
    /// wakes.
    package func sharedRecords() -> (any FramedRecords)? {
        guard hasBegun, preface == nil, position.part == nil, longRecord == nil else { return nil }
        guard let commit = latest() ?? writeLatest(), !isBookmarkDue(at: commit.writtenAt)
        else { return nil }
        take(commit)
        lastSentAt = max(lastSentAt, commit.writtenAt)
        decidedAt = commit.decidedAt
        return commit.records
    }

    private func take(_ commit: EncodedRecords.Commit) {
        position = StreamPosition(revision: commit.revision)
        add(commit.digestDelta, of: commit.revision)
    }

    func add(_ delta: UInt64, of revision: Int64) {
        guard let known = digest, revision > known.revision else { return }
        digest?.sum &+= delta
        digest?.revision = revision
        if delta != 0 { digest?.changedAt = revision }
    }

    private func latest() -> EncodedRecords.Commit? {
        // A stream of named members gets a new state at once when its set has changed.
        let version = writer.feed.filter.hasCommits ? nil : digest?.setVersion
        return writer.feed.encoded.withLock {
            $0.latest(writer.key, after: position.revision, version: version)
        }
    }

    /// Writes the newest commit as the first stream of the feed, if there is nothing else to send:
    /// neither another commit nor the end nor another feed, for which the stream may have been woken as
    /// well.
    private func writeLatest() -> EncodedRecords.Commit? {
        let reading = session.withStateIfFree(waking: waker) { state -> FeedReading? in
            if writer.feed.ending != nil || writer.feed.successor != nil { return nil }
            return state.read(writer.feed, from: position, limit: 2)
        }
        guard case .commits(let commits)?? = reading, commits.count == 1,
            !writer.isLarge(commits[0])
        else { return nil }
        let records = records(of: commits[0])
        if isSetStale, !writer.feed.filter.hasCommits { return nil }
        return latest() ?? records
    }

    /// Appends records to `out`, which is empty, until about `budget` bytes are in it. A record with long
    /// operations is appended in pieces, one in each call.
    package func produce(into out: any RecordSink, budget: Int) -> CursorStep {
        let now = session.environment.uptime()
        if !hasBegun {
            if let step = waitForState(into: out, now) { return step }
            let known = session.withStateIfFree(waking: waker) {
                ($0.oldestRetained, $0.acknowledged)
            }
            guard let bounds = known else { return idle(now) }
            hasBegun = true
            if let lead = preface?.lead {
                lead.withUnsafeBytes { out.append($0) }
                preface?.lead = []
            }
            out.append {
                writer.writeBegin(
                    at: position, session: session, oldest: bounds.0, head: bounds.1,
                    beforeState: preface != nil, into: &$0)
            }
            lastSentAt = now
        }
        return advance(into: out, budget: budget, now: now)
    }

    private func advance(into out: any RecordSink, budget: Int, now: Int64) -> CursorStep {
        if longRecord != nil {
            sendLongRecord(into: out)
            lastSentAt = now
            return .more
        }
        if let step = sendState(into: out, budget: budget, now: now) { return step }
        while out.count < budget {
            if let preface, isDue(preface) { return .more }
            let read = session.withStateIfFree(waking: waker) {
                $0.read(writer.feed, from: position, limit: Self.commitsAtATime)
            }
            guard let reading = read else { return idle(now) }
            switch reading {
            case .commits(let commits):
                var isNextLarge = false
                for commit in commits {
                    if endsBeforeState(commit.revision) { break }
                    // Only an empty sink takes over a long text without copying it.
                    isNextLarge = out.count > 0 && (position.part != nil || writer.isLarge(commit))
                    if isNextLarge { break }
                    append(commit, into: out)
                    if out.count >= budget || position.part != nil || longRecord != nil { break }
                }
                lastSentAt = now
                if longRecord != nil { return .more }
                // A busy stream may never catch up.
                if isBookmarkDue(at: now), position.part == nil, !isSetStale {
                    bookmark(into: out, now: now)
                }
                if isNextLarge { return .more }
            case .caughtUp(let revision):
                position = StreamPosition(revision: revision)
                if preface != nil { return .more }
                let isEager = !writer.feed.filter.hasCommits
                let isStale = isSetStale
                if !isStale { digest?.freshAt = revision }
                if isStale, isEager || isDue(now) {
                    switch resync(
                        now: now, sendsCommits: !isEager,
                        { writer, head, lead in
                            writer.writeReset(at: head, .setChanged, into: &lead)
                        })
                    {
                    case .taken: return .more
                    case .busy: return idle(now)
                    case .ended: return .more
                    case .unneeded, .refused: break
                    }
                }
                return keepAlive(into: out, now: now)
            case .moved(let next, let revision):
                writer.feed = next
                place = nil
                position = StreamPosition(revision: max(revision, position.revision))
            case .lost:
                guard coalesces else { return finish(.slowConsumer, into: out) }
                let first = position.nextRevision
                switch resync(
                    now: now,
                    { writer, head, lead in
                        writer.writeGap(from: first, through: head, into: &lead)
                    })
                {
                case .taken: return .more
                case .busy: return idle(now)
                case .ended(let reason, let revision):
                    position = StreamPosition(revision: max(revision, position.revision))
                    return finish(reason, into: out)
                case .unneeded, .refused: return finish(.slowConsumer, into: out)
                }
            case .ended(let reason, let revision):
                position = StreamPosition(revision: max(revision, position.revision))
                return finish(reason, into: out)
            }
        }
        return .more
    }

    private func append(_ commit: FeedCommit, into out: any RecordSink) {
        decidedAt = commit.commit.decidedAt
        let part = position.revision == commit.revision ? position.part : nil
        guard part != nil || writer.isLarge(commit) else {
            let written = records(of: commit)
            written.records.withBytes { out.append($0) }
            take(written)
            return
        }
        let first = (part ?? -1) + 1
        var place =
            place.flatMap { $0.revision == commit.revision && $0.part == first ? $0 : nil }
            ?? writer.place(of: first, in: commit)
        if first == 0 { openSum = writer.withDigest && digest != nil ? PairSum() : nil }
        if let record = writer.longRecord(of: commit, from: &place) {
            longRecord = record
            self.place = place
            return sendLongRecord(into: out)
        }
        var text = JSONWriter()
        let note = place.note
        writer.write(
            commit, from: &place, limit: RecordWriter.recordsAtATime,
            bytesMax: RecordWriter.bytesAtATime,
            into: &text)
        out.append(&text)
        if var sum = openSum {
            openSum = nil
            writer.add(commit, notes: note..<place.note, to: &sum)
            openSum = sum
        }
        pass(place, of: commit.revision)
    }

    /// The records of the commit that comes next, written by the first stream of the feed that asks.
    private func records(of commit: FeedCommit) -> EncodedRecords.Commit {
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
            digestDelta: writer.digestDelta(of: commit), writtenAt: session.environment.uptime(),
            decidedAt: commit.commit.decidedAt)
        writer.feed.encoded.withLock { $0.keep(written) }
        return written
    }

    func finish(_ reason: StreamReason, into out: any RecordSink) -> CursorStep {
        endReason = reason
        out.append { writer.writeEnd(at: position, reason, into: &$0) }
        return .finished
    }

    /// Sends a bookmark when it is due, or the end when the stream's lifetime is over.
    private func keepAlive(into out: any RecordSink, now: Int64) -> CursorStep {
        let limits = session.limits
        if now - bornAt >= limits.streamLifetimeMilliseconds { return finish(.timeout, into: out) }
        if isDue(now) { bookmark(into: out, now: now) }
        return idle(now)
    }

    /// Whether an idle stream gets a bookmark.
    private func isDue(_ now: Int64) -> Bool {
        now - lastSentAt >= session.limits.heartbeatMilliseconds || isBookmarkDue(at: now)
    }

    /// Whether a busy stream gets a bookmark.
    private func isBookmarkDue(at now: Int64) -> Bool {
        now - lastBookmarkAt >= 4 * session.limits.heartbeatMilliseconds
    }

    /// To be called only after a whole revision.
    private func bookmark(into out: any RecordSink, now: Int64) {
        out.append {
            writer.writeBookmark(
                at: position.revision, lagMilliseconds: 0, digest: presentDigest, into: &$0)
        }
        lastSentAt = now
        lastBookmarkAt = now
    }

    /// The digest of the client's cache at the stream's position; nil when it is not known.
    private var presentDigest: UInt64? {
        guard let digest, digest.revision <= position.revision, !isSetStale else { return nil }
        return digest.sum
    }

    func idle(_ now: Int64) -> CursorStep {
        let limits = session.limits
        let heartbeat = min(
            lastSentAt + limits.heartbeatMilliseconds,
            lastBookmarkAt + 4 * limits.heartbeatMilliseconds)
        let due = min(heartbeat, bornAt + limits.streamLifetimeMilliseconds) - now
        // An overdue record waits for a thread that owns the session, or for the log: both wake the reader.
        return .idle(milliseconds: due > 0 ? due + 1 : Self.overdueMilliseconds)
    }

    /// Appends the last record of a stream that the server ends, not the session. O(bytes) of a record of
    /// which a part is sent already.
    package func end(_ reason: StreamReason, into out: any RecordSink) {
        sendLongRecord(.max, into: out)
        _ = finish(reason, into: out)
    }

    /// Releases the stream's feed, listener and buffers in the session. To be called once, at the end.
    package func closed() {
        listener.leave(writer.feed, of: session)
        if case .inChunks(let chunks) = preface?.text { chunks.end() }
        preface = nil
        longRecord = nil
    }
}
