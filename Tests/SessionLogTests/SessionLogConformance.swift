// What every log has to do, whatever keeps its entries.

import Testing

@testable import SessionLog

/// Nobody is told anything by a log that answers at once.
final class SilentObserver: AppendObserver {
    func append(through revision: Int64, finished result: AppendResult) {
        Issue.record("a log that answered at once called back for \(revision)")
    }
}

struct SessionLogConformance {
    let session = LogSession(name: "s", uid: "abcdefghijkl")
    let observer = SilentObserver()

    static func makeLogs() -> [any SessionLog] { [MemoryLog()] }

    func entries(_ revisions: ClosedRange<Int64>) -> [LogEntry] {
        revisions.map {
            LogEntry(revision: $0, time: $0 * 10, payload: Array("[\($0)]".utf8))
        }
    }

    @Test("A session without entries has no bounds and no tail")
    func empty() {
        for log in Self.makeLogs() {
            #expect(log.bounds(of: session) == nil)
            #expect(log.tail(of: session, after: 0, limit: 10).isEmpty)
        }
    }

    @Test("Entries come back in order, from any revision, at most as many as asked for")
    func tail() {
        for log in Self.makeLogs() {
            #expect(append(log, 1...5, expecting: 0) == .appended)
            #expect(append(log, 6...6, expecting: 5) == .appended)
            #expect(log.bounds(of: session) == LogBounds(oldest: 1, head: 6))
            #expect(revisions(log, after: 0, limit: 100) == [1, 2, 3, 4, 5, 6])
            #expect(revisions(log, after: 3, limit: 2) == [4, 5])
            #expect(revisions(log, after: 6, limit: 2) == [])
            #expect(revisions(log, after: 0, limit: 0) == [])
            let entry = log.tail(of: session, after: 1, limit: 1).first
            #expect(entry?.payload == Array("[2]".utf8))
            #expect(entry?.time == 20)
        }
    }

    @Test("An append that expects another head is refused and appends nothing")
    func conflict() {
        for log in Self.makeLogs() {
            #expect(append(log, 2...2, expecting: 1) == .conflict(head: 0))
            #expect(append(log, 1...2, expecting: 0) == .appended)
            #expect(append(log, 2...3, expecting: 1) == .conflict(head: 2))
            #expect(append(log, 4...4, expecting: 3) == .conflict(head: 2))
            #expect(log.bounds(of: session) == LogBounds(oldest: 1, head: 2))
        }
    }

    @Test("Truncation drops the oldest entries only, and the head stays where it is")
    func truncate() {
        for log in Self.makeLogs() {
            _ = append(log, 1...1_000, expecting: 0)
            log.truncate(session, through: 400)
            #expect(log.bounds(of: session) == LogBounds(oldest: 401, head: 1_000))
            #expect(revisions(log, after: 0, limit: 2) == [401, 402])
            log.truncate(session, through: 900)
            #expect(revisions(log, after: 898, limit: 3) == [901, 902, 903])
            log.truncate(session, through: 2_000)
            #expect(log.bounds(of: session)?.head == 1_000)
            #expect(revisions(log, after: 0, limit: 3) == [])
            #expect(append(log, 1_001...1_001, expecting: 1_000) == .appended)
            #expect(revisions(log, after: 0, limit: 3) == [1_001])
        }
    }

    @Test("Sessions do not see each other, and a deleted one starts anew")
    func separate() {
        let other = LogSession(name: "s", uid: "lkjihgfedcba")
        for log in Self.makeLogs() {
            _ = append(log, 1...3, expecting: 0)
            #expect(log.bounds(of: other) == nil)
            log.delete(session)
            #expect(log.bounds(of: session) == nil)
            #expect(append(log, 1...1, expecting: 0) == .appended)
        }
    }

    private func append(
        _ log: any SessionLog, _ revisions: ClosedRange<Int64>, expecting head: Int64
    ) -> AppendResult? {
        log.append(entries(revisions), to: session, expecting: head, observer: observer)
    }

    private func revisions(_ log: any SessionLog, after: Int64, limit: Int) -> [Int64] {
        log.tail(of: session, after: after, limit: limit).map(\.revision)
    }
}
