// Processes that share the log, as etcd has them: keys that go when their process dies.

import Dispatch
import SessionLog
import SessionLogTestSupport
import Testing

@testable import EtcdLog

@Suite("Processes of the log in etcd")
struct MembershipTests {
    private let lease = LogLease(uid: "abcdefghijkl", registration: "r", revision: 1)

    private func ask(_ log: EtcdLog, _ notes: [LogLease: LeaseNote] = [:]) throws -> LogLeases {
        var question = LogQuestion()
        question.wantsLeases = true
        if !notes.isEmpty {
            question.leaseNotes = LeaseNotes(process: "p1")
            question.leaseNotes?.byLease = notes
        }
        return try #require(try log.confirmed(question).leases)
    }

    /// An end of the lease by a process that has read the notes up to a mark.
    private func end(_ writer: ChainWriter, since mark: Int64) -> LogAppend {
        let part = writer.part()
        return LogAppend(
            session: part.session, entries: part.entries, expecting: part.expecting,
            leases: LeaseGuard([lease], since: mark))
    }

    @Test("The notes of streams and the name of a process go with its lease, and come again")
    func dropped() throws {
        var options = ModelMember.shared.options()
        options.isMember = true
        let (one, other) = (try EtcdLog(options), try EtcdLog(options))
        var writer = ChainWriter(LogSession(name: "mail", uid: lease.uid))
        writer.append(to: one)
        _ = try ask(one, [lease: .held])
        let first = try ask(other)
        #expect(first.states[lease]?.isHeld == true)
        #expect(try one.values(one.keys.replicas).count == 2)
        try one.revokeLease()
        let second = try ask(other)
        // That the stream was there is known longer.
        #expect(second.states[lease]?.isHeld == false && second.mark > first.mark)
        #expect(try one.values(one.keys.replicas).count == 1)
        // At the next renewal the process finds out.
        try eventually("the notes", within: .seconds(20)) {
            _ = try ask(one)
            return try ask(other).states[lease]?.isHeld == true
        }
        #expect(try one.values(one.keys.replicas).count == 2)
        // The notification has what changed in between, too.
        try one.revokeLease()
        _ = try ask(one, [lease: .renewed])
        try eventually("the note", within: .seconds(20)) {
            _ = try ask(one)
            return try ask(other).states[lease]?.isHeld == false
        }
    }

    @Test("A renewal that a process has noted counts after its orderly end")
    func closed() throws {
        let options = ModelMember.shared.options()
        let (one, other) = (try EtcdLog(options), try EtcdLog(options))
        var writer = ChainWriter(LogSession(name: "mail", uid: lease.uid))
        writer.append(to: one)
        let mark = try ask(other).mark
        _ = try ask(one, [lease: .renewed])
        one.close()
        #expect(other.append([end(writer, since: mark)]).first == .leaseRenewed)
    }

    @Test("A renewal counts after etcd has dropped the lease of the process that noted it")
    func renewalOfTheDead() throws {
        let options = ModelMember.shared.options()
        let (one, other) = (try EtcdLog(options), try EtcdLog(options))
        var writer = ChainWriter(LogSession(name: "mail", uid: lease.uid))
        writer.append(to: one)
        for note in [LeaseNote.renewed, .held] {
            let before = try ask(other)
            _ = try ask(one, [lease: note])
            try one.revokeLease()
            #expect(other.append([end(writer, since: before.mark)]).first == .leaseRenewed)
            let state = try #require(try ask(other).states[lease])
            #expect(!state.isHeld && state.change > before.mark)
        }
        // The registration has ended. A process that has not read the note has nothing to remove.
        _ = try ask(other, [lease: .gone])
        #expect(try ask(one).states.isEmpty)
        #expect(try one.values(one.keys.notes).isEmpty)
    }

    @Test("The name of a process that lives comes again")
    func nameAgain() throws {
        var options = ModelMember.shared.options()
        options.isMember = true
        let log = try EtcdLog(options)
        try eventually("the name") { try log.values(log.keys.replicas).count == 1 }
        for value in try log.values(log.keys.replicas) {
            _ = try log.client.ask("/v3/kv/deleterange", EtcdRequest.delete(value.key))
        }
        try eventually("the name again", within: .seconds(20)) {
            try log.values(log.keys.replicas).count == 1
        }
    }

    @Test("The name of a process goes with its lease when threads ask for the first one at once")
    func firstLease() throws {
        for _ in 1...20 {
            let log = try EtcdLog(ModelMember.shared.options())
            DispatchQueue.concurrentPerform(iterations: 8) { _ in _ = try? log.membership.lease() }
            #expect(try log.values(log.keys.replicas).count == 1)
            try log.revokeLease()
            #expect(try log.values(log.keys.replicas).isEmpty)
            log.close()
        }
    }

    @Test("The newest versions that all processes read are known soon after one comes or goes")
    func versions() throws {
        var options = ModelMember.shared.options()
        options.isMember = true
        options.versions = LogVersions(format: 1, semantics: 4)
        let one = try EtcdLog(options)
        #expect(one.commonVersions == options.versions)
        try eventually("its name") { try one.values(one.keys.replicas).count == 1 }
        var older = options
        older.versions = LogVersions(format: 3, semantics: 2)
        let other = try EtcdLog(older)
        let both = LogVersions(format: 1, semantics: 2)
        // From its start on, before it has told its own.
        #expect(other.commonVersions == both)
        try eventually("both") { one.commonVersions == both && other.commonVersions == both }
        // A process of a later version reports more, and one that reads no sessions nothing.
        try one.put(one.keys.replica("later"), Array("format=2 wire=7 semantics=1 x".utf8))
        try one.put(one.keys.replica("reader"), [])
        let all = LogVersions(format: 1, semantics: 1)
        try eventually("all") { one.commonVersions == all }
        // An orderly end takes the process out at once.
        other.close()
        #expect(try one.values(one.keys.replicas).count == 3)
        _ = try one.client.ask(
            "/v3/kv/deleterange", EtcdRequest.delete(one.keys.replica("later")))
        try eventually("itself") { one.commonVersions == options.versions }
    }

    @Test("Processes that are given one name have a key each, and are told apart")
    func oneName() throws {
        var options = ModelMember.shared.options()
        options.isMember = true
        options.versions = LogVersions(format: 1, semantics: 4)
        options.replica = "traitd-a"
        let one = try EtcdLog(options)
        func names() throws -> [String] { try EtcdLogStatus.read(options).replicas }
        try eventually("one") { try names() == ["traitd-a"] }
        let other = try EtcdLog(options)
        try eventually("both") { try names().count == 2 }
        #expect(try names().allSatisfy { $0.hasPrefix("traitd-a (") && $0.hasSuffix(")") })
        // The end of the second one leaves the first one registered, with its versions.
        other.close()
        #expect(try names() == ["traitd-a"])
        try eventually("its versions") { one.commonVersions == options.versions }
        // Another version may write more, and no text of etcd goes to a terminal.
        try one.put(one.keys.replica("t1"), Array("format=1 semantics=4 id=b next=2".utf8))
        try one.put(one.keys.replica("t2"), Array("id=\u{1B}[2J".utf8))
        try one.put(one.keys.replica("t3"), [])
        #expect(try names() == ["b", "t2", "t3", "traitd-a"])
    }

    @Test("A log that serves no sessions does not name itself")
    func reading() throws {
        let log = try EtcdLog(ModelMember.shared.options())
        var question = LogQuestion()
        question.wantsAllHeads = true
        _ = try log.confirmed(question)
        #expect(try log.values(log.keys.replicas).isEmpty)
    }

    @Test("The notes of a session that is forgotten go")
    func forgotten() throws {
        let log = try EtcdLog(ModelMember.shared.options())
        let mail = LogSession(name: "mail", uid: lease.uid)
        var writer = ChainWriter(mail)
        writer.append(to: log)
        #expect(try ask(log, [lease: .held]).states.count == 1)
        writer.append(endingWith: .tombstone, to: log)
        try log.forget(mail)
        #expect(try ask(log).states.isEmpty)
        #expect(try log.values(log.keys.notes).isEmpty)
    }
}
