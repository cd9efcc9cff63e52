// Requests and answers that are lost, late or doubled, and a member that is killed.

import EtcdLog
import Foundation
import SessionLog
import SessionLogTestSupport
import Synchronization
import TestSupport
import Testing

@Suite(
    "Faults below the log in etcd", .enabled(if: EtcdMember.isInstalled))
struct FaultTests {
    private let mail = LogSession(name: "mail", uid: "abcdefghijkl")

    @Test(
        "A fault on an append ends with exactly one copy", arguments: FaultProxy.Fault.allCases,
        [1, 3])
    func oneCopy(fault: FaultProxy.Fault, times: Int) throws {
        let member = try EtcdMember.shared.get()
        let proxy = try FaultProxy(member.port)
        defer { proxy.end() }
        var options = member.options()
        let direct = try EtcdLog(options)
        options.endpoints = [proxy.url]
        options.firstTry = .milliseconds(150)
        let log = try EtcdLog(options)
        var writer = ChainWriter(mail)
        for kind in [LogEntry.Kind.commit, .commit, .tombstone] {
            // These two answer, so they need no further try.
            let answers = fault == .duplicate || fault == .answerFull
            proxy.add(Array(repeating: fault, count: answers ? 1 : times))
            #expect(writer.append(2, endingWith: kind, to: log) == .appended)
            #expect(proxy.isDone)
            try #require(try checksums(direct).count == Int(writer.head))
        }
        // Also copies that arrive when everything is over change nothing.
        if fault == .delay {
            try eventually("the late requests") { proxy.lateRequests == 3 * times }
        }
        #expect(try checksums(direct) == checksums(log))
        #expect(
            try EtcdLog(options).bounds(of: mail) == LogBounds(oldest: 1, head: 6, isDeleted: true))
    }

    private func checksums(_ log: EtcdLog) throws -> [UInt64] {
        _ = try log.confirmedHeads()
        return try log.checksums(of: mail)
    }

    @Test("Two writers meet faults, and each entry is acknowledged to one of them")
    func contested() throws {
        let member = try EtcdMember.shared.get()
        let proxy = try FaultProxy(member.port)
        defer { proxy.end() }
        var options = member.options()
        options.endpoints = [proxy.url]
        options.firstTry = .milliseconds(150)
        let logs = [try EtcdLog(options), try EtcdLog(options)]
        let session = mail
        let wins = try concurrently(2) { index in
            var wins: [UInt64] = []
            for round in 0..<60 {
                if round % 6 == 0 { proxy.add([FaultProxy.Fault.allCases[round / 6 % 6]]) }
                var writer = ChainWriter(session)
                for entry in try logs[index].tail(of: session, after: 0, limit: .max) {
                    writer.note(entry)
                }
                // Equal entries of both: only the tag of a row says whose it is.
                let part = writer.part()
                if logs[index].append([part]) == [.appended] {
                    wins += part.entries.map(\.checksum)
                }
            }
            return wins
        }
        #expect((wins[0] + wins[1]).sorted() == (try checksums(logs[0])).sorted())
    }

    @Test("A member that is killed and started again loses nothing, and every append ends")
    func killing() throws {
        let member = try EtcdMember()
        let options = member.options()
        let log = try EtcdLog(options)
        let isOver = Atomic(false)
        Thread.detachNewThread {
            defer { isOver.store(true, ordering: .relaxed) }
            for _ in 0..<3 {
                do {
                    let before = try log.confirmedHeads().byName.values.map(\.revision)
                    try eventually("appends") {
                        try log.confirmedHeads().byName.values.map(\.revision) != before
                    }
                    try member.kill()
                    try member.start()
                } catch {
                    Issue.record(error)
                }
            }
        }
        let heads = try concurrently(4) { index in
            var writer = ChainWriter(LogSession(name: "s\(index)", uid: "uid-\(index)"))
            while !isOver.load(ordering: .relaxed) || writer.head == 0 {
                let result = writer.append(to: log)
                if result != .appended {
                    Issue.record("\(result)")
                    break
                }
            }
            return writer
        }
        let fresh = try EtcdLog(options)
        for writer in heads {
            let bounds = try fresh.bounds(of: writer.session)
            #expect(bounds == LogBounds(oldest: 1, head: writer.head, isDeleted: false))
            #expect(try fresh.checksums(of: writer.session).last == writer.checksum)
        }
        try member.remove()
    }

    @Test("Members of three that are killed and stopped in turn lose nothing")
    func cluster() throws {
        let members = try EtcdMember.cluster(3)
        var options = members[0].options()
        options.endpoints = members.map(\.url)
        options.deadline = .seconds(30)
        let logs = [try EtcdLog(options), try EtcdLog(options)]
        let isOver = Atomic(false)
        Thread.detachNewThread {
            defer { isOver.store(true, ordering: .relaxed) }
            do {
                for (index, member) in members.enumerated() {
                    if index == 1 { member.signal(SIGSTOP) } else { try member.kill() }
                    let before = try logs[0].confirmedHeads()
                    // The members that are left go on.
                    try eventually("appends") { try logs[0].confirmedHeads() != before }
                    if index == 1 { member.signal(SIGCONT) } else { try member.start() }
                    try eventually("appends") {
                        try logs[1].confirmedHeads() != logs[0].confirmedHeads()
                    }
                }
            } catch {
                Issue.record(error)
            }
        }
        let writers = try concurrently(4) { index in
            var writer = ChainWriter(LogSession(name: "s\(index)", uid: "uid-\(index)"))
            while !isOver.load(ordering: .relaxed) || writer.head == 0 {
                let result = writer.append(to: logs[index % 2])
                if result != .appended {
                    Issue.record("\(result)")
                    break
                }
            }
            return writer
        }
        let fresh = try EtcdLog(options)
        for log in logs + [fresh] {
            let heads = try log.confirmedHeads()
            for writer in writers {
                #expect(heads.byName[writer.session.name]?.revision == writer.head)
                #expect(try log.checksums(of: writer.session).last == writer.checksum)
            }
        }
        for member in members { try member.remove() }
    }

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

    @Test("A watch that was cut off long enough for a compaction goes on")
    func compaction() throws {
        let member = try EtcdMember.shared.get()
        let proxy = try FaultProxy(member.port)
        defer { proxy.end() }
        var options = member.options()
        let direct = try EtcdLog(options)
        options.endpoints = [proxy.url]
        let log = try EtcdLog(options)
        let follower = CountingFollower()
        let subscription = log.follow(follower)
        var writer = ChainWriter(mail)
        writer.append(to: direct)
        try eventually("the watch") { follower.calls(for: mail) == [[1]] }
        proxy.stop()
        for _ in 0..<20 { writer.append(to: direct) }
        try direct.compactNow()
        proxy.resume()
        try eventually("the rows") { try log.bounds(of: mail)?.head == 21 }
        writer.append(to: direct)
        try eventually("the watch again") { follower.calls(for: mail).last == [22] }
        #expect(follower.calls(for: mail).joined().elementsEqual(1...22))
        withExtendedLifetime(subscription) {}
    }
}
