// Rules of confirmations: heads that are not older than the question, and followers that know them by then.

import Dispatch
import SessionLog
import Synchronization
import Testing
import Waiting

extension SessionLogConformance {
    static let confirming: [Rule] = [
        Rule("A confirmation tells the heads of the named sessions that live") { suite in
            var (log, writer) = try suite.logOfMail(2)
            #expect(try heads(log, ["mail", "notes"]) == [LogHead(session: mail, revision: 2)])
            writer.append(3, to: log)
            var other = ChainWriter(notes)
            other.append(to: log)
            #expect(try heads(log, ["mail"]) == [LogHead(session: mail, revision: 5)])
            #expect(
                try heads(log, ["notes", "mail"]) == [
                    LogHead(session: mail, revision: 5), LogHead(session: notes, revision: 1),
                ])
            #expect(try heads(log, []) == [])
        },
        Rule("A confirmation takes a name for free once its session has ended") { suite in
            var (log, writer) = try suite.logOfMail(1)
            writer.append(endingWith: .tombstone, to: log)
            #expect(try heads(log, ["mail"]) == [])
            var other = ChainWriter(otherMail)
            #expect(other.append(to: log) == .appended)
            #expect(try heads(log, ["mail"]) == [LogHead(session: otherMail, revision: 1)])
        },
        Rule("A confirmation of all heads has each live session") { suite in
            var (log, writer) = try suite.logOfMail(2)
            var other = ChainWriter(notes)
            other.append(4, to: log)
            var question = LogQuestion()
            question.wantsAllHeads = true
            #expect(
                try heads(log, question) == [
                    LogHead(session: mail, revision: 2), LogHead(session: notes, revision: 4),
                ])
            writer.append(endingWith: .tombstone, to: log)
            #expect(try heads(log, question) == [LogHead(session: notes, revision: 4)])
        },
        Rule("Followers have been told what a confirmation shows") { suite in
            var (log, writer) = try suite.logOfMail(1)
            let follower = CountingFollower()
            let subscription = log.follow(follower)
            writer.append(2, to: log)
            _ = try heads(log, ["mail"])
            #expect(follower.knows(3, of: mail))
            var other = ChainWriter(notes)
            other.append(to: log)
            var question = LogQuestion()
            question.wantsList = true
            _ = try heads(log, question)
            #expect(follower.knows(1, of: notes))
            writer.append(endingWith: .tombstone, to: log)
            _ = try heads(log, question)
            #expect(follower.knows(4, of: mail))
            withExtendedLifetime(subscription) {}
        },
    ]

    /// The confirmed heads, by name in byte order.
    private static func heads(_ log: any SessionLog, _ names: Set<String>) throws -> [LogHead] {
        var question = LogQuestion()
        question.names = names
        return try heads(log, question)
    }

    private static func heads(_ log: any SessionLog, _ question: LogQuestion) throws -> [LogHead] {
        try answer(log, question).byName.values.sorted {
            $0.session.name.utf8.lexicographicallyPrecedes($1.session.name.utf8)
        }
    }

    static func answer(_ log: any SessionLog, _ question: LogQuestion) throws -> LogHeads {
        let answer = Mutex<Result<LogHeads, LogFailure>?>(nil)
        let came = DispatchSemaphore(value: 0)
        log.confirm(question) { heads in
            answer.withLock { $0 = heads }
            came.signal()
        }
        try #require(came.wait(within: .seconds(30)))
        return try #require(answer.withLock { $0 }).get()
    }
}
