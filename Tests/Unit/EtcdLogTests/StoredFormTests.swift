// What the log keeps in etcd: large rows and snapshots, late copies, and damage.

import SeededRandom
import SessionLog
import SessionLogTestSupport
import Testing

@testable import EtcdLog

@Suite("What is in etcd")
struct StoredFormTests {
    private let mail = LogSession(name: "mail", uid: "abcdefghijkl")

    private func noise(_ bytes: Int) -> [UInt8] {
        var random = SeededRandom(seed: 7)
        return (0..<bytes).map { _ in UInt8(random.below(256)) }
    }

    @Test("An entry of 3 MiB comes back, and its pieces go when it is truncated")
    func largeRow() throws {
        let options = ModelMember.shared.options()
        let (log, other) = (try EtcdLog(options), try EtcdLog(options))
        let entry = LogEntry(revision: 1, time: 5, payload: noise(3 << 20), after: 0)
        #expect(log.append(entry, to: mail, expecting: 0) == .appended)
        let small = LogEntry(revision: 2, time: 5, payload: [1], after: entry.checksum)
        #expect(log.append(small, to: mail, expecting: 1) == .appended)
        _ = try other.confirmedHeads()
        for log in [other, try EtcdLog(options)] {
            let read = try #require(try log.tail(of: mail, after: 0, limit: 1).first)
            #expect(read.payload == entry.payload && read.follows(0))
        }
        #expect(try log.values(log.keys.pieces(of: mail.uid)).count == 7)
        try log.write(
            LogSnapshot(revision: 2, checksum: small.checksum, payload: []), of: mail)
        #expect(try log.truncate(mail, through: 1) == 1...1)
        #expect(try log.values(log.keys.pieces(of: mail.uid)).isEmpty)
        #expect(
            try EtcdLog(options).bounds(of: mail) == LogBounds(oldest: 2, head: 2, isDeleted: false)
        )
    }

    @Test("A snapshot of 5 MiB comes back, and a newer one leaves no pieces of older ones behind")
    func largeSnapshot() throws {
        let options = ModelMember.shared.options()
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        writer.append(3, to: log)
        let large = LogSnapshot(revision: 3, checksum: writer.checksum, payload: noise(5 << 20))
        try log.write(large, of: mail)
        #expect(try log.values(log.keys.snapshots(of: mail.uid)).count == 11)
        #expect(try EtcdLog(options).newestSnapshot(of: mail) == large)
        writer.append(to: log)
        try log.write(LogSnapshot(revision: 4, checksum: writer.checksum, payload: [4]), of: mail)
        #expect(try log.start(of: mail).snapshot == nil)
        try log.truncate(mail, through: 3)
        #expect(try log.start(of: mail).snapshot == large)
        #expect(try log.snapshotRevisions(of: mail) == [3, 4])
        try log.truncate(mail, through: 4)
        #expect(try log.snapshotRevisions(of: mail) == [4])
        #expect(try log.values(log.keys.snapshots(of: mail.uid)).count == 1)
        writer.append(endingWith: .tombstone, to: log)
        try log.forget(mail)
        #expect(
            try log.values(log.keys.prefix + "/").map(\.key) == [log.keys.epoch, log.keys.list])
    }

    @Test("A start asks etcd for no session that begins with its first entry")
    func startWithoutRequests() throws {
        let network = ModelNetwork(.shared)
        var options = network.options()
        options.deadline = .milliseconds(100)
        var writer = ChainWriter(mail)
        let log = try EtcdLog(options)
        writer.append(4, to: log)
        let first = LogSnapshot(revision: 4, checksum: writer.checksum, payload: [4])
        try log.write(first, of: mail)
        let later = try EtcdLog(options)
        network.stop()
        let start = try later.start(of: mail)
        #expect(start.snapshot == nil && start.newestSnapshot == 4)
        #expect(throws: LogFailure.self) { try later.newestSnapshot(of: mail) }
        // A list that has changed since shows itself by a snapshot that is gone.
        network.resume()
        try log.truncate(mail, through: 4)
        _ = try later.confirmedHeads()
        #expect(try later.start(of: mail).snapshot == first)
    }

    @Test("A database that has reached its limit refuses appends, and takes deletions")
    func full() throws {
        let network = ModelNetwork(ModelMember(quota: 1_048_576))
        var options = network.options()
        options.bytesMax = 1 << 40
        options.refusalPatience = .milliseconds(100)
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        writer.append(3, to: log)
        try log.write(LogSnapshot(revision: 3, checksum: writer.checksum, payload: []), of: mail)
        var notes = ChainWriter(LogSession(name: "notes", uid: "mmmmmmmmmmmm"))
        notes.append(endingWith: .commit, to: log)
        notes.append(endingWith: .tombstone, to: log)
        let payload = noise(200_000)
        var results: [AppendResult] = []
        while results.count < 20, results.last.map({ $0 == .appended }) ?? true {
            let entry = LogEntry(
                revision: writer.head + 1, time: 0, payload: payload, after: writer.checksum)
            results.append(log.append(entry, to: mail, expecting: writer.head))
            if results.last == .appended { writer.note(entry) }
        }
        guard case .full = results.last else {
            Issue.record("\(results)")
            return
        }
        // A try without an answer makes no difference in the end.
        network.add([.dropAnswer])
        guard case .full = writer.append(to: log) else {
            Issue.record("an append to a full database")
            return
        }
        #expect(network.isDone)
        // A reader learns that the note of a renewal is not there, and where the log is.
        var question = LogQuestion()
        question.names = ["mail"]
        question.leaseNotes = LeaseNotes(process: "p1")
        let lease = LogLease(uid: mail.uid, registration: "r", revision: 1)
        question.leaseNotes?.byLease[lease] = .renewed
        let heads = try log.confirmed(question)
        #expect(heads.untold != nil && heads.byName["mail"]?.revision == writer.head)
        try log.forget(notes.session)
        #expect(try log.values(log.keys.rows(of: notes.session.uid)).isEmpty)
        #expect(try log.confirmedHeads().byName["mail"]?.revision == writer.head)
    }

    @Test("Beyond the limit of the options only ends of sessions are appended")
    func limited() throws {
        var options = ModelMember.shared.options()
        options.bytesMax = 1
        options.sweepEvery = .milliseconds(10)
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        try eventually("the limit") {
            if case .full = writer.append(to: log) { return true }
            return false
        }
        if writer.head > 0 { #expect(writer.append(endingWith: .tombstone, to: log) == .appended) }
        #expect(log.statistics.map { $0.refusedForSpace > 0 } == true)
    }

    @Test("Old revisions of etcd are compacted")
    func compacting() throws {
        var options = ModelMember().options()
        options.compaction = .milliseconds(20)
        options.sweepEvery = .milliseconds(10)
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        writer.append(to: log)
        var old = EtcdRange(key: log.keys.head(mail.uid))
        old.revision = 2
        try eventually("the compaction") {
            writer.append(to: log)
            do throws(EtcdFailure) {
                _ = try log.client.call(
                    "/v3/kv/range", EtcdRequest.range(old), deadline: .seconds(10))
                return false
            } catch {
                return error.kind == .compacted
            }
        }
        #expect(try log.confirmedHeads().byName["mail"]?.revision == writer.head)
    }

    @Test("A session that ended a while ago is removed without a request")
    func removal() throws {
        var options = ModelMember.shared.options()
        options.forgetAfter = .milliseconds(1)
        options.sweepEvery = .milliseconds(10)
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        writer.append(2, to: log)
        var notes = ChainWriter(LogSession(name: "notes", uid: "mmmmmmmmmmmm"))
        notes.append(to: log)
        writer.append(endingWith: .tombstone, to: log)
        try eventually("the removal") { try log.bounds(of: mail) == nil }
        #expect(try log.values(log.keys.heads).map(\.key) == [log.keys.head(notes.session.uid)])
        #expect(try log.values(log.keys.rows).count == 1)
        #expect(try log.bounds(of: notes.session)?.head == 1)
    }

    @Test("A late copy of an append changes nothing")
    func lateCopy() throws {
        let options = ModelMember.shared.options()
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        var copies: [[UInt8]] = []
        for kind in [LogEntry.Kind.commit, .commit, .tombstone] {
            let part = OutgoingPart(writer.part(2, endingWith: kind), at: 0)
            let request = AppendGroup.request([part], log.keys, writer: [1])
            let answer = try log.client.ask("/v3/kv/txn", request)
            #expect(answer.succeeded)
            #expect(AppendGroup.outcomes([part], answer, isLook: false) == [.appended])
            for entry in part.entries { writer.note(entry) }
            copies.append(request)
            // The writer of a copy whose answer was lost finds its own row.
            #expect(try !log.client.ask("/v3/kv/txn", request).succeeded)
            let look = try log.client.ask("/v3/kv/txn", AppendGroup.look([part], log.keys))
            #expect(AppendGroup.outcomes([part], look, isLook: true) == [.appended])
        }
        let before = try log.values(log.keys.prefix + "/").map(\.value)
        for copy in copies { #expect(try !log.client.ask("/v3/kv/txn", copy).succeeded) }
        #expect(try log.values(log.keys.prefix + "/").map(\.value) == before)
    }

    @Test("A damaged row stops its session alone, for those who read and those who follow")
    func damagedRow() throws {
        let options = ModelMember.shared.options()
        let (log, other) = (try EtcdLog(options), try EtcdLog(options))
        let follower = CountingFollower()
        let subscription = other.follow(follower)
        var writer = ChainWriter(mail)
        writer.append(2, to: log)
        var notes = ChainWriter(LogSession(name: "notes", uid: "mmmmmmmmmmmm"))
        notes.append(to: log)
        let row = try #require(try log.values(log.keys.rows(of: mail.uid)).first)
        try eventually("the rows") { try other.bounds(of: mail)?.head == 2 }
        var damaged = row.value
        damaged[damaged.count / 2] ^= 4
        try log.put(log.keys.row(mail.uid, 3), damaged)
        try eventually("the damage") {
            do { return try other.bounds(of: mail) == nil } catch { return true }
        }
        try log.put(row.key, damaged)
        for log in [other, try EtcdLog(options)] {
            let failure = #expect(throws: LogFailure.self) {
                try log.tail(of: mail, after: 0, limit: 9)
            }
            guard case .damaged = failure?.kind else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(try log.bounds(of: notes.session)?.head == 1)
        }
        notes.append(to: log)
        #expect(try other.confirmedHeads().byName["notes"]?.revision == 2)
        #expect(try other.bounds(of: notes.session)?.head == 2)
        withExtendedLifetime(subscription) {}
    }
}
