// Rules of appending: what is appended, what is a conflict, and which of two writers wins.

import Dispatch
import SessionLog
import Synchronization
import Testing

extension SessionLogConformance {
    static let appending: [Rule] = [
        Rule("An empty batch has no results and changes nothing") { suite in
            let log = try suite.makeLog()
            #expect(log.append([]) == [])
            #expect(try log.sessions() == [])
        },
        Rule("Entries are appended in one part or in many, one at a time or several") { suite in
            let (log, made) = try suite.logOfMail(5)
            var writer = made
            let sixth = writer.entries(1)[0]
            #expect(log.append(sixth, to: mail, expecting: 5) == .appended)
            writer.note(sixth)
            let seventh = writer.part(1)
            writer.note(seventh.entries[0])
            #expect(log.append([seventh, writer.part(2)]) == [.appended, .appended])
            #expect(try revisions(log) == Array(1...9))
        },
        Rule("A part without entries appends nothing and compares the head") { suite in
            let log = try suite.makeLog()
            func result(_ session: LogSession, _ expecting: Int64) -> [AppendResult] {
                log.append([LogAppend(session: session, entries: [], expecting: expecting)])
            }
            #expect(result(mail, 0) == [.appended])
            #expect(try log.sessions() == [] && log.bounds(of: mail) == nil)
            var writer = ChainWriter(mail)
            writer.append(2, to: log)
            #expect(result(mail, 2) == [.appended])
            #expect(result(mail, 1) == [.conflict(LogConflict(head: 2))])
            #expect(result(mail, 0) == [.conflict(LogConflict(head: 2, holder: mail))])
            #expect(result(otherMail, 0) == [.conflict(LogConflict(head: 0, holder: mail))])
            #expect(try revisions(log) == [1, 2])
        },
        Rule("An append that expects another head is a conflict and appends nothing") { suite in
            let (log, writer) = try suite.logOfMail(2)
            var ahead = writer
            ahead.note(writer.entries(1)[0])
            #expect(log.append([ahead.part()]) == [.conflict(LogConflict(head: 2))])
            #expect(
                log.append(ahead.entries(1)[0], to: mail, expecting: 3)
                    == .conflict(LogConflict(head: 2)))
            var behind = ChainWriter(mail)
            behind.note(behind.entries(1)[0])
            #expect(log.append([behind.part(2)]) == [.conflict(LogConflict(head: 2))])
            #expect(try log.bounds(of: mail) == LogBounds(oldest: 1, head: 2, isDeleted: false))
        },
        Rule("An append to a session that is not there is a conflict with head 0") { suite in
            let log = try suite.makeLog()
            var writer = ChainWriter(mail)
            writer.note(writer.entries(1)[0])
            #expect(log.append([writer.part()]) == [.conflict(LogConflict(head: 0))])
            #expect(
                log.append([writer.part(endingWith: .tombstone)])
                    == [.conflict(LogConflict(head: 0))])
            #expect(
                log.append(writer.entries(1)[0], to: mail, expecting: 1)
                    == .conflict(LogConflict(head: 0)))
            #expect(try log.sessions() == [])
        },
        Rule("Parts of different sessions succeed or fail independently, in order") { suite in
            let (log, writer) = try suite.logOfMail(3)
            let stale = ChainWriter(mail).part(2)
            let fresh = ChainWriter(notes).part(4)
            let taken = ChainWriter(otherMail).part()
            #expect(
                log.append([stale, fresh, taken, writer.part()]) == [
                    .conflict(LogConflict(head: 3, holder: mail)), .appended,
                    .conflict(LogConflict(head: 0, holder: mail)), .appended,
                ])
            #expect(try revisions(log) == [1, 2, 3, 4])
            #expect(try revisions(log, of: notes) == [1, 2, 3, 4])
            #expect(try log.bounds(of: otherMail) == nil)
        },
        Rule("Of two writers of the same revision exactly one wins") { suite in
            let (log, writer) = try suite.logOfMail(1)
            let wins = suite.race(log) { log in
                // Each round both writers append their own entry after the same head.
                var own = writer
                var wins = 0
                for _ in 0..<200 {
                    if own.append(to: log) == .appended { wins += 1 }
                    own = try ChainWriter(mail, readingFrom: log)
                }
                return wins
            }
            let head = try #require(try log.bounds(of: mail)).head
            #expect(wins.reduce(0, +) == Int(head) - 1)
            var checksum: UInt64 = 0
            for entry in try log.tail(of: mail, after: 0, limit: .max) {
                #expect(entry.follows(checksum))
                checksum = entry.checksum
            }
        },
        Rule("Of two creations of one name at the same time exactly one wins") { suite in
            for _ in 0..<50 {
                let log = try suite.makeLog()
                let contenders = Mutex([mail, otherMail])
                let wins = suite.race(log) { log in
                    let session = contenders.withLock { $0.removeLast() }
                    var writer = ChainWriter(session)
                    return writer.append(to: log) == .appended ? 1 : 0
                }
                #expect(wins.sorted() == [0, 1])
                #expect(try log.sessions().count == 1)
            }
        },
        Rule("Two threads append to different sessions without meeting") { suite in
            let log = try suite.makeLog()
            let sessions = Mutex([mail, notes])
            let counts = suite.race(log) { log in
                var writer = ChainWriter(sessions.withLock { $0.removeLast() })
                return (0..<500).filter { _ in writer.append(to: log) == .appended }.count
            }
            #expect(counts == [500, 500])
            #expect(try revisions(log) == Array(1...500))
            #expect(try revisions(log, of: notes) == Array(1...500))
        },
    ]

    /// Runs `body` on two threads.
    func race(
        _ log: any SessionLog,
        _ body: @escaping @Sendable (any SessionLog) throws -> Int
    ) -> [Int] {
        let results = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            do {
                let result = try body(log)
                results.withLock { $0.append(result) }
            } catch {
                Issue.record(error)
            }
        }
        return results.withLock { $0 }
    }
}
