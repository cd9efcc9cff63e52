// A `commit` record with long operations, in pieces. Written whole it would be copied into memory that is
// new to the process: megabytes and hundreds of page faults in one turn of an event loop, for each stream.

import JSONCodec

/// Holds the commit until the record is sent, though the history may have dropped it meanwhile.
struct LongRecord {
    /// The most bytes of a piece.
    static let pieceBytesMax = 131_072

    private let commit: RetainedCommit
    /// The record without its operations, which belong at `split`.
    private let frame: [UInt8]
    private let split: Int
    private let count: Int
    private var sent = 0

    init(_ commit: RetainedCommit, frame: [UInt8], split: Int) {
        self.commit = commit
        self.frame = frame
        self.split = split
        count = frame.count + commit.withOperations { $0.count }
    }

    var revision: Int64 { commit.revision }
    /// Bytes that are not sent yet.
    var left: Int { count - sent }

    /// Appends what comes next, at most `room` bytes of it. O(bytes appended).
    mutating func appendNext(_ room: Int, into out: any RecordSink) {
        var room = room
        frame.withUnsafeBytes { frame in
            append(UnsafeRawBufferPointer(rebasing: frame[..<split]), at: 0, &room, into: out)
            let end = count - (frame.count - split)
            commit.withOperations { append($0, at: split, &room, into: out) }
            append(UnsafeRawBufferPointer(rebasing: frame[split...]), at: end, &room, into: out)
        }
    }

    /// - Parameter start: the place of `run` in the record.
    private mutating func append(
        _ run: UnsafeRawBufferPointer, at start: Int, _ room: inout Int, into out: any RecordSink
    ) {
        let from = sent - start
        guard from >= 0, from < run.count, room > 0 else { return }
        let size = min(room, run.count - from)
        out.append(UnsafeRawBufferPointer(rebasing: run[from..<(from + size)]))
        sent += size
        room -= size
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

    /// The commit's first record, with its operations in full, and the place behind it.
    func longRecord(of feedCommit: FeedCommit, from place: inout Place) -> LongRecord {
        let commit = feedCommit.commit
        let isLast = place.total == 1
        var writer = JSONWriter()
        begin(.commit, commit, part: 0, isLast: isLast, into: &writer)
        writer.key("operations")
        let split = writer.count
        writer.separate()
        finish(commit, isLast: isLast, into: &writer)
        place.part = 1
        return LongRecord(commit, frame: writer.array(), split: split)
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
        guard record.left == 0 else {
            longRecord = record
            return
        }
        let isWhole = place.map { $0.part >= $0.total } ?? true
        if isWhole { place = nil }
        position = StreamPosition(revision: record.revision, part: isWhole ? nil : 0)
        if isWhole { add(0, of: record.revision) }
    }
}
