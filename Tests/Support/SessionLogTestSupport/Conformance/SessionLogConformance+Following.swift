// Rules of following: a follower is notified of each append to any session, until its subscription is released.

import SessionLog
import Synchronization
import Testing

extension SessionLogConformance {
    static let following: [Rule] = [
        Rule("A follower is told once of each successful append, with its entries") { suite in
            var (log, writer) = try suite.logOfMail(1)
            let follower = CountingFollower()
            let subscription = log.follow(follower)
            writer.append(3, to: log)
            let entry = writer.entries(1)[0]
            #expect(log.append(entry, to: mail, expecting: 4) == .appended)
            writer.note(entry)
            #expect(follower.calls(for: mail) == [[2, 3, 4], [5]])
            // Neither of a conflict, nor of a refusal, nor of a part without entries.
            _ = log.append([ChainWriter(mail).part()])
            _ = log.append(
                LogEntry(revision: 6, time: 0, payload: [], after: 1), to: mail, expecting: 5)
            _ = log.append([LogAppend(session: mail, entries: [], expecting: 5)])
            #expect(follower.calls(for: mail).count == 2)
            // Of a session that is made, and of one that ends.
            var other = ChainWriter(notes)
            #expect(other.append(to: log) == .appended)
            writer.append(endingWith: .tombstone, to: log)
            #expect(follower.calls(for: notes) == [[1]])
            #expect(follower.calls(for: mail) == [[2, 3, 4], [5], [6]])
            withExtendedLifetime(subscription) {}
        },
        Rule("A released subscription calls no longer, and lets its follower go") { suite in
            var (log, writer) = try suite.logOfMail(1)
            let calls = Mutex(0)
            let other = CountingFollower()
            let stays = log.follow(other)
            weak var released: CountingFollower?
            do {
                let follower = CountingFollower { _ in calls.withLock { $0 += 1 } }
                released = follower
                let subscription = log.follow(follower)
                writer.append(to: log)
                withExtendedLifetime(subscription) {}
            }
            #expect(released == nil)
            writer.append(to: log)
            #expect(calls.withLock { $0 } == 1)
            #expect(other.calls(for: mail) == [[2], [3]])
            withExtendedLifetime(stays) {}
        },
        Rule("A follower may read the log, and finds what was appended") { suite in
            var (log, writer) = try suite.logOfMail(0)
            let heads = Mutex<[Int64]>([])
            let follower = CountingFollower { [weak log] session in
                do {
                    let bounds = try log?.bounds(of: session)
                    let tail = try log?.tail(of: session, after: 0, limit: .max).count
                    heads.withLock { heads in
                        heads.append(bounds?.head ?? -1)
                        heads.append(Int64(tail ?? -1))
                    }
                } catch {
                    Issue.record(error)
                }
            }
            let subscription = log.follow(follower)
            writer.append(2, to: log)
            writer.append(to: log)
            writer.append(endingWith: .tombstone, to: log)
            #expect(heads.withLock { $0 } == [2, 2, 3, 3, 4, 4])
            withExtendedLifetime(subscription) {}
        },
        Rule("A subscription may outlive its log") { suite in
            var log: (any SessionLog)? = try suite.makeLog()
            let follower = CountingFollower()
            let subscription = try #require(log?.follow(follower))
            if let log {
                #expect(
                    log.append([ChainWriter(mail).part(2, endingWith: .tombstone)])
                        == [.appended])
                try log.forget(mail)
            }
            log = nil
            #expect(follower.calls(for: mail) == [[1, 2]])
            withExtendedLifetime(subscription) {}
        },
    ]
}
