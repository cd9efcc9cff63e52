// The records of a commit as one feed sees it: `commit` first on a session's stream, then its
// changes from the top of the tree down, numbered by `part`, the last one marked.

import JSONCodec

struct RecordWriter {
    let uid: String
    let feed: Feed
    let format: RecordFormat
    /// Whether `commit` records carry the operations in full.
    let withOperations: Bool

    /// What the bytes of a commit depend on beside the feed.
    var key: EncodedRecords.Key { .init(format: format, withOperations: withOperations) }

    /// Where the writing of a commit's records stopped, so that it goes on without counting again.
    struct Place {
        let revision: Int64
        /// Records of the commit.
        let total: Int
        /// The number of the next record, and the note at which it is looked for.
        var part = 0
        var note: Int
    }

    /// Where the records of a commit begin. O(notes from the first admitted to the last).
    func start(of commit: FeedCommit) -> Place {
        let admitted = commit.commit.notes[commit.notes].count {
            feed.filter.admits($0, of: commit.revision)
        }
        return Place(
            revision: commit.revision, total: admitted + (feed.isSession ? 1 : 0),
            note: commit.notes.lowerBound)
    }

    /// The place of record number `part`. O(notes).
    func place(of part: Int, in commit: FeedCommit) -> Place {
        var place = start(of: commit)
        if part > 0, feed.isSession { place.part = 1 }
        while place.part < part, place.note < commit.notes.upperBound {
            if feed.filter.admits(commit.commit.notes[place.note], of: commit.revision) {
                place.part += 1
            }
            place.note += 1
        }
        return place
    }

    /// Appends the commit's records from a place on: at most `limit`, and none once `bytesMax` bytes
    /// are written. The place moves on. O(records and bytes written, notes in between).
    ///
    /// Returns whether the commit is whole now.
    @discardableResult
    func write(
        _ feedCommit: FeedCommit, from place: inout Place, limit: Int = .max,
        bytesMax: Int = .max, into writer: inout JSONWriter
    ) -> Bool {
        let commit = feedCommit.commit
        let (first, start) = (place.part, writer.count)
        if feed.isSession, place.part == 0, limit > 0 {
            writeCommit(commit, isLast: place.total == 1, into: &writer)
            place.part = 1
        }
        while place.note < feedCommit.notes.upperBound {
            if place.part - first >= limit || writer.count - start >= bytesMax { break }
            let note = commit.notes[place.note]
            place.note += 1
            guard feed.filter.admits(note, of: commit.revision) else { continue }
            write(
                note, of: commit, part: place.part, isLast: place.part == place.total - 1,
                into: &writer)
            place.part += 1
        }
        return place.part >= place.total
    }

    func token(_ revision: Int64, part: Int?) -> String {
        StreamToken(
            uid: uid, position: StreamPosition(revision: revision, part: part),
            filter: feed.fingerprint
        ).text
    }

    private func begin(
        _ type: RecordType, _ commit: RetainedCommit, part: Int, isLast: Bool,
        into writer: inout JSONWriter
    ) {
        let token = token(commit.revision, part: isLast ? nil : part)
        format.begin(type, token: token, into: &writer)
        writer.key("revision")
        writer.value(commit.revision)
        writer.key("token")
        writer.value(token)
    }

    private func end(
        _ commit: RetainedCommit, part: Int, isLast: Bool, into writer: inout JSONWriter
    ) {
        writer.key("part")
        writer.value(part)
        writer.key("last")
        writer.value(isLast)
        commit.writeCause(into: &writer)
        writer.key("time")
        writer.value(Timestamp.text(commit.entry.time))
        format.end(into: &writer)
    }

    private func write(
        _ note: RetainedCommit.Note, of commit: RetainedCommit, part: Int, isLast: Bool,
        into writer: inout JSONWriter
    ) {
        switch note {
        case .change(let note):
            begin(.change, commit, part: part, isLast: isLast, into: &writer)
            if let id = note.id {
                writer.key("registration")
                writer.value(id)
            }
            writer.key("node")
            writer.value(note.node)
            note.writeChanges(into: &writer)
        case .invalidation(let note):
            begin(.invalidate, commit, part: part, isLast: isLast, into: &writer)
            note.write(into: &writer)
        }
        end(commit, part: part, isLast: isLast, into: &writer)
    }

    private func writeCommit(
        _ commit: RetainedCommit, isLast: Bool, into writer: inout JSONWriter
    ) {
        begin(.commit, commit, part: 0, isLast: isLast, into: &writer)
        commit.writeOperations(inFull: withOperations, into: &writer)
        writer.key("notified")
        writer.value(commit.notified)
        end(commit, part: 0, isLast: isLast, into: &writer)
    }
}

extension RecordWriter {
    /// `begin`: stands for the start position, so that resuming from it loses nothing.
    func writeBegin(
        at position: StreamPosition, session: Session, oldest: Int64, head: Int64,
        beforeState: Bool, into writer: inout JSONWriter
    ) {
        if format == .serverSentEvents { writer.verbatim("retry: 1000\n") }
        let token = token(position.revision, part: position.part)
        format.begin(.begin, token: beforeState ? nil : token, into: &writer)
        writer.key("revision")
        writer.value(position.revision)
        writer.key("token")
        writer.value(token)
        writer.key("session")
        writer.value(session.name)
        writer.key("uid")
        writer.value(uid)
        writer.key("oldestRevision")
        writer.value(oldest)
        writer.key("headRevision")
        writer.value(head)
        writer.key("heartbeatMs")
        writer.value(session.limits.heartbeatMilliseconds)
        writer.key("maxLifetimeMs")
        writer.value(session.limits.streamLifetimeMilliseconds)
        switch feed.filter {
        case .session: break
        case .registrations(let registrations):
            writer.key("registrations")
            writer.beginArray()
            for registration in registrations { writer.value(registration.id) }
            writer.endArray()
        case .watch(_, let node, let traits):
            writer.key("watches")
            writer.beginArray()
            writer.beginObject()
            writer.key("node")
            writer.value(node)
            writer.key("traits")
            writer.beginArray()
            for trait in traits { writer.value(trait) }
            writer.endArray()
            writer.endObject()
            writer.endArray()
        }
        format.end(into: &writer)
    }

    func writeBookmark(
        at revision: Int64, lagMilliseconds: Int64, into writer: inout JSONWriter
    ) {
        writePlain(.bookmark, revision, into: &writer) { writer in
            writer.key("lagMs")
            writer.value(lagMilliseconds)
        }
    }

    /// `sync`: ends the initial state.
    func writeSync(at revision: Int64, count: Int, into writer: inout JSONWriter) {
        writePlain(.sync, revision, into: &writer) { writer in
            writer.key("count")
            writer.value(count)
        }
    }

    /// `end`: the last record of every deliberate close.
    func writeEnd(
        at position: StreamPosition, _ reason: StreamReason, into writer: inout JSONWriter
    ) {
        let token = token(position.revision, part: position.part)
        format.begin(.end, token: token, into: &writer)
        writer.key("revision")
        writer.value(position.revision)
        writer.key("token")
        writer.value(token)
        writer.key("reason")
        writer.value(reason.rawValue)
        writer.key("resume")
        writer.value(reason.isResumable)
        writer.key("retryAfterMs")
        writer.value(reason.retryMilliseconds)
        format.end(into: &writer)
    }

    func writePlain(
        _ type: RecordType, _ revision: Int64, isResumable: Bool = true,
        into writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void
    ) {
        let token = token(revision, part: nil)
        format.begin(type, token: isResumable ? token : nil, into: &writer)
        writer.key("revision")
        writer.value(revision)
        writer.key("token")
        writer.value(token)
        members(&writer)
        format.end(into: &writer)
    }
}
