// Two processes over one log, here two logs over one prefix.

import SessionLog
import SessionLogTestSupport
import Synchronization
import TestSupport
import Testing

@testable import EtcdLog

@Suite("Two writers of the log in etcd")
struct SharingTests {
    private let mail = LogSession(name: "mail", uid: "abcdefghijkl")

    /// Two logs over one prefix, which is empty.
    private func logs() throws -> (EtcdLog, EtcdLog) {
        let options = ModelMember.shared.options()
        return (try EtcdLog(options), try EtcdLog(options))
    }

    @Test("What one writer appends the other one follows, without asking")
    func following() throws {
        let (one, other) = try logs()
        let follower = CountingFollower()
        let subscription = other.follow(follower)
        var writer = ChainWriter(mail)
        writer.append(3, to: one)
        writer.append(to: one)
        writer.append(endingWith: .tombstone, to: one)
        // Before the first sweep.
        try eventually("the rows", within: .seconds(5)) { follower.calls(for: mail).count == 3 }
        #expect(follower.calls(for: mail) == [[1, 2, 3], [4], [5]])
        #expect(try other.bounds(of: mail) == LogBounds(oldest: 1, head: 5, isDeleted: true))
        #expect(try other.checksums(of: mail) == one.checksums(of: mail))
        withExtendedLifetime(subscription) {}
    }

    /// Two logs over one prefix, of which the second one gets nothing from its watch.
    private func logsWithoutWatch() throws -> (one: EtcdLog, other: EtcdLog) {
        var options = ModelMember.shared.options()
        let one = try EtcdLog(options)
        options.network = ModelNetwork(.shared, hidesWatches: true)
        options.watchPatience = .milliseconds(1)
        return (one, try EtcdLog(options))
    }

    /// Loads each session of which it is notified, and keeps those that cannot begin.
    private final class LoadingFollower: LogFollower {
        private let log: EtcdLog
        private let broken = Mutex<[LogSession]>([])

        init(_ log: EtcdLog) { self.log = log }

        var sessionsWithoutBeginning: [LogSession] { broken.withLock(\.self) }

        func appended(_ entries: [LogEntry], to session: LogSession, isOwn: Bool) { load(session) }
        func lostTrack(of session: LogSession) { load(session) }

        private func load(_ session: LogSession) {
            let snapshot = try? log.start(of: session).snapshot
            let first = try? log.tail(of: session, after: 0, limit: 1).first
            if snapshot == nil, first?.revision != 1 { broken.withLock { $0.append(session) } }
        }
    }

    @Test("A follower can load every session that it is told of")
    func loading() throws {
        let (one, other) = try logsWithoutWatch()
        let follower = LoadingFollower(other)
        let subscription = other.follow(follower)
        var writer = ChainWriter(mail)
        for _ in 1...3 {
            writer.append(2, to: one)
            _ = try other.confirmedHeads()
        }
        #expect(follower.sessionsWithoutBeginning.isEmpty)
        // Truncated before this one is notified of it.
        let notes = LogSession(name: "notes", uid: "mmmmmmmmmmmm")
        var late = ChainWriter(notes)
        late.append(3, to: one)
        let snapshot = LogSnapshot(revision: 3, checksum: late.checksum, payload: [3])
        try one.write(snapshot, of: notes)
        try one.truncate(notes, through: 3)
        late.append(to: one)
        _ = try other.confirmedHeads()
        #expect(try other.start(of: notes).snapshot == snapshot)
        #expect(follower.sessionsWithoutBeginning.isEmpty)
        withExtendedLifetime(subscription) {}
    }

    @Test("A session whose first row is damaged is told of, and refused by its name")
    func damagedBeginning() throws {
        let (one, other) = try logsWithoutWatch()
        let follower = LoadingFollower(other)
        let subscription = other.follow(follower)
        var writer = ChainWriter(mail)
        writer.append(2, to: one)
        let row = try #require(try one.values(one.keys.rows(of: mail.uid)).first)
        try one.put(row.key, [1, 2, 3])
        _ = try other.confirmedHeads()
        #expect(follower.sessionsWithoutBeginning.contains(mail))
        #expect(throws: LogFailure.self) { try other.tail(of: mail, after: 0, limit: 1) }
        withExtendedLifetime(subscription) {}
    }

    @Test("A confirmation reads the rows itself when the watch is silent, and tells followers")
    func silentWatch() throws {
        let (one, other) = try logsWithoutWatch()
        let follower = CountingFollower()
        let subscription = other.follow(follower)
        var question = LogQuestion()
        question.names = ["mail"]
        var list = LogQuestion()
        list.wantsList = true
        var writer = ChainWriter(mail)
        for revision in 1...10 as ClosedRange<Int64> {
            writer.append(to: one)
            let head = LogHead(session: mail, revision: revision)
            #expect(try other.confirmed(question).byName["mail"] == head)
            #expect(follower.calls(for: mail).joined().last == revision)
        }
        var notes = ChainWriter(LogSession(name: "notes", uid: "mmmmmmmmmmmm"))
        notes.append(2, to: one)
        _ = try other.confirmed(list)
        #expect(follower.calls(for: notes.session).joined().elementsEqual([1, 2]))
        writer.append(100, endingWith: .tombstone, to: one)
        #expect(try other.confirmedHeads().byName.keys.sorted() == ["notes"])
        #expect(follower.calls(for: mail).joined().last == 110)
        // Entries that are truncated before they came here.
        notes.append(4, to: one)
        try one.write(
            LogSnapshot(revision: 6, checksum: notes.checksum, payload: [6]), of: notes.session)
        try one.truncate(notes.session, through: 5)
        notes.append(to: one)
        question.names = ["notes"]
        #expect(try other.confirmed(question).byName["notes"]?.revision == 7)
        #expect(follower.hasLost(notes.session))
        #expect(
            try other.bounds(of: notes.session) == LogBounds(oldest: 6, head: 7, isDeleted: false))
        withExtendedLifetime(subscription) {}
    }

    @Test("A conflict brings the entries of the other writer")
    func conflict() throws {
        let (one, other) = try logs()
        var writer = ChainWriter(mail)
        writer.append(2, to: one)
        var late = writer
        _ = try other.confirmedHeads()
        writer.append(3, to: one)
        guard case .conflict(let conflict)? = other.append([late.part()]).first else {
            Issue.record("no conflict")
            return
        }
        #expect(conflict.head == 5 && conflict.entries.map(\.revision) == [3, 4, 5])
        #expect(try other.bounds(of: mail)?.head == 5)
        for entry in conflict.entries { late.note(entry) }
        #expect(late.append(to: other) == .appended)
    }

    @Test("A session that was forgotten is in no confirmation, and followers hear of its end")
    func forgotten() throws {
        let (one, other) = try logs()
        let follower = CountingFollower()
        let subscription = other.follow(follower)
        var writer = ChainWriter(mail)
        writer.append(2, to: one)
        var notes = ChainWriter(LogSession(name: "notes", uid: "mmmmmmmmmmmm"))
        notes.append(to: one)
        #expect(try other.confirmedHeads().byName.count == 2)
        writer.append(endingWith: .tombstone, to: one)
        try one.forget(mail)
        #expect(try other.confirmedHeads().byName.keys.sorted() == ["notes"])
        #expect(try other.sessions() == [notes.session])
        #expect(follower.calls(for: mail).last == [3] || follower.hasLost(mail))
        withExtendedLifetime(subscription) {}
    }

    @Test("Two writers of one session both get their turns")
    func turns() throws {
        let (one, other) = try logs()
        let logs = [one, other]
        var creator = ChainWriter(mail)
        creator.append(to: one)
        _ = try other.confirmedHeads()
        let session = mail
        let wins = try concurrently(2) { index in
            var writer = try ChainWriter(session, readingFrom: logs[index])
            var wins = 0
            while writer.head < 300 {
                switch logs[index].append([writer.part()]).first {
                case .appended:
                    wins += 1
                    for entry in writer.entries(1) { writer.note(entry) }
                case .conflict(let conflict):
                    for entry in conflict.entries { writer.note(entry) }
                case let result:
                    Issue.record("\(String(describing: result))")
                    return wins
                }
            }
            return wins
        }
        #expect(wins.allSatisfy { $0 >= 60 }, "\(wins)")
    }

    @Test("Parts that could be appended are, beside one that could not")
    func severalParts() throws {
        let (one, other) = try logs()
        var writers = (0..<40).map { ChainWriter(LogSession(name: "s\($0)", uid: "uid-\($0)")) }
        #expect(one.append(writers.map { $0.part(2) }) == writers.map { _ in .appended })
        for index in writers.indices {
            for entry in writers[index].entries(2) { writers[index].note(entry) }
        }
        let stale = writers
        #expect(other.append([writers[7].part(3), writers[33].part()]) == [.appended, .appended])
        let results = one.append(stale.map { $0.part() })
        for (index, result) in results.enumerated() {
            let head: Int64? = index == 7 ? 5 : index == 33 ? 3 : nil
            #expect(result == head.map { .conflict(LogConflict(head: $0)) } ?? .appended)
        }
        let heads = try other.confirmedHeads()
        #expect(heads.byName.count == 40 && heads.byName["s7"]?.revision == 5)
        #expect(heads.byName["s8"]?.revision == 3)
    }
}
