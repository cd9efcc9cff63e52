// Logs that end while they are used: by their server, or as etcd was restored from a backup.

import EtcdLog
import SessionLog
import SessionLogTestSupport
import TestSupport
import Testing

@Suite("The end of a log in etcd", .enabled(if: EtcdMember.isInstalled))
struct EndingTests {
    private let mail = LogSession(name: "mail", uid: "abcdefghijkl")

    @Test("A log over which a backup was restored stops and says so", arguments: [1, 20])
    func restored(lost: Int) throws {
        let member = try EtcdMember()
        let log = try EtcdLog(member.options())
        var writer = ChainWriter(mail)
        writer.append(to: log)
        try member.save()
        for _ in 0..<lost { #expect(writer.append(to: log) == .appended) }
        try member.restore()
        guard case .unknown = writer.append(to: log) else {
            Issue.record("an append did not fail")
            return
        }
        #expect(log.trouble?.contains("backup") == true)
        #expect(throws: LogFailure.self) { try log.confirmedHeads() }
        try member.remove()
    }

    @Test("A log that only follows notices a restore, too", arguments: [true, false])
    func restoredUnderFollower(asksForAll: Bool) throws {
        let member = try EtcdMember()
        var options = member.options()
        // So that the newest revision of etcd that the follower knows is the restored one.
        options.sweepEvery = .seconds(3_600)
        let (log, follower) = (try EtcdLog(options), try EtcdLog(options))
        var writer = ChainWriter(mail)
        writer.append(to: log)
        _ = try follower.confirmedHeads()
        try member.save()
        writer.append(3, to: log)
        try eventually("the rows") { try follower.bounds(of: mail)?.head == 4 }
        try member.restore()
        var question = LogQuestion()
        question.names = ["mail"]
        #expect(throws: LogFailure.self) {
            asksForAll ? try follower.confirmedHeads() : try follower.confirmed(question)
        }
        #expect(follower.isReplaced && follower.trouble?.contains("traitd log adopt") == true)
        try member.remove()
    }

    @Test("A log that is closed ends the appends that are under way")
    func closing() throws {
        let member = try EtcdMember()
        let log = try EtcdLog(member.options())
        var writer = ChainWriter(mail)
        #expect(writer.append(to: log) == .appended)
        try member.kill()
        let part = writer.part()
        let results = try concurrently(2) { index in
            if index == 0 { return log.append([part]) }
            log.close()
            return []
        }
        guard case .unknown = results[0].first else {
            Issue.record("\(results[0])")
            return
        }
        #expect(log.trouble != nil)
        #expect(throws: LogFailure.self) { try log.confirmedHeads() }
        try member.remove()
    }
}
