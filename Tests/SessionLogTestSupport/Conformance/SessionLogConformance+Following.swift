// Rules of subscriptions: a subscriber is called after each append to its session, until its
// subscription is released.

import SessionLog
import Synchronization
import Testing

extension SessionLogConformance {
    static let following: [Rule] = [
        Rule("A subscriber is called once for each successful append to its session") { suite in
            var (log, writer) = try suite.logOfMail(1)
            let subscriber = CountingSubscriber()
            let subscription = log.subscribe(to: mail, subscriber)
            writer.append(3, to: log)
            let entry = writer.entries(1)[0]
            #expect(log.append(entry, to: mail, expecting: 4) == .appended)
            writer.note(entry)
            #expect(subscriber.calls(for: mail) == 2)
            // Neither a conflict, nor a refusal, nor a part without entries, nor another session.
            _ = log.append([ChainWriter(mail).part()])
            _ = log.append(
                LogEntry(revision: 6, time: 0, payload: [], after: 1), to: mail, expecting: 5)
            _ = log.append([LogAppend(session: mail, entries: [], expecting: 5)])
            var other = ChainWriter(notes)
            other.append(to: log)
            #expect(subscriber.calls(for: mail) == 2)
            writer.append(endingWith: .tombstone, to: log)
            #expect(subscriber.calls(for: mail) == 3)
            #expect(subscriber.calls(for: notes) == 0)
            withExtendedLifetime(subscription) {}
        },
        Rule("A session can be subscribed to before it is made") { suite in
            let log = try suite.makeLog()
            let subscriber = CountingSubscriber()
            var subscription: LogSubscription? = log.subscribe(to: mail, subscriber)
            #expect(try log.sessions() == [] && log.bounds(of: mail) == nil)
            var writer = ChainWriter(mail)
            #expect(writer.append(to: log) == .appended)
            #expect(subscriber.calls(for: mail) == 1)
            subscription = log.subscribe(to: notes, subscriber)
            subscription = nil
            #expect(subscription == nil)
            #expect(try log.bounds(of: mail)?.head == 1)
            #expect(try log.bounds(of: notes) == nil)
        },
        Rule("A released subscription calls no longer, and lets its subscriber go") { suite in
            var (log, writer) = try suite.logOfMail(1)
            let calls = Mutex(0)
            let other = CountingSubscriber()
            let stays = log.subscribe(to: mail, other)
            weak var released: CountingSubscriber?
            do {
                let subscriber = CountingSubscriber { _ in calls.withLock { $0 += 1 } }
                released = subscriber
                let subscription = log.subscribe(to: mail, subscriber)
                writer.append(to: log)
                withExtendedLifetime(subscription) {}
            }
            #expect(released == nil)
            writer.append(to: log)
            #expect(calls.withLock { $0 } == 1)
            #expect(other.calls(for: mail) == 2)
            withExtendedLifetime(stays) {}
        },
        Rule("A subscriber may read the log, and finds what was appended") { suite in
            var (log, writer) = try suite.logOfMail(0)
            let heads = Mutex<[Int64]>([])
            let subscriber = CountingSubscriber { [weak log] session in
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
            let subscription = log.subscribe(to: mail, subscriber)
            writer.append(2, to: log)
            writer.append(to: log)
            writer.append(endingWith: .tombstone, to: log)
            #expect(heads.withLock { $0 } == [2, 2, 3, 3, 4, 4])
            withExtendedLifetime(subscription) {}
        },
        Rule("A subscription may outlive its session and its log") { suite in
            var log: (any SessionLog)? = try suite.makeLog()
            let subscriber = CountingSubscriber()
            let subscription = try #require(log?.subscribe(to: mail, subscriber))
            if let log {
                #expect(
                    log.append([ChainWriter(mail).part(2, endingWith: .tombstone)])
                        == [.appended])
                try log.forget(mail)
            }
            log = nil
            #expect(subscriber.calls(for: mail) == 1)
            withExtendedLifetime(subscription) {}
        },
    ]
}
