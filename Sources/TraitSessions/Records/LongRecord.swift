// A record with long operations or changes, in pieces. Written whole it would be copied into memory that is new
// to the process: megabytes and hundreds of page faults in one turn of an event loop, for each stream.

import JSONCodec

/// The text of a record, most of it where a commit has it. Holds what it sends until all is sent, though the
/// history may have dropped the commit.
package struct LongRecord: Sendable {
    /// The most bytes of a piece.
    static let pieceBytesMax = 131_072

    private enum Part {
        case text([UInt8])
        case operations(RetainedCommit)

        func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
            switch self {
            case .text(let bytes): bytes.withUnsafeBytes(body)
            case .operations(let commit): commit.withOperations(body)
            }
        }
    }

    let revision: Int64
    /// The change whose digest is added while it is sent.
    private(set) var change: (note: ChangeNote, places: [ChangePlace])?
    private var parts: [Part] = []
    /// The part that comes next, and how many of its bytes are sent.
    private var part = 0
    private var sent = 0
    /// Bytes that are not sent yet.
    package private(set) var left = 0

    fileprivate init(_ revision: Int64, _ change: (ChangeNote, [ChangePlace])? = nil) {
        self.revision = revision
        self.change = change
    }

    private mutating func add(_ next: Part) {
        left += next.withBytes { $0.count }
        parts.append(next)
    }

    fileprivate mutating func add(_ text: borrowing JSONWriter) { add(.text(text.array())) }
    fileprivate mutating func add(_ json: [UInt8]) { add(.text(json)) }
    fileprivate mutating func add(operations commit: RetainedCommit) { add(.operations(commit)) }

    /// Encloses the record in a page. To be called before anything is sent.
    mutating func enclose(between head: [UInt8], and tail: [UInt8]) {
        parts.insert(.text(head), at: 0)
        left += head.count
        add(tail)
    }

    /// Appends what comes next, at most `room` bytes of it. O(bytes appended).
    package mutating func appendNext(_ room: Int, into out: any RecordSink) {
        var room = room
        while room > 0, part < parts.count {
            let (size, isAll) = parts[part].withBytes { bytes in
                let size = min(room, bytes.count - sent)
                out.append(UnsafeRawBufferPointer(rebasing: bytes[sent..<(sent + size)]))
                return (size, sent + size == bytes.count)
            }
            room -= size
            left -= size
            sent = isAll ? 0 : sent + size
            if isAll { part += 1 }
        }
    }
}

extension RecordWriter {
    /// A commit with more notes or bytes is written in parts, so that the buffer stays bounded. Streams do not
    /// share these parts.
    static let recordsAtATime = 256
    static let bytesAtATime = 262_144

    /// Whether a commit is written in parts. O(recordsAtATime).
    func isLarge(_ commit: FeedCommit) -> Bool {
        if commit.notes.count > Self.recordsAtATime { return true }
        var bytes = operationBytes(of: commit)
        if bytes > Self.bytesAtATime { return true }
        for note in commit.commit.notes[commit.notes] {
            bytes += RetainedCommit.recordBytes(of: note)
            if bytes > Self.bytesAtATime { return true }
        }
        return false
    }

    /// Whether the record of a note is written in pieces.
    func isLong(_ note: RetainedCommit.Note) -> Bool {
        guard case .change = note else { return false }
        return RetainedCommit.recordBytes(of: note) > Self.bytesAtATime
    }

    /// The record at a place and the place behind it, when the record is too long to be written at once.
    /// O(notes in between).
    func longRecord(of feedCommit: FeedCommit, from place: inout Place) -> LongRecord? {
        if place.part == 0, feed.filter.hasCommits {
            guard operationBytes(of: feedCommit) > Self.bytesAtATime else { return nil }
            return longCommit(feedCommit.commit, from: &place)
        }
        let notes = feedCommit.commit.notes
        while place.note < feedCommit.notes.upperBound, !admits(place.note, feedCommit) {
            place.note += 1
        }
        guard place.note < feedCommit.notes.upperBound, isLong(notes[place.note]),
            case .change(let note) = notes[place.note]
        else { return nil }
        return longChange(note, of: feedCommit.commit, from: &place)
    }

    /// The commit's first record, with its operations in full.
    private func longCommit(_ commit: RetainedCommit, from place: inout Place) -> LongRecord {
        let isLast = place.total == 1
        var record = LongRecord(commit.revision)
        var writer = JSONWriter()
        begin(.commit, commit, part: 0, isLast: isLast, into: &writer)
        writer.key("operations")
        record.add(writer)
        record.add(operations: commit)
        writer.reset()
        writer.separate()
        finish(commit, isLast: isLast, into: &writer)
        record.add(writer)
        place.part = 1
        return record
    }

    private func longChange(
        _ note: ChangeNote, of commit: RetainedCommit, from place: inout Place
    ) -> LongRecord {
        let isLast = place.part == place.total - 1
        var record = LongRecord(commit.revision, (note, commit.places))
        var writer = JSONWriter()
        begin(note, of: commit, part: place.part, isLast: isLast, into: &writer)
        note.forEachMember { name, json in
            writer.key(name)
            record.add(writer)
            record.add(json)
            writer.reset()
            writer.separate()
        }
        end(commit, part: place.part, isLast: isLast, into: &writer)
        record.add(writer)
        place.part += 1
        place.note += 1
        return record
    }
}
