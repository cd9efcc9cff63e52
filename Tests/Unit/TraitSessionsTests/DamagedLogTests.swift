// Entries that are not what was written: a replay says where, and stops before.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing

@testable import JSONCodec
@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite
struct DamagedLogTests {
    /// Gives out other entries than it has.
    private final class DamagedLog: LogWrapper {
        let base: any SessionLog
        let entries: [LogEntry]

        init(_ base: any SessionLog, _ entries: [LogEntry]) {
            self.base = base
            self.entries = entries
        }

        func tail(
            of session: LogSession, after revision: Int64, limit: Int
        ) throws(LogFailure) -> [LogEntry] {
            Array(entries.filter { $0.revision > revision }.prefix(limit))
        }
    }

    private let log = MemoryLog()
    private let session: Session
    private let entries: [LogEntry]

    init() throws {
        let process = Process(log, seed: 1)
        session = try process.session("demo", Operations.start)
        for name in ["a", "b", "c", "d"] { try process.commit(Operations.create(name), session) }
        entries = log.tail(of: session.logged, after: 0, limit: 100)
        try #require(entries.count == 5)
    }

    /// Finds no memory for what it has.
    private final class RefusedLog: LogWrapper {
        let base: any SessionLog

        init(_ base: any SessionLog) { self.base = base }

        func tail(
            of session: LogSession, after revision: Int64, limit: Int
        ) throws(LogFailure) -> [LogEntry] { throw LogFailure(.outOfMemory, "refused") }
    }

    @Test("Memory that is refused is not taken for damage")
    func refusedMemory() {
        let logged = session.logged
        let error = #expect(throws: ReplayError.self) {
            try Session.load(
                logged, from: RefusedLog(log), limits: ServiceLimits(),
                environment: Clock().environment(seed: 1))
        }
        #expect(error?.cause == .outOfMemory)
        let refusal = SessionError(
            JSONError(
                code: .outOfMemory, offset: 3, line: 1, column: 4, found: nil, key: nil,
                pointer: nil,
                limit: nil))
        #expect(refusal.code == .outOfMemory && refusal.facts.isEmpty)
        #expect(
            ReplayError(refusal, session: "demo", revision: 1, reason: "").cause == .outOfMemory)
    }

    /// The same entry with other bytes, and those that follow it chained anew.
    private func changed(
        _ revision: Int64, kind: LogEntry.Kind = .commit, _ change: (String) -> String
    ) -> [LogEntry] {
        var list: [LogEntry] = []
        for entry in entries {
            let text = String(decoding: entry.payload, as: UTF8.self)
            let isIt = entry.revision == revision
            list.append(
                LogEntry(
                    revision: entry.revision, time: entry.time, kind: isIt ? kind : entry.kind,
                    payload: Array((isIt ? change(text) : text).utf8),
                    after: list.last?.checksum ?? 0))
        }
        return list
    }

    /// Loads as far as it goes; the error names the session and the revision that cannot be applied.
    private func expectFailure(
        _ entries: [LogEntry], at revision: Int64, _ reason: String, _ line: Int = #line
    ) throws {
        let good = try Session.load(
            session.logged, from: DamagedLog(log, Array(self.entries.prefix(Int(revision) - 1))),
            limits: .quiet, environment: Clock().environment(seed: 3))
        let digest = good.digest
        let follower = try Session.load(
            session.logged, from: SwitchedLog(log, self.entries, revision - 1, then: entries),
            limits: .quiet, environment: Clock().environment(seed: 3))
        #expect(follower.digest == digest)
        for _ in 0..<2 {
            do {
                try follower.catchUp()
                Issue.record("line \(line): nothing was wrong")
            } catch {
                #expect(error.session == "demo" && error.revision == revision, "line \(line)")
                #expect(error.reason.contains(reason), "line \(line): \(error)")
                let detail = SessionError(error, of: "demo").detail
                #expect(!detail.contains(".."), "line \(line): \(detail)")
                #expect(error.description.contains("beyond revision \(revision - 1)"))
                let evidence = try #require(error.evidence)
                let entry = entries[Int(revision) - 1]
                #expect(Array(evidence.entry.utf8) == entry.payload, "line \(line)")
                #expect(evidence.entryBytes == entry.payload.count)
                #expect(evidence.digestBefore == String(digest.full, radix: 16))
            }
            #expect(follower.digest == digest && follower.head == revision - 1, "line \(line)")
        }
    }

    /// Gives the whole entries up to a revision for the first full read, and other entries after
    /// it.
    private final class SwitchedLog: LogWrapper {
        let base: any SessionLog
        private let whole: [LogEntry]
        private let through: Int64
        private let entries: [LogEntry]
        private let isSwitched = Mutex(false)

        init(_ base: any SessionLog, _ whole: [LogEntry], _ through: Int64, then: [LogEntry]) {
            self.base = base
            self.whole = whole
            self.through = through
            entries = then
        }

        func tail(
            of session: LogSession, after revision: Int64, limit: Int
        ) throws(LogFailure) -> [LogEntry] {
            let isSwitched = isSwitched.withLock { isSwitched in
                defer { if revision >= through { isSwitched = true } }
                return isSwitched
            }
            let list = isSwitched ? entries : whole.filter { $0.revision <= through }
            return Array(list.filter { $0.revision > revision }.prefix(limit))
        }
    }

    @Test("Every flipped bit of a payload is found by its checksum")
    func flippedBits() throws {
        let entry = entries[3]
        for bit in 0..<entry.payload.count * 8 {
            var payload = entry.payload
            payload[bit / 8] ^= 1 << UInt8(bit % 8)
            let flipped = LogEntry(
                revision: 4, time: entry.time, payload: payload, after: entry.previous)
            // The stored checksum is that of the bytes that were written.
            #expect(flipped.checksum != entry.checksum)
        }
        var bytes: [UInt8] = []
        entry.encode(into: &bytes)
        bytes[60] ^= 4
        #expect(throws: LogFailure.self) {
            try bytes.withUnsafeBytes { try LogEntry(decoding: $0) }
        }
    }

    @Test("A wrong digest, a changed operation and an unknown one stop the replay before them")
    func changedPayloads() throws {
        try expectFailure(
            changed(3) { $0.replacing("\"digest\":\"", with: "\"digest\":\"0").dropping(last: 3) },
            at: 3, "digest")
        try expectFailure(
            changed(3) { $0.replacing("\"node\":\"b\"", with: "\"node\":\"x\"") }, at: 3,
            "The digest is")
        try expectFailure(
            changed(4) { $0.replacing("createNode", with: "createFuture") }, at: 4,
            "no operation")
        try expectFailure(
            changed(4) { $0.replacing("\"node\":\"c\"", with: "\"node\":\"a\"") }, at: 4,
            "/operations/0")
        try expectFailure(changed(4) { _ in "[4]" }, at: 4, "JSON object")
        try expectFailure(changed(4) { _ in "{" }, at: 4, "no JSON")
        try expectFailure(
            changed(4) { $0.replacing("\"digest\"", with: "\"whole\":false,\"digest\"") }, at: 4,
            "without its operations")
        try expectFailure(
            changed(5) { $0.replacing("\"operations\"", with: "\"future\":1,\"operations\"") },
            at: 5, "future")
    }

    @Test("A missing and a swapped revision are named")
    func missing() throws {
        try expectFailure(entries.filter { $0.revision != 3 }, at: 3, "does not follow")
        try expectFailure(
            [entries[0], entries[1], entries[3], entries[2], entries[4]], at: 3, "does not follow")
    }

    @Test("Nothing follows a tombstone")
    func tombstone() throws {
        let all = changed(3, kind: .tombstone) { $0 }
        #expect(throws: ReplayError.self) {
            try Session.load(
                session.logged, from: DamagedLog(log, all), limits: .quiet,
                environment: Clock().environment(seed: 3))
        }
        let list = Array(all.prefix(3))
        let follower = try Session.load(
            session.logged, from: DamagedLog(log, list), limits: .quiet,
            environment: Clock().environment(seed: 3))
        #expect(follower.isDeleted && follower.head == 2)
        try follower.catchUp()
        #expect(follower.head == 2)
    }

    @Test(
        "A header of a later format, or of other semantics, is refused with what to do",
        arguments: [
            (#""format":1"#, #""format":5"#, "The format is 5; this version reads up to 4."),
            (
                #""semantics":3"#, #""semantics":4"#,
                "The semantics are 4; this version reads 3. Use the version that wrote the session."
            ),
            (
                #""semantics":3"#, #""semantics":2"#,
                "The semantics are 2, of an earlier version; this version reads 3. Let the version "
                    + "that wrote the session export it as a document "
                    + "(GET /v1/sessions/{session}/export), and import that here "
                    + "(PUT /v1/sessions/{session}/import)."
            ),
        ])
    func otherHeader(written: String, found: String, reason: String) throws {
        let list = changed(1) { $0.replacing(written, with: found) }
        do {
            _ = try Session.load(
                session.logged, from: DamagedLog(log, list), limits: .quiet,
                environment: Clock().environment(seed: 3))
            Issue.record("it was read")
        } catch {
            #expect(error.session == "demo" && error.revision == 1)
            #expect(error.reason == reason && error.cause == .unsupported)
        }
    }

    @Test("A colour as deep as a request may have it comes back out of the log")
    func depth() throws {
        let log = MemoryLog()
        let process = Process(log, seed: 1)
        let session = try process.session("demo", Operations.start)
        let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        let operation =
            #"{"op":"defineColor","color":"c","definition":{"variants":[{"value":\#(deep)}]}}"#
        let write = Write(.one(operation))
        guard case .done = process.client.sendAndWait(write, to: session) else {
            return #expect(Bool(false))
        }
        #expect(try session.replica(log).digest == session.digest)
    }
}

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    fileprivate func replacingCharacters(in range: Range<Index>, with other: String) -> String {
        self[..<range.lowerBound] + other + self[range.upperBound...]
    }

    /// Cuts a digit of the digest off.
    fileprivate func dropping(last count: Int) -> String { dropLast(count) + "\"}" }
}
