// The room in etcd's database: its limit, and what happens before etcd itself refuses writes.

import Foundation
import SeededRandom
import SessionLog
import SessionLogTestSupport
import TestSupport
import Testing

@testable import EtcdLog

@Suite("Room in etcd", .enabled(if: EtcdMember.isInstalled))
struct SpaceTests {
    private let mail = LogSession(name: "mail", uid: "abcdefghijkl")

    private func noise(_ bytes: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        return (0..<bytes).map { _ in UInt8(random.below(256)) }
    }

    /// Appends until the log refuses, and returns the refusal.
    private func fill(_ log: EtcdLog, _ writer: inout ChainWriter, bytes: Int) throws -> String {
        for round in 0..<1_000 {
            let entry = LogEntry(
                revision: writer.head + 1, time: 0, payload: noise(bytes, seed: UInt64(round)),
                after: writer.checksum)
            switch log.append(entry, to: mail, expecting: writer.head) {
            case .appended: writer.note(entry)
            case .full(let reason, _): return reason
            case let other:
                Issue.record("\(other)")
                return ""
            }
        }
        Issue.record("the log never gets full")
        return ""
    }

    @Test("Without a limit of its own the log takes 75 % of etcd's quota, and refuses before etcd")
    func quota() throws {
        let member = try EtcdMember(arguments: ["--quota-backend-bytes", "16777216"])
        // The sweeps come too late here.
        let log = try EtcdLog(member.options())
        #expect(log.contact?.space.max == 12_582_900)
        #expect(!log.isShortOfSpace)
        var writer = ChainWriter(mail)
        let reason = try fill(log, &writer, bytes: 60_000)
        #expect(reason.contains("95 % of 12582900, 75 % of its quota"), "\(reason)")
        #expect(log.isShortOfSpace && log.contact?.space.isShort == true)
        let used = try #require(log.contact?.space.used)
        #expect(used >= 11_953_700 && used < 16_777_216, "\(used)")
        // etcd has refused nothing.
        let status = try EtcdLogStatus.read(member.options())
        #expect(status.members.map(\.errors) == [[]] && status.members[0].quotaBytes == 16_777_216)
        #expect(writer.append(endingWith: .tombstone, to: log) == .appended)
        try log.forget(mail)
        try log.compactNow()
        // Pages are free again once etcd has compacted.
        var notes = ChainWriter(LogSession(name: "notes", uid: "mmmmmmmmmmmm"))
        try eventually("room") { notes.append(to: log) == .appended }
        try member.remove()
    }

    @Test("A limit that is given counts, and a member without metrics has etcd's default")
    func limits() throws {
        let member = try EtcdMember.shared.get()
        var options = member.options()
        options.bytesMax = 20_000_000
        #expect(try EtcdLog(options).contact?.space.max == 20_000_000)
        let port = try Loopback.freePort()
        let hidden = try EtcdMember(arguments: [
            "--listen-metrics-urls", "http://127.0.0.1:\(port)", "--quota-backend-bytes",
            "99999999",
        ])
        let unlimited = try EtcdMember(arguments: ["--quota-backend-bytes", "-1"])
        // etcd serves metrics on both addresses.
        #expect(try EtcdLog(hidden.options()).contact?.space.max == 74_999_925)
        #expect(try EtcdLog(unlimited.options()).contact?.space.max == .max)
        let client = EtcdClient(EtcdLogOptions(endpoints: ["http://127.0.0.1:\(port)/none"]))
        #expect(LogSpace.quota(of: "http://127.0.0.1:\(port)/none", client) == nil)
        #expect(LogSpace(client).use.max == 1_610_612_700)
        try hidden.remove()
        try unlimited.remove()
    }

    @Test("A log that is full goes on soon after etcd has got a larger quota")
    func largerQuota() throws {
        let member = ModelMember(quota: 16_777_216)
        let log = try EtcdLog(member.options())
        var writer = ChainWriter(mail)
        let reason = try fill(log, &writer, bytes: 60_000)
        #expect(reason.contains("95 % of 12582900, 75 % of its quota"), "\(reason)")
        member.setQuota(2_147_483_648)
        try eventually("room") { writer.append(to: log) == .appended }
    }

    @Test("A server says that its log has little room, refuses writes, and ends sessions")
    func server() throws {
        let member = try EtcdMember(arguments: ["--quota-backend-bytes", "16777216"])
        let server = try TraitdProcess(["--log", "etcd=\(member.url)", "--drain-window", "0"])
        let client = try HTTPClient(server.url)
        try client.send(
            "PUT", "/v1/sessions/s",
            json: [
                "traits": ["theme": ["type": "string", "default": ""]],
                "nodes": [["id": "root", "kind": "environment"]],
            ]
        ).expecting(201)
        var random = SeededRandom(seed: 3)
        var last: HTTPResponse?
        for _ in 0..<2_000 {
            // Not compressible, so that the rows are as long as the text.
            let text = (0..<12_000).map { _ in
                String(UnicodeScalar(UInt8(0x23 + random.below(57))))
            }.joined()
            last = try client.send(
                "PUT", "/v1/sessions/s/nodes/root/overrides/theme", json: ["value": .string(text)])
            if last?.status != 200 { break }
        }
        let refused = try #require(last)
        #expect(try refused.status == 507 && refused.json["code"] == "storage-full", "\(refused)")
        try eventually("the line") { server.child.standardError.contains("little room left") }
        let metrics = try client.get("/metrics").text
        #expect(metrics.contains("traitd_log_short 1"))
        #expect(metrics.contains("traitd_log_max_bytes 12582900"))
        #expect(try client.get("/v1/sessions/s").status == 200)
        let status = try TraitdProcess.run(["log", "status", "--log", "etcd=\(member.url)"])
        #expect(status.exit == .code(1), "\(status)")
        try client.send("DELETE", "/v1/sessions/s").success()
        server.child.stop()
        try member.remove()
    }
}
