// Rules of snapshots and truncation: what may go, what stays, and that the chain goes on.

import SessionLog
import Testing

extension SessionLogConformance {
    static let snapshots: [Rule] = [
        Rule("Truncation drops the oldest entries, and the head stays where it is") { suite in
            var (log, writer) = try suite.logOfMail(1_000)
            try snapshot(of: 1_000, to: log)
            #expect(try log.truncate(mail, through: 400) == 1...400)
            #expect(
                try log.bounds(of: mail) == LogBounds(oldest: 401, head: 1_000, isDeleted: false))
            #expect(try revisions(log, limit: 2) == [401, 402])
            #expect(try revisions(log, after: 400, limit: 1) == [401])
            #expect(try revisions(log, after: 401, limit: 1) == [402])
            #expect(try log.truncate(mail, through: 400) == nil)
            #expect(try log.truncate(mail, through: 0) == nil)
            #expect(try log.truncate(mail, through: .min) == nil)
            #expect(try log.truncate(mail, through: 900) == 401...900)
            #expect(try revisions(log, after: 898, limit: 3) == [901, 902, 903])
            #expect(writer.append(to: log) == .appended)
            #expect(try revisions(log, after: 998) == [999, 1_000, 1_001])
        },
        Rule("Truncation beyond the head drops all entries, and appends go on") { suite in
            var (log, writer) = try suite.logOfMail(20)
            try snapshot(of: 20, to: log)
            #expect(try log.truncate(mail, through: .max) == 1...20)
            #expect(try log.bounds(of: mail) == LogBounds(oldest: 21, head: 20, isDeleted: false))
            #expect(try revisions(log) == [])
            #expect(try log.sessions() == [mail])
            let stray = LogEntry(revision: 21, time: 0, payload: [], after: 42)
            #expect(log.append(stray, to: mail, expecting: 20).isRefused)
            #expect(writer.append(to: log) == .appended)
            #expect(try log.bounds(of: mail) == LogBounds(oldest: 21, head: 21, isDeleted: false))
            #expect(
                try log.tail(of: mail, after: 20, limit: 1)[0].follows(
                    try #require(try log.newestSnapshot(of: mail)).checksum))
        },
        Rule("A log keeps what no snapshot covers") { suite in
            let (log, writer) = try suite.logOfMail(10)
            #expect(
                try failure { try log.truncate(mail, through: 1) } == .notCovered(snapshot: 0))
            try snapshot(of: 5, to: log)
            #expect(
                try failure { try log.truncate(mail, through: 6) } == .notCovered(snapshot: 5))
            #expect(try revisions(log) == Array(1...10))
            #expect(try log.truncate(mail, through: 5) == 1...5)
        },
        Rule("The newest snapshot stays readable when its entries are truncated") { suite in
            let (log, writer) = try suite.logOfMail(10)
            let snapshot = try snapshot(of: 7, to: log)
            try log.truncate(mail, through: 7)
            #expect(try log.newestSnapshot(of: mail) == snapshot)
            #expect(try log.tail(of: mail, after: 7, limit: 1)[0].follows(snapshot.checksum))
            // Written again, as after an answer that was lost.
            try log.write(snapshot, of: mail)
            #expect(try log.newestSnapshot(of: mail) == snapshot)
        },
        Rule("The snapshot at or before a revision is never of a newer one") { suite in
            let (log, _) = try suite.logOfMail(20)
            #expect(try log.snapshot(of: mail, atOrBefore: 20) == nil)
            let first = try snapshot(of: 5, to: log)
            let second = try snapshot(of: 12, to: log)
            #expect(try log.snapshot(of: mail, atOrBefore: 4) == nil)
            // Some logs keep the newest one alone.
            let kept = try log.snapshotRevisions(of: mail)
            #expect(
                try log.snapshot(of: mail, atOrBefore: 11) == (kept.contains(5) ? first : nil))
            #expect(try log.snapshot(of: mail, atOrBefore: 12) == second)
            #expect(try log.snapshot(of: mail, atOrBefore: .max) == second)
        },
        Rule("A newer snapshot takes the place of an older one, and not the reverse") { suite in
            let (log, writer) = try suite.logOfMail(10)
            try snapshot(of: 3, to: log)
            let newer = try snapshot(of: 8, to: log)
            try snapshot(of: 5, to: log)
            #expect(try log.newestSnapshot(of: mail) == newer)
            #expect(try revisions(log) == Array(1...10))
        },
        Rule("A snapshot that does not belong to the entries is not written") { suite in
            let (log, writer) = try suite.logOfMail(10)
            for (revision, checksum) in [
                (0, 0), (-1, 0), (11, writer.checksum), (.max, writer.checksum),
                (9, writer.checksum), (10, writer.checksum ^ 1),
            ] as [(Int64, UInt64)] {
                let wrong = LogSnapshot(revision: revision, checksum: checksum, payload: [])
                #expect(try failure { try log.write(wrong, of: mail) } == .snapshotMismatch)
            }
            let right = LogSnapshot(revision: 10, checksum: writer.checksum, payload: [])
            #expect(try failure { try log.write(right, of: notes) } == .snapshotMismatch)
            #expect(try log.newestSnapshot(of: mail) == nil)
            try log.write(right, of: mail)
        },
        Rule("A deleted session can be truncated and stays deleted") { suite in
            var (log, writer) = try suite.logOfMail(3)
            writer.append(endingWith: .tombstone, to: log)
            let last = LogSnapshot(revision: 4, checksum: writer.checksum, payload: [])
            try log.write(last, of: mail)
            #expect(try log.truncate(mail, through: 4) == 1...4)
            #expect(try log.bounds(of: mail) == LogBounds(oldest: 5, head: 4, isDeleted: true))
            #expect(
                log.append([writer.part()])
                    == [.conflict(LogConflict(head: 4, isDeleted: true))])
            try log.forget(mail)
            #expect(try log.bounds(of: mail) == nil)
        },
    ]

    /// Writes a snapshot of `mail` at that revision, whose entry the log still has.
    @discardableResult
    private static func snapshot(
        of revision: Int64, to log: any SessionLog
    ) throws -> LogSnapshot {
        let entry = try log.tail(of: mail, after: revision - 1, limit: 1)[0]
        let snapshot = LogSnapshot(
            revision: revision, checksum: entry.checksum, payload: [UInt8(revision % 200)])
        try log.write(snapshot, of: mail)
        return snapshot
    }
}
