// Rules of sessions: which session has a name, how a session ends, and when it is forgotten.

import SessionLog
import Testing

extension SessionLogConformance {
    static let lifetimes: [Rule] = [
        Rule("Live sessions are listed by name in byte order and found by name") { suite in
            let log = try suite.makeLog()
            #expect(try log.sessions() == [] && log.session(named: "a") == nil)
            for name in ["b", "a-b", "Z", "a", "aa", "a.b", "10", "9"] {
                var writer = ChainWriter(LogSession(name: name, uid: "uid-\(name)"))
                #expect(writer.append(to: log) == .appended)
            }
            #expect(
                try log.sessions().map(\.name) == ["10", "9", "Z", "a", "a-b", "a.b", "aa", "b"])
            #expect(try log.session(named: "a.b")?.uid == "uid-a.b")
            #expect(try log.session(named: "A") == nil)
            #expect(try log.session(named: "") == nil)
        },
        Rule("A second creation of a name is a conflict that names the holder") { suite in
            let (log, _) = try suite.logOfMail(3)
            var second = ChainWriter(otherMail)
            #expect(second.append(to: log) == .conflict(LogConflict(head: 0, holder: mail)))
            var again = ChainWriter(mail)
            #expect(again.append(to: log) == .conflict(LogConflict(head: 3, holder: mail)))
            #expect(try log.sessions() == [mail])
            #expect(try log.bounds(of: otherMail) == nil)
        },
        Rule("A tombstone ends a session: its name is free, its entries are readable") { suite in
            var (log, writer) = try suite.logOfMail(3)
            #expect(writer.append(endingWith: .tombstone, to: log) == .appended)
            #expect(try log.sessions() == [] && log.session(named: "mail") == nil)
            #expect(try log.bounds(of: mail) == LogBounds(oldest: 1, head: 4, isDeleted: true))
            #expect(try revisions(log) == [1, 2, 3, 4])
            #expect(try log.tail(of: mail, after: 3, limit: 1).map(\.kind) == [.tombstone])
            var next = ChainWriter(otherMail)
            #expect(next.append(2, to: log) == .appended)
            #expect(try log.sessions() == [otherMail])
            #expect(try log.session(named: "mail") == otherMail)
            #expect(try revisions(log) == [1, 2, 3, 4])
            #expect(try revisions(log, of: otherMail) == [1, 2])
        },
        Rule("Every append after a tombstone is a conflict with a deleted session") { suite in
            var (log, writer) = try suite.logOfMail(1)
            writer.append(endingWith: .tombstone, to: log)
            let deleted = AppendResult.conflict(LogConflict(head: 2, isDeleted: true))
            #expect(log.append([writer.part()]) == [deleted])
            #expect(log.append(writer.entries(1)[0], to: mail, expecting: 2) == deleted)
            #expect(log.append([writer.part(endingWith: .tombstone)]) == [deleted])
            let nothing = LogAppend(session: mail, entries: [], expecting: 2)
            #expect(log.append([nothing]) == [deleted])
            // A creation with the uid of a deleted session is no new session.
            #expect(log.append([ChainWriter(mail).part()]) == [deleted])
            #expect(try revisions(log) == [1, 2])
            #expect(try log.sessions() == [])
        },
        Rule("A session cannot begin with a tombstone, and nothing follows one") { suite in
            let log = try suite.makeLog()
            let first = LogEntry(revision: 1, time: 0, kind: .tombstone, payload: [], after: 0)
            #expect(log.append(first, to: mail, expecting: 0).isRefused)
            var writer = ChainWriter(mail)
            writer.append(to: log)
            let end = writer.entries(1, endingWith: .tombstone)[0]
            let after = LogEntry(revision: 3, time: 0, payload: [], after: end.checksum)
            let part = LogAppend(session: mail, entries: [end, after], expecting: 1)
            #expect(log.append([part]).map(\.isRefused) == [true])
            #expect(try log.sessions() == [mail])
            #expect(try revisions(log) == [1])
        },
        Rule("A creation in the batch of a tombstone succeeds behind it only") { suite in
            let (log, writer) = try suite.logOfMail(1)
            let creation = ChainWriter(otherMail).part()
            let end = writer.part(endingWith: .tombstone)
            #expect(
                log.append([creation, end]) == [
                    .conflict(LogConflict(head: 0, holder: mail)), .appended,
                ])
            #expect(try log.sessions() == [])
            var second = ChainWriter(otherMail)
            second.note(creation.entries[0])
            let third = LogSession(name: "mail", uid: "third-in-line")
            #expect(
                log.append([
                    creation, second.part(endingWith: .tombstone), ChainWriter(third).part(),
                ]) == [.appended, .appended, .appended])
            #expect(try log.sessions() == [third])
        },
        Rule("A tombstone that is a conflict leaves the session alive") { suite in
            var (log, writer) = try suite.logOfMail(1)
            let stale = writer
            writer.append(to: log)
            let end = stale.part(endingWith: .tombstone)
            #expect(log.append([end]) == [.conflict(LogConflict(head: 2))])
            #expect(try log.sessions() == [mail])
            #expect(
                log.append([ChainWriter(otherMail).part()])
                    == [.conflict(LogConflict(head: 0, holder: mail))])
        },
        Rule("A session made and ended in one part leaves its name free") { suite in
            let log = try suite.makeLog()
            #expect(log.append([ChainWriter(mail).part(2, endingWith: .tombstone)]) == [.appended])
            #expect(try log.sessions() == [])
            #expect(try log.bounds(of: mail) == LogBounds(oldest: 1, head: 2, isDeleted: true))
            #expect(log.append([ChainWriter(otherMail).part()]) == [.appended])
        },
        Rule("A live session cannot be forgotten") { suite in
            let (log, writer) = try suite.logOfMail(3)
            #expect(try failure { try log.forget(mail) } == .notDeleted)
            #expect(try revisions(log) == [1, 2, 3])
            #expect(log.append([writer.part()]) == [.appended])
        },
        Rule("A forgotten session has nothing left, and its successor is untouched") { suite in
            var (log, writer) = try suite.logOfMail(3)
            try log.write(
                LogSnapshot(revision: 3, checksum: writer.checksum, payload: [1]), of: mail)
            writer.append(endingWith: .tombstone, to: log)
            var next = ChainWriter(otherMail)
            next.append(2, to: log)
            try log.forget(mail)
            #expect(try log.bounds(of: mail) == nil && revisions(log) == [])
            #expect(try log.newestSnapshot(of: mail) == nil)
            #expect(try log.sessions() == [otherMail])
            #expect(try revisions(log, of: otherMail) == [1, 2])
            #expect(log.append([writer.part()]) == [.conflict(LogConflict(head: 0))])
            // Again, as after a crash in between: there is nothing to do.
            try log.forget(mail)
            try log.forget(notes)
        },
    ]
}
