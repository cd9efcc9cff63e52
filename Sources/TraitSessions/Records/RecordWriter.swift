// The records of a commit for one feed: `commit` first on the stream of a session or subtree, then
// the changes from the top of the tree down. `part` numbers them, and the last one has `last`.

import JSONCodec
import Ledger
import TraitJSON

struct RecordWriter: Sendable {
    let uid: String
    var feed: Feed
    let format: RecordFormat
    /// Whether `commit` records carry the operations in full.
    let withOperations: Bool
    /// Whether bookmarks carry a digest.
    var withDigest = false
    /// The account of the caller, in whose turns a long state is written.
    var caller: MemoryAccount?

    /// The settings, beside the feed, on which the bytes of a commit's records depend, and whether their digest is
    /// wanted.
    var key: EncodedRecords.Key {
        .init(format: format, withOperations: withOperations, withDigest: withDigest)
    }

    /// The place of the next record of a commit, so that writing resumes without counting the records again.
    struct Place {
        let revision: Int64
        /// The number of records of the commit.
        let total: Int
        /// The number of the next record.
        var part = 0
        /// The next note that may be a record.
        var note: Int
    }

    /// The place of a commit's first record. O(notes from the first admitted to the last).
    func start(of commit: FeedCommit) -> Place {
        let admitted = commit.notes.count { admits($0, commit) }
        return Place(
            revision: commit.revision, total: admitted + (feed.filter.hasCommits ? 1 : 0),
            note: commit.notes.lowerBound)
    }

    /// Whether the note at a position is a record.
    func admits(_ position: Int, _ commit: FeedCommit) -> Bool {
        feed.filter.admits(position, of: commit.commit, ended: commit.ended)
    }

    /// The place of record number `part`. O(notes).
    func place(of part: Int, in commit: FeedCommit) -> Place {
        var place = start(of: commit)
        if part > 0, feed.filter.hasCommits { place.part = 1 }
        while place.part < part, place.note < commit.notes.upperBound {
            if admits(place.note, commit) { place.part += 1 }
            place.note += 1
        }
        return place
    }

    /// Appends the commit's records from a place on, and advances the place: at most `limit`
    /// records, and no further one once `bytesMax` bytes are written. With `bytesMax` it ends before a record
    /// that `longRecord` writes. O(records and bytes written, notes in between).
    ///
    /// - Returns: whether the last record is written.
    @discardableResult
    func write(
        _ feedCommit: FeedCommit, from place: inout Place, limit: Int = .max,
        bytesMax: Int = .max, into writer: inout JSONWriter
    ) -> Bool {
        let commit = feedCommit.commit
        let (first, start) = (place.part, writer.count)
        if feed.filter.hasCommits, place.part == 0, limit > 0 {
            writeCommit(commit, isLast: place.total == 1, into: &writer)
            place.part = 1
        }
        while place.note < feedCommit.notes.upperBound {
            if place.part - first >= limit || writer.count - start >= bytesMax { break }
            let note = commit.notes[place.note]
            guard admits(place.note, feedCommit) else {
                place.note += 1
                continue
            }
            if bytesMax < .max, isLong(note) { break }
            place.note += 1
            write(
                note, of: commit, part: place.part, isLast: place.part == place.total - 1,
                into: &writer)
            place.part += 1
        }
        return place.part >= place.total
    }

    /// Bytes of the operations in the commit's first record. O(1).
    func operationBytes(of commit: FeedCommit) -> Int {
        guard withOperations, feed.filter.hasCommits else { return 0 }
        return commit.commit.withOperations { $0.count }
    }

    /// The difference that a commit makes to the digest of a cache; 0 when no digest is wanted.
    /// O(notes and bytes of changes).
    func digestDelta(of feedCommit: FeedCommit) -> UInt64 {
        guard withDigest else { return 0 }
        var sum = PairSum()
        add(feedCommit, notes: feedCommit.notes, to: &sum)
        return sum.sum
    }

    /// Adds the difference that some notes of a commit make to the digest of a cache.
    func add(_ feedCommit: FeedCommit, notes: Range<Int>, to sum: inout PairSum) {
        for position in notes where admits(position, feedCommit) {
            guard case .change(let change) = feedCommit.commit.notes[position] else { continue }
            var start = 0
            sum.add(change, feedCommit.commit.places, from: &start, bytesMax: .max)
        }
    }

    func token(_ revision: Int64, part: Int?) -> String {
        StreamToken(
            uid: uid, position: StreamPosition(revision: revision, part: part),
            filter: feed.fingerprint
        ).text
    }

    func begin(
        _ type: RecordType, _ commit: RetainedCommit, part: Int, isLast: Bool,
        into writer: inout JSONWriter
    ) {
        let token = token(commit.revision, part: isLast ? nil : part)
        format.begin(type, token: token, into: &writer)
        writer.member("revision", commit.revision)
        writer.member("token", token)
    }

    func begin(
        _ note: ChangeNote, of commit: RetainedCommit, part: Int, isLast: Bool,
        into writer: inout JSONWriter
    ) {
        begin(.change, commit, part: part, isLast: isLast, into: &writer)
        writer.member("registration", ifPresent: note.id)
        writer.member("node", note.node)
    }

    func end(
        _ commit: RetainedCommit, part: Int, isLast: Bool, into writer: inout JSONWriter
    ) {
        writer.member("part", part)
        writer.member("last", isLast)
        commit.writeCause(into: &writer)
        writer.member("time", Timestamp.text(commit.entry.time))
        format.end(into: &writer)
    }

    private func write(
        _ note: RetainedCommit.Note, of commit: RetainedCommit, part: Int, isLast: Bool,
        into writer: inout JSONWriter
    ) {
        switch note {
        case .change(let note):
            begin(note, of: commit, part: part, isLast: isLast, into: &writer)
            note.writeChanges(into: &writer)
        case .invalidation(let note):
            begin(.invalidate, commit, part: part, isLast: isLast, into: &writer)
            note.write(into: &writer)
        case .renamed(let note):
            begin(.renamed, commit, part: part, isLast: isLast, into: &writer)
            note.write(into: &writer)
        }
        end(commit, part: part, isLast: isLast, into: &writer)
    }

    private func writeCommit(
        _ commit: RetainedCommit, isLast: Bool, into writer: inout JSONWriter
    ) {
        begin(.commit, commit, part: 0, isLast: isLast, into: &writer)
        commit.writeOperations(inFull: withOperations, into: &writer)
        finish(commit, isLast: isLast, into: &writer)
    }

    /// Writes the members behind the operations of a `commit` record, and ends the record.
    func finish(_ commit: RetainedCommit, isLast: Bool, into writer: inout JSONWriter) {
        writer.member("notified", commit.notified)
        end(commit, part: 0, isLast: isLast, into: &writer)
    }
}

extension RecordWriter {
    /// `begin`: its token is the start position, so that a stream resumed from it misses no record.
    func writeBegin(
        at position: StreamPosition, session: Session, oldest: Int64, head: Int64,
        beforeState: Bool, into writer: inout JSONWriter
    ) {
        if format == .serverSentEvents { writer.verbatim("retry: 1000\n") }
        let token = token(position.revision, part: position.part)
        format.begin(.begin, token: beforeState ? nil : token, into: &writer)
        writer.member("revision", position.revision)
        writer.member("token", token)
        writer.member("session", session.name)
        writer.member("uid", uid)
        writer.member("oldestRevision", oldest)
        writer.member("headRevision", head)
        writer.member("heartbeatMs", session.limits.heartbeatMilliseconds)
        writer.member("maxLifetimeMs", session.limits.streamLifetimeMilliseconds)
        writeMembers(into: &writer)
        format.end(into: &writer)
    }

    /// `registrations`, `watches` or `subtree` of the open `begin` record.
    private func writeMembers(into writer: inout JSONWriter) {
        if case .subtree(_, let node) = feed.filter.subject {
            writer.member("subtree", node)
        }
        let members = feed.filter.members
        if members.contains(where: { $0.id != nil }) {
            writer.member("registrations", members.compactMap(\.id))
        }
        if feed.filter.hasWatches {
            writer.beginArray("watches")
            for watch in members where watch.id == nil {
                writer.beginObject()
                writer.member("node", watch.node)
                writer.member("traits", watch.traits)
                writer.endObject()
            }
            writer.endArray()
        }
    }

    /// `reset`: the client's cache is no longer valid.
    func writeReset(
        at revision: Int64, _ reason: ResetReason, previousUID: String? = nil,
        into writer: inout JSONWriter
    ) {
        writePlain(.reset, revision, isResumable: false, into: &writer) { writer in
            writer.member("reason", reason.rawValue)
            writer.member("uid", uid)
            writer.member("previousUid", ifPresent: previousUID)
        }
    }

    /// `gap`: the stream leaves out these commits. The state that follows replaces them.
    func writeGap(from: Int64, through: Int64, into writer: inout JSONWriter) {
        writePlain(.gap, through, isResumable: false, into: &writer) { writer in
            writer.member("fromRevision", from)
            writer.member("toRevision", through)
        }
    }

    func writeBookmark(
        at revision: Int64, lagMilliseconds: Int64, digest: UInt64?,
        into writer: inout JSONWriter
    ) {
        writePlain(.bookmark, revision, into: &writer) { writer in
            writer.member("lagMs", lagMilliseconds)
            if let digest { writer.member("digest", hexadecimal: digest) }
        }
    }

    /// `sync`: ends the initial state.
    func writeSync(
        at revision: Int64, count: Int, digest: UInt64, into writer: inout JSONWriter
    ) {
        writePlain(.sync, revision, into: &writer) { writer in
            writer.member("count", count)
            writer.member("digest", hexadecimal: digest)
        }
    }

    /// `end`: the last record of every deliberate close.
    func writeEnd(
        at position: StreamPosition, _ reason: StreamReason, into writer: inout JSONWriter
    ) {
        let token = token(position.revision, part: position.part)
        format.begin(.end, token: token, into: &writer)
        writer.member("revision", position.revision)
        writer.member("token", token)
        writer.member("reason", reason.rawValue)
        writer.member("resume", reason.isResumable)
        writer.member("retryAfterMs", reason.retryMilliseconds)
        format.end(into: &writer)
    }

    func writePlain(
        _ type: RecordType, _ revision: Int64, isResumable: Bool = true,
        into writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void
    ) {
        beginPlain(type, revision, isResumable: isResumable, into: &writer)
        members(&writer)
        format.end(into: &writer)
    }

    func beginPlain(
        _ type: RecordType, _ revision: Int64, isResumable: Bool, into writer: inout JSONWriter
    ) {
        let token = token(revision, part: nil)
        format.begin(type, token: isResumable ? token : nil, into: &writer)
        writer.member("revision", revision)
        writer.member("token", token)
    }
}

/// Why a client has to fill its cache anew.
enum ResetReason: String, CaseIterable, Sendable {
    /// The session was deleted and created again, or the server has another session of that name.
    case sessionReplaced
    /// The position is no longer retained, or the watch has expired.
    case historyGone
    /// The session has not reached the position, because it lost its newest commits.
    case revisionAhead
    /// The position is inside a revision of a stream with other registrations or watches.
    case filterChanged
    /// Registrations or watches of the stream were made or ended.
    case setChanged

    /// Nil for errors that remain with a new state.
    init?(_ code: SessionErrorCode) {
        switch code {
        case .sessionReplaced: self = .sessionReplaced
        case .historyGone: self = .historyGone
        case .revisionAhead: self = .revisionAhead
        case .tokenMismatch: self = .filterChanged
        default: return nil
        }
    }
}
