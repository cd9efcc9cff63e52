// Rules of leases, for logs that processes share: what one of them notes is known to all, and an end that does not
// know of it is refused.

import SessionLog
import Testing

extension SessionLogConformance {
    static let leases: [Rule] = [
        Rule("Notes of leases are in the next answer, whichever process told them") { suite in
            guard let log = try suite.sharedLog() else { return }
            let first = try leases(log)
            #expect(first.states.isEmpty)
            try tell(log, "p1", [lease: .held, otherLease: .renewed])
            let second = try leases(log)
            #expect(second.states.mapValues(\.isHeld) == [lease: true, otherLease: false])
            #expect(second.states.values.allSatisfy { $0.change > first.mark })
            #expect(second.states.values.allSatisfy { $0.change <= second.mark })
            // A stream of one process keeps the lease whatever another process notes.
            try tell(log, "p2", [lease: .renewed])
            let third = try leases(log)
            #expect(third.states[lease]?.isHeld == true)
            #expect(try #require(third.states[lease]).change > second.mark)
            #expect(third.states[otherLease] == second.states[otherLease])
            try tell(log, "p1", [lease: .renewed, otherLease: .gone])
            let last = try leases(log)
            #expect(last.states.mapValues(\.isHeld) == [lease: false])
            #expect(try #require(last.states[lease]).change > third.mark)
            // The mark may go on: processes write notes of themselves to the log.
            #expect(try leases(log).states == leases(log).states)
        },
        Rule("An append is refused if a lease of its guard was renewed after the mark") { suite in
            guard let log = try suite.sharedLog() else { return }
            var writer = ChainWriter(mail)
            writer.append(2, to: log)
            try tell(log, "p1", [lease: .held])
            let mark = try leases(log).mark
            #expect(append(&writer, to: log, unless: [lease], since: mark) == .appended)
            try tell(log, "p2", [otherLease: .renewed])
            #expect(append(&writer, to: log, unless: [lease], since: mark) == .appended)
            #expect(append(&writer, to: log, unless: [laterLease], since: mark) == .appended)
            try tell(log, "p1", [lease: .renewed])
            let all = [laterLease, lease]
            #expect(append(&writer, to: log, unless: all, since: mark) == .leaseRenewed)
            #expect(try revisions(log) == [1, 2, 3, 4, 5])
            let later = try leases(log).mark
            #expect(append(&writer, to: log, unless: all, since: later) == .appended)
            #expect(try revisions(log).last == 6)
        },
        Rule("A conflict says where the log is, also where a lease was renewed") { suite in
            guard let log = try suite.sharedLog() else { return }
            var writer = ChainWriter(mail)
            writer.append(1, to: log)
            var late = writer
            writer.append(1, to: log)
            let mark = try leases(log).mark
            try tell(log, "p1", [lease: .renewed])
            #expect(
                append(&late, to: log, unless: [lease], since: mark)
                    == .conflict(LogConflict(head: 2)))
        },
        Rule("As many leases as a guard may have are checked together") { suite in
            guard let log = try suite.sharedLog() else { return }
            var writer = ChainWriter(mail)
            writer.append(1, to: log)
            let many = (0..<LeaseGuard.leasesMax).map {
                LogLease(uid: mail.uid, registration: "r\($0)", revision: 1)
            }
            try tell(log, "p1", Dictionary(uniqueKeysWithValues: many.map { ($0, .held) }))
            let mark = try leases(log).mark
            #expect(try leases(log).states.count == many.count)
            #expect(append(&writer, to: log, unless: many, since: mark) == .appended)
            try tell(log, "p1", [many[many.count - 1]: .renewed])
            #expect(append(&writer, to: log, unless: many, since: mark) == .leaseRenewed)
        },
    ]

    private static let lease = LogLease(uid: mail.uid, registration: "r", revision: 1)
    private static let otherLease = LogLease(uid: mail.uid, registration: "r2", revision: 1)
    /// A later registration of the same name.
    private static let laterLease = LogLease(uid: mail.uid, registration: "r", revision: 16)

    /// Nil for a log of one process.
    private func sharedLog() throws -> (any SessionLog)? {
        let log = try makeLog()
        return log.properties.isShared ? log : nil
    }

    private static func leases(_ log: any SessionLog) throws -> LogLeases {
        var question = LogQuestion()
        question.wantsLeases = true
        return try #require(try answer(log, question).leases)
    }

    private static func tell(
        _ log: any SessionLog, _ process: String, _ notes: [LogLease: LeaseNote]
    ) throws {
        var question = LogQuestion()
        question.leaseNotes = LeaseNotes(process: process)
        question.leaseNotes?.byLease = notes
        _ = try answer(log, question)
    }

    private static func append(
        _ writer: inout ChainWriter, to log: any SessionLog, unless leases: [LogLease],
        since mark: Int64
    ) -> AppendResult {
        let part = writer.part()
        let guarded = LogAppend(
            session: part.session, entries: part.entries, expecting: part.expecting,
            leases: LeaseGuard(leases, since: mark))
        let result = log.append([guarded]).first ?? .unknown(reason: "no result")
        if result == .appended { writer.note(part.entries[0]) }
        return result
    }
}
