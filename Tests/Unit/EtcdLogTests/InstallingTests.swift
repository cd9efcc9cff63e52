// Sessions that come into the log as snapshots: those of a backup, and those of a log that is adopted.

import SessionLog
import SessionLogTestSupport
import TestSupport
import Testing

@testable import EtcdLog

@Suite("Installing sessions")
struct InstallingTests {
    private let mail = LogSession(name: "mail", uid: "abcdefghijkl")
    private let notes = LogSession(name: "notes", uid: "mmmmmmmmmmmm")

    private func source(_ name: String, revision: Int64 = 7) -> (LogSession, LogSnapshot) {
        (
            LogSession(name: name, uid: "uid-\(name)"),
            LogSnapshot(
                revision: revision, checksum: UInt64(revision) * 3,
                payload: Array("state of \(name)".utf8))
        )
    }

    private func add(_ names: [String], _ options: EtcdLogOptions) throws -> [String] {
        try EtcdImport(options).installAll(names, names: names) { source($0) }.map(\.session.name)
    }

    @Test("Sessions that are added are on every log at once, and are written on")
    func added() throws {
        let options = ModelMember.shared.options()
        let log = try EtcdLog(options)
        let follower = CountingFollower()
        let subscription = log.follow(follower)
        #expect(try add(["mail", "notes"], options) == ["mail", "notes"])
        var question = LogQuestion()
        question.names = ["mail"]
        let (session, snapshot) = source("mail")
        #expect(
            try log.confirmed(question).byName["mail"] == LogHead(session: session, revision: 7))
        question = LogQuestion()
        question.wantsAllHeads = true
        #expect(try log.confirmed(question).byName.count == 2)
        for log in [log, try EtcdLog(options)] {
            #expect(try log.sessions().map(\.name) == ["mail", "notes"])
            #expect(try log.start(of: session).snapshot == snapshot)
            #expect(
                try log.bounds(of: session) == LogBounds(oldest: 8, head: 7, isDeleted: false))
        }
        let next = LogEntry(revision: 8, time: 1, payload: [1], after: snapshot.checksum)
        #expect(log.append(next, to: session, expecting: 7) == .appended)
        #expect(try EtcdLog(options).bounds(of: session)?.head == 8)
        #expect(try log.values(log.keys.garbage).isEmpty)
        withExtendedLifetime(subscription) {}
    }

    @Test("A thousand sessions are added in one transaction, and more than that are refused")
    func many() throws {
        let options = ModelMember.shared.options()
        let names = (0..<1_000).map { "session-\($0)" }
        #expect(try add(names, options).count == 1_000)
        #expect(try EtcdLog(options).sessions().count == 1_000)
        let more = (0..<1_300).map { "more-\($0)" }
        let failure = #expect(throws: LogFailure.self) { try add(more, options) }
        #expect(failure?.reason.contains("--session") == true)
        let log = try EtcdLog(options)
        #expect(try log.sessions().count == 1_000)
        #expect(try log.values(log.keys.prefix + "/snap/").count == 1_000)
    }

    @Test("A name that is taken refuses all sessions, before and while they are written")
    func taken() throws {
        let options = ModelMember.shared.options()
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        writer.append(to: log)
        let failure = #expect(throws: LogFailure.self) { try add(["notes", "mail"], options) }
        #expect(failure?.kind == .snapshotMismatch)
        #expect(failure?.reason == "there is a session 'mail' already")
        #expect(throws: LogFailure.self) { try add(["a", "a"], options) }
        // A server makes the session after the first look.
        let late = #expect(throws: LogFailure.self) {
            try EtcdImport(options).installAll(["a", "notes"], names: ["a", "notes"]) { name in
                if name == "notes" {
                    var other = ChainWriter(notes)
                    #expect(other.append(to: log) == .appended)
                }
                return source(name)
            }
        }
        #expect(late?.reason == "there is a session 'notes' already")
        // A session of another name does not matter.
        let added = try EtcdImport(options).installAll(["a"], names: ["a"]) { name in
            var other = ChainWriter(LogSession(name: "b", uid: "bbbbbbbbbbbb"))
            other.append(to: log)
            return source(name)
        }
        #expect(added.count == 1)
        let again = try EtcdLog(options)
        #expect(try again.sessions().map(\.name) == ["a", "b", "mail", "notes"])
        #expect(try again.values(again.keys.prefix + "/snap/").count == 1)
        #expect(try again.values(again.keys.garbage).isEmpty)
    }

    @Test("What a killed run leaves is removed by the next one, and a run that goes on fails then")
    func killed() throws {
        let options = ModelMember.shared.options()
        let log = try EtcdLog(options)
        let killed = Installer(log.reader)
        try killed.begin()
        let staged = try killed.stage(source("mail").0, source("mail").1)
        #expect(try log.values(log.keys.prefix + "/snap/").count == 1)
        #expect(try add(["mail"], options) == ["mail"])
        #expect(try log.values(log.keys.prefix + "/snap/").count == 1)
        let late = Installer(log.reader)
        try late.begin()
        let other = try late.stage(source("notes").0, source("notes").1)
        try Installer(log.reader).removeGarbage()
        #expect(
            #expect(throws: LogFailure.self) { try late.commit([other]) }?.reason
                .contains("run it again") == true)
        #expect(throws: LogFailure.self) { try killed.commit([staged]) }
        #expect(try EtcdLog(options).sessions().map(\.name) == ["mail"])
    }

    @Test(
        "An answer that is lost changes nothing",
        arguments: [ModelNetwork.Fault.dropAnswer, .duplicate])
    func lostAnswer(fault: ModelNetwork.Fault) throws {
        let network = ModelNetwork(.shared)
        let options = network.options()
        // The first look at the names, and the second.
        let added = try EtcdImport(options).installAll(["mail"], names: ["mail"]) { name in
            network.add([fault, fault])
            return source(name)
        }
        #expect(added.count == 1 && network.isDone)
        let log = try EtcdLog(options)
        #expect(try log.sessions().map(\.name) == ["mail"])
        #expect(try log.values(log.keys.prefix + "/snap/").count == 1)
    }

    @Test("A transaction sees each name that was made after a revision, and no other")
    func comparison() throws {
        let options = ModelMember.shared.options()
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        writer.append(to: log)
        let revision = try Installer(log.reader).checkFree(["notes"])
        func isUnchanged() throws -> Bool {
            try log.client.ask(
                "/v3/kv/txn",
                EtcdRequest.transaction(
                    if: [.areUnchanged(log.keys.names, since: revision)], then: [])
            ).succeeded
        }
        #expect(try isUnchanged())
        writer.append(to: log)
        #expect(try isUnchanged())
        var other = ChainWriter(notes)
        other.append(to: log)
        #expect(try !isUnchanged())
        #expect(throws: LogFailure.self) { try Installer(log.reader).checkFree(["a", "notes"]) }
    }

    // MARK: - Adopting

    /// A log with two sessions, one that has ended, and snapshots.
    private func filled(_ options: EtcdLogOptions) throws {
        let log = try EtcdLog(options)
        for session in [mail, notes] {
            var writer = ChainWriter(session)
            writer.append(3, to: log)
            try log.write(
                LogSnapshot(revision: 3, checksum: writer.checksum, payload: [3]), of: session)
            writer.append(2, to: log)
        }
        var ended = ChainWriter(LogSession(name: "ended", uid: "eeeeeeeeeeee"))
        ended.append(2, endingWith: .tombstone, to: log)
    }

    /// Adopts sessions as the command does.
    private func adopt(_ options: EtcdLogOptions, atMost: Int = .max) throws -> Int {
        let adoption = try EtcdAdoption(options)
        try adoption.begin()
        let sessions = try adoption.log.sessions()
        for session in sessions.prefix(atMost) {
            let head = try #require(try adoption.log.tail(of: session, after: 0, limit: .max).last)
            try adoption.replace(
                session, with: LogSession(name: session.name, uid: "new-\(session.uid)"),
                at: LogSnapshot(revision: head.revision, checksum: head.checksum, payload: [9]))
        }
        if sessions.count > atMost { return atMost }
        try adoption.finish()
        return sessions.count
    }

    @Test("Adopted sessions have their revision, another uid, and no rows; nothing else is left")
    func adopted() throws {
        let options = ModelMember.shared.options()
        #expect(throws: LogFailure.self) { try EtcdAdoption(options) }
        try filled(options)
        #expect(try adopt(options) == 2)
        let log = try EtcdLog(options)
        #expect(try log.sessions().map(\.uid) == ["new-\(mail.uid)", "new-\(notes.uid)"])
        for session in try log.sessions() {
            #expect(
                try log.bounds(of: session) == LogBounds(oldest: 6, head: 5, isDeleted: false))
            #expect(try log.start(of: session).snapshot?.payload == [9])
        }
        #expect(try log.values(log.keys.prefix + "/").count == 10)
    }

    @Test("An adoption that is ended in the middle keeps servers out, and is run again")
    func interrupted() throws {
        let options = ModelMember.shared.options()
        try filled(options)
        #expect(try adopt(options, atMost: 1) == 1)
        let failure = #expect(throws: LogFailure.self) { try EtcdLog(options) }
        #expect(failure?.kind == .replaced)
        #expect(failure?.reason.contains("traitd log adopt") == true)
        #expect(try EtcdAdoption(options).suspicion != nil)
        // The session that has its new uid has no entries, so this test gives it one.
        var taken = options
        taken.takesForeign = true
        let log = try EtcdLog(taken)
        let renewed = try #require(try log.session(named: "mail"))
        let head = try #require(try log.start(of: renewed).snapshot)
        let entry = LogEntry(revision: 6, time: 1, payload: [6], after: head.checksum)
        #expect(log.append(entry, to: renewed, expecting: 5) == .appended)
        #expect(try adopt(options) == 2)
        let again = try EtcdLog(options)
        #expect(try again.sessions().map(\.uid) == ["new-new-\(mail.uid)", "new-\(notes.uid)"])
        #expect(try again.values(again.keys.prefix + "/").count == 10)
    }

    @Test("A session that a server writes to meanwhile is not replaced")
    func usedLog() throws {
        let options = ModelMember.shared.options()
        try filled(options)
        let adoption = try EtcdAdoption(options)
        let server = adoption.log
        try adoption.begin()
        let head = try #require(try server.tail(of: mail, after: 4, limit: 1).last)
        var writer = try ChainWriter(mail, readingFrom: server)
        #expect(writer.append(to: server) == .appended)
        let failure = #expect(throws: LogFailure.self) {
            try adoption.replace(
                mail, with: LogSession(name: "mail", uid: "nnnnnnnnnnnn"),
                at: LogSnapshot(revision: 5, checksum: head.checksum, payload: [9]))
        }
        #expect(failure?.reason.contains("a server uses the log") == true)
        #expect(try server.session(named: "mail") == mail)
    }
}
