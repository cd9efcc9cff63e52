// The state that a stream is sent at its start, after a gap, and when its set has changed.

import JSONCodec

extension StreamCursor {
    /// Waits until the log has acknowledged the state. If that was withdrawn, the stream goes on where it was, or begins
    /// with the state that is there now. Returns nil when the state may be sent.
    func waitForState(into out: any RecordSink, _ now: Int64) -> CursorStep? {
        guard let preface, !preface.isShown else { return nil }
        let known = session.withStateIfFree(waking: waker) {
            state -> (isShown: Bool, withdrawals: Int) in
            let isShown = state.acknowledged >= preface.revision
            if !isShown, let waker { state.streams.await(waker) }
            return (isShown, state.queue.withdrawals)
        }
        guard let known else { return idle(now) }
        guard known.withdrawals == preface.withdrawals else {
            guard let resumesAt = preface.resumesAt else { return begin(after: preface, out, now) }
            if case .inChunks(let chunks) = preface.text { chunks.end() }
            self.preface = nil
            digest = nil
            (position, writer.feed) = resumesAt
            isResyncDue = true
            return .more
        }
        self.preface?.isShown = known.isShown
        return known.isShown ? nil : idle(now)
    }

    /// Begins with the present state instead of one that was withdrawn.
    private func begin(
        after withdrawn: Preface, _ out: any RecordSink, _ now: Int64
    ) -> CursorStep {
        let writer = writer
        let made = session.withStateIfFree(waking: waker) { state -> Preface? in
            state.isDeleted ? nil : try? state.state(for: writer, withdrawn.leadAt)
        }
        guard let made else { return idle(now) }
        if case .inChunks(let chunks) = withdrawn.text { chunks.end() }
        guard let preface = made else { return finish(.error, into: out) }
        if case .inChunks(let chunks) = preface.text, let waker { chunks.begin(waking: waker) }
        self.preface = preface
        position = StreamPosition(revision: preface.revision)
        return .more
    }

    /// Sends as much of the state as there is. Returns nil when all of it is sent.
    func sendState(into out: any RecordSink, budget: Int, now: Int64) -> CursorStep? {
        if let step = waitForState(into: out, now) { return step }
        // The log has acknowledged commits since the state was taken, which come first.
        guard let preface, isDue(preface) else { return nil }
        preface.lead.withUnsafeBytes { out.append($0) }
        self.preface?.lead = []
        var sum = preface.digest
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
            // The reader is woken when there is another chunk.
            guard chunks.isOver else { return idle(now) }
            if chunks.hasFailed { return finish(.error, into: out) }
            sum = chunks.digest
        }
        if let sum {
            digest = CacheDigest(
                revision: preface.revision, sum: sum, setVersion: preface.setVersion,
                freshAt: preface.revision)
        }
        self.preface = nil
        isResyncDue = false
        lastSentAt = now
        lastBookmarkAt = now
        return nil
    }

    /// Whether the stream has sent all that comes before the state.
    func isDue(_ preface: Preface) -> Bool {
        position.part == nil && position.revision >= preface.revision
    }

    /// Whether the commit of a revision comes behind the state that is sent next.
    func endsBeforeState(_ revision: Int64) -> Bool {
        guard let preface, revision > preface.revision else { return false }
        position = StreamPosition(revision: preface.revision)
        return true
    }

    // MARK: - The state in the middle of a stream

    enum Resync {
        case taken
        /// The stream has sent this state already.
        case unneeded
        /// A thread owns the session, and wakes the reader when it is done.
        case busy
        /// The feed has ended.
        case ended(StreamReason, Int64)
        /// There is no room for a snapshot.
        case refused
    }

    /// Makes the stream go on with the present state.
    ///
    /// - Parameters:
    ///   - sendsCommits: whether commits that the log has still to acknowledge come before the state.
    ///   - lead: writes the record that gives the reason, at the session's head.
    func resync(
        now: Int64, sendsCommits: Bool = false,
        _ lead: (RecordWriter, Int64, inout JSONWriter) -> Void
    ) -> Resync {
        writer.withDigest = true
        var ending: (revision: Int64, reason: StreamReason)?
        // Another feed may go on in place of this one.
        var present = writer
        let taken = session.withStateIfFree(waking: waker) { state -> Preface? in
            present.feed = writer.feed.current
            ending = present.feed.ending
            if ending != nil { return nil }
            guard var preface = try? state.state(for: present) else { return nil }
            preface.lead = JSONWriter.text { lead(present, preface.revision, &$0) }
            preface.resumesAt = (position, writer.feed)
            return preface
        }
        guard let taken else {
            lastSentAt = now
            return .busy
        }
        if let ending { return .ended(ending.reason, ending.revision) }
        guard let preface = taken else {
            lastSentAt = now
            isResyncDue = true
            lastBookmarkAt = now
            return .refused
        }
        writer = present
        if let known = digest, known.changedAt <= known.freshAt,
            position.revision == preface.revision, preface.digest == known.sum
        {
            // The registrations that were made or ended are not in the set.
            digest = CacheDigest(
                revision: preface.revision, sum: known.sum, setVersion: preface.setVersion,
                freshAt: preface.revision)
            isResyncDue = false
            return .unneeded
        }
        lastSentAt = now
        lastBookmarkAt = now
        self.preface = preface
        digest = nil
        place = nil
        if !sendsCommits { position = StreamPosition(revision: preface.revision) }
        if let waker, case .inChunks(let chunks) = preface.text { chunks.begin(waking: waker) }
        return .taken
    }

    /// Whether the set of registrations and watches differs from that of the state that the stream
    /// sent.
    var isSetStale: Bool {
        preface != nil || isResyncDue
            || digest.map { $0.setVersion != writer.feed.setVersion } ?? false
    }
}

extension StreamCursor {
    /// Bytes that the stream keeps for its reader, beside what it has appended to its sink.
    package var heldBytes: Int { longRecord?.left ?? 0 }

    /// Appends the next piece, at most `room` bytes of it. At the record's end the stream has its token as
    /// its position.
    func sendLongRecord(_ room: Int = LongRecord.pieceBytesMax, into out: any RecordSink) {
        guard var record = longRecord else { return }
        longRecord = nil
        record.appendNext(room, into: out)
        if let (note, places) = record.change {
            openSum?.add(
                note, places, from: &addedChanges, bytesMax: record.left == 0 ? .max : room)
        }
        guard record.left == 0 else {
            longRecord = record
            return
        }
        addedChanges = 0
        pass(place, of: record.revision)
    }

    /// Sets the position behind the records of a commit that are sent.
    ///
    /// - Parameter place: the place of the next record.
    func pass(_ place: RecordWriter.Place?, of revision: Int64) {
        let isWhole = place.map { $0.part >= $0.total } ?? true
        self.place = isWhole ? nil : place
        position = StreamPosition(
            revision: revision, part: isWhole ? nil : place.map { $0.part - 1 })
        guard isWhole else { return }
        if let sum = openSum {
            add(sum.sum, of: revision)
        } else if let known = digest, revision > known.revision {
            // The stream has not seen all of the commit.
            digest = nil
        }
        openSum = nil
    }
}
