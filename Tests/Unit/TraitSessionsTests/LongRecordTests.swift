// Records with long operations, which a stream takes in pieces.

import Dispatch
import JSONCodec
import SessionLog
import SessionScripts
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

/// The reader of a stream, which waits until it is woken.
private final class WaitingReader: Waker {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }
    func wake() { semaphore.signal() }
}

@Suite("Long records")
struct LongRecordTests {
    private static let value = String(repeating: "x", count: 16_000)
    private let process: Process
    private let session: Session

    /// A scene of which a registration hears `level`.
    init() throws {
        var limits = ServiceLimits.quiet
        limits.retainedCommitsMax = 4
        process = Process(seed: 1, limits: limits)
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
    private func commitLong(isHeard: Bool = false) throws {
        let texts = (0..<40).map { set("t", "\"\($0)\(Self.value)\"") }
        let heard = isHeard ? [set("level", "7")] : []
        try process.commit((texts + heard).joined(separator: ","), session)
    }

    private func open(_ format: RecordFormat) throws -> StreamCursor {
        let options = StreamOptions(format: format, withOperations: true, from: "now")
        return try session.openStream(options) { _ in .session }
    }

    /// The records of all that the stream has not taken yet, each written at once.
    private func whole(_ cursor: StreamCursor) throws -> [UInt8] {
        let reading = session.withState { state in
            state.read(cursor.writer.feed, from: cursor.position, limit: 64)
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
        try commitLong(isHeard: isHeard)
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
        #expect(cursor.position.revision == session.withState { $0.head })
    }

    @Test("The end of a stream comes behind the record, and resumes behind it")
    func ended() throws {
        let cursor = try open(.ndjson)
        defer { cursor.closed() }
        _ = piece(cursor)
        try commitLong()
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
        try commitLong(isHeard: true)
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

    // MARK: - Long changes

    /// A session in which `r` is notified of 40 long texts when `scene` moves from `a` to `b`.
    private func movable() throws -> Session {
        let traits = (0..<40).map { #""t\#($0)":{"type":"string","default":""}"# }
        let session = try process.session(
            "moves", #"{"traits":{\#(traits.joined(separator: ","))}}"#)
        let names = (0..<40).map { "\"t\($0)\"" }.joined(separator: ",")
        var operations = ["a", "b"].map {
            #"{"op":"createNode","node":"\#($0)","kind":"environment"}"#
        }
        for node in ["scene", "view"] {
            operations += [
                #"{"op":"createNode","node":"\#(node)","kind":"environment","parent":"\#(node == "scene" ? "a" : "scene")"}"#,
                #"{"op":"register","registration":"r\#(node)","node":"\#(node)","traits":[\#(names)]}"#,
            ]
        }
        for node in ["a", "b"] {
            operations += (0..<40).map {
                #"{"op":"setOverride","node":"\#(node)","trait":"t\#($0)","value":"\#(node)\#($0)\#(Self.value)"}"#
            }
        }
        try process.commit(operations.joined(separator: ","), session)
        return session
    }

    private func move(_ session: Session, to node: String) throws {
        try process.commit(
            #"{"op":"updateNode","node":"scene","parent":"\#(node)"}"#, session)
    }

    @Test(
        "A long change is sent in pieces, and the digest behind it is that of the new state",
        arguments: [RecordFormat.ndjson, .serverSentEvents])
    func longChange(format: RecordFormat) throws {
        let session = try movable()
        var options = StreamOptions(format: format, from: nil)
        options.wantsState = true
        let cursor = try session.openStream(options) { _ in .registrations(["rscene", "rview"]) }
        defer { cursor.closed() }
        let wake = WaitingReader()
        cursor.listen(wake)
        while true {
            let step = cursor.produce(into: CollectedRecords(), budget: 65_536)
            if cursor.digest != nil { break }
            if case .idle = step { wake.wait() }
        }
        try move(session, to: "b")
        let reading = session.withState { state in
            state.read(cursor.writer.feed, from: cursor.position, limit: 64)
        }
        guard case .commits(let commits) = reading else { throw Differs("\(reading)") }
        var text = JSONWriter()
        var place = cursor.writer.start(of: commits[0])
        cursor.writer.write(commits[0], from: &place, into: &text)
        let expected = text.array()
        var bytes: [UInt8] = []
        while cursor.position.revision < commits[0].revision || cursor.position.part != nil {
            let piece = piece(cursor).bytes
            #expect(piece.count <= LongRecord.pieceBytesMax)
            bytes += piece
        }
        #expect(bytes == expected)
        let fresh = try session.withState { state throws(SessionError) in
            var text = StateText(cursor.writer, of: state)
            var json = JSONWriter()
            while !text.write(from: state, registrationsMax: 10, budget: 50_000, into: &json) {
                json.drain()
            }
            return text.digest
        }
        #expect(cursor.digest?.sum == fresh)
    }

    @Test("A page has a long change in pieces, and the next page the change behind it")
    func page() throws {
        let session = try movable()
        try move(session, to: "b")
        var from = "\(session.withState { $0.head } - 1)"
        for (id, hasPart) in [("rscene", true), ("rview", false)] {
            let page = try session.openPage(StreamOptions(format: .page, from: from)) { _ in
                .registrations(["rscene", "rview"])
            }
            var json = JSONWriter()
            json.verbatim("before")
            guard case .long(var record) = page.write(into: &json, evenIfEmpty: true) else {
                throw Differs("the page is written at once")
            }
            #expect(json.count == 6)
            let sink = CollectedRecords()
            while record.left > 0 {
                let before = sink.count
                record.appendNext(10_000, into: sink)
                #expect(sink.count - before <= 10_000)
            }
            let text = String(decoding: sink.bytes, as: UTF8.self)
            #expect(text.hasPrefix(#"{"records":[{"type":"change","#))
            #expect(text.contains(#""registration":"\#(id)""#))
            #expect(text.components(separatedBy: #""type":"#).count == 2)
            let tail = try #require(text.components(separatedBy: "]").last)
            #expect(tail.hasPrefix(#","revision":"#), "\(tail)")
            let next = tail.components(separatedBy: #""next":""#).last?.prefix { $0 != "\"" }
            from = try String(#require(next))
            #expect(from.contains(".") || !hasPart || !from.isEmpty)
        }
        let head = session.withState { $0.head }
        #expect(StreamToken(from)?.position.revision == head)
    }

    // MARK: - Long states

    @Test("The state of one registration is cut between its values, and has the same bytes")
    func state() throws {
        let session = try movable()
        try process.commit(
            #"{"op":"defineColor","color":"c","definition":{"variants":[{"value":"\#(Self.value)"}]}},{"op":"register","registration":"named","node":"a","traits":["t0","t1"],"colors":["c"]}"#,
            session)
        let writer = try session.openStream(StreamOptions(format: .ndjson, from: "now")) { _ in
            .registrations(["rview", "named", "rscene"])
        }.writer
        func parts(_ budget: Int) -> (bytes: [UInt8], count: Int, digest: UInt64) {
            session.withState { state in
                var text = StateText(writer, of: state)
                var bytes: [UInt8] = []
                var json = JSONWriter()
                var count = 1
                while !text.write(from: state, registrationsMax: 10, budget: budget, into: &json) {
                    #expect(json.count < budget + 17_000)
                    bytes += json.bytes
                    json.drain()
                    count += 1
                }
                return (bytes + json.bytes, count, text.digest)
            }
        }
        let whole = parts(.max)
        #expect(whole.count == 1 && whole.bytes.count > 1_200_000)
        for budget in [1, 16_000, 65_536, 700_000] {
            let cut = parts(budget)
            #expect(cut.bytes == whole.bytes, "\(budget)")
            #expect(cut.digest == whole.digest, "\(budget)")
            #expect(cut.count > 1)
        }
    }

    @Test("A page whose state has one long record is refused")
    func longStatePage() throws {
        let session = try movable()
        var options = StreamOptions(format: .page, from: nil)
        options.wantsState = true
        let error = #expect(throws: SessionError.self) {
            _ = try session.openPage(options) { _ in .registrations(["rscene"]) }
        }
        #expect(error?.detail.contains("inlineAnswerBytesMax=262144") == true)
    }
}
