// Records with long operations, which a stream takes in pieces.

import JSONCodec
import SessionLog
import SessionScripts
import Testing
import TraitEngine

@testable import TraitSessions

@Suite("Records with long operations", .timeLimit(.minutes(1)))
struct LongRecordTests {
    private static let value = String(repeating: "x", count: 16_000)
    private let process: Process
    private let session: Session

    /// A scene of which a registration hears `level`.
    init() throws {
        var limits = ServiceLimits.quiet
        limits.retainedCommitsMax = 4
        process = Process(MemoryLog(), seed: 1, limits: limits)
        session = try process.session(
            "demo",
            #"{"traits":{"t":{"type":"string","default":""},"level":{"type":"int","default":0}}}"#)
        try process.commit(
            #"{"op":"createNode","node":"scene","kind":"windowScene"}"#
                + #",{"op":"register","registration":"r","node":"scene","traits":["level"]}"#,
            session)
    }

    private func set(_ trait: String, _ json: String) -> String {
        #"{"op":"setOverride","node":"scene","trait":"\#(trait)","value":\#(json)}"#
    }

    /// - Parameter isHeard: whether the commit has a change record behind its operations.
    private func commitAtLength(isHeard: Bool = false) throws {
        let texts = (0..<40).map { set("t", "\"\($0)\(Self.value)\"") }
        let heard = isHeard ? [set("level", "7")] : []
        try process.commit((texts + heard).joined(separator: ","), session)
    }

    private func open(_ format: RecordFormat) throws -> StreamCursor {
        let options = StreamOptions(format: format, withOperations: true, from: "now")
        return try session.locked { () throws(SessionError) in
            try session.openStream(.session, options) { PlainRecords($0) }
        }
    }

    /// The records of all that the stream has not taken yet, each written at once.
    private func whole(_ cursor: StreamCursor) throws -> [UInt8] {
        let reading = session.locked {
            session.read(cursor.writer.feed, from: cursor.position, limit: 64)
        }
        guard case .commits(let commits) = reading else { throw Differs("\(reading)") }
        var text = JSONWriter()
        for commit in commits {
            var place = cursor.writer.start(of: commit)
            cursor.writer.write(commit, from: &place, into: &text)
        }
        return text.array()
    }

    /// What one call appends.
    private func piece(_ cursor: StreamCursor) -> (bytes: [UInt8], hasMore: Bool) {
        let sink = CollectedRecords()
        guard case .more = cursor.produce(into: sink, budget: 65_536) else {
            return (sink.bytes, false)
        }
        return (sink.bytes, true)
    }

    private func lines(_ bytes: [UInt8]) -> [JSONLine] {
        bytes.split(separator: UInt8(ascii: "\n")).map { JSONLine(Array($0)) }
    }

    private struct JSONLine {
        let text: String
        init(_ bytes: [UInt8]) { text = String(decoding: bytes, as: UTF8.self) }
        func has(_ member: String) -> Bool { text.contains(member) }
        var token: Substring? {
            text.split(separator: "\"token\":\"").dropFirst().first?.prefix { $0 != "\"" }
        }
    }

    @Test(
        "A stream takes one in pieces, which are the record as it is written at once",
        arguments: [RecordFormat.ndjson, .serverSentEvents], [false, true])
    func pieces(format: RecordFormat, isHeard: Bool) throws {
        let cursor = try open(format)
        defer { cursor.closed() }
        _ = piece(cursor)
        try commitAtLength(isHeard: isHeard)
        try process.commit(set("level", "8"), session)
        let expected = try whole(cursor)
        var bytes: [UInt8] = []
        var count = 0
        while bytes.count < expected.count {
            let (piece, hasMore) = piece(cursor)
            #expect(piece.count <= LongRecord.pieceBytesMax)
            #expect(!piece.isEmpty)
            bytes += piece
            count += 1
            let isInside = bytes.count < 600_000
            #expect((cursor.heldBytes > 0) == isInside)
            if isInside { #expect(hasMore) }
            if piece.isEmpty { break }
        }
        #expect(bytes == expected)
        #expect(count >= 5)
        #expect(cursor.heldBytes == 0)
        #expect(cursor.position.revision == session.locked { session.head })
    }

    @Test("The end of a stream comes behind the record, and resumes behind it")
    func ended() throws {
        let cursor = try open(.ndjson)
        defer { cursor.closed() }
        _ = piece(cursor)
        try commitAtLength()
        let expected = try whole(cursor)
        var bytes = piece(cursor).bytes
        #expect(cursor.sharedRecords() == nil)
        let sink = CollectedRecords()
        cursor.end(.drain, into: sink)
        bytes += sink.bytes
        #expect(bytes.prefix(expected.count) == expected[...])
        let lines = lines(bytes)
        #expect(lines.count == 2)
        #expect(lines.last?.has("\"end\"") == true)
        #expect(lines.last?.token != nil)
        #expect(lines.last?.token == lines.first?.token)
    }

    @Test("The history may drop the commit while its record is sent")
    func dropped() throws {
        let cursor = try open(.ndjson)
        defer { cursor.closed() }
        _ = piece(cursor)
        try commitAtLength(isHeard: true)
        let expected = try whole(cursor)
        var bytes = piece(cursor).bytes
        for level in 0..<10 { try process.commit(set("level", "\(100 + level)"), session) }
        var hasMore = true
        while hasMore {
            let (piece, more) = piece(cursor)
            bytes += piece
            hasMore = more
        }
        let records = lines(bytes)
        let first = try #require(records.first)
        let line = Array((first.text + "\n").utf8)
        #expect(line == Array(expected.prefix(line.count)))
        // The change behind it is gone, and so the stream ends.
        #expect(records.count == 2)
        #expect(records.last?.has("\"end\"") == true)
        #expect(records.last?.has("\"slowConsumer\"") == true)
    }
}
