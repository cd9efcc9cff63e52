// The commands of an operator, over a real member of etcd and beside servers that run.

import Foundation
import TestSupport
import Testing

@testable import EtcdLog

@Suite(
    "Commands on the log in etcd", .enabled(if: EtcdMember.isInstalled))
struct OperatingTests {
    /// A member with a prefix, and the arguments that name both.
    struct Place {
        let member: EtcdMember
        let prefix = "/test/\(UUID().uuidString)"

        var arguments: [String] {
            ["--log", "etcd=\(member.url)", "--log-prefix", prefix, "--log-deadline", "2s"]
        }

        var options: EtcdLogOptions { member.options(prefix: prefix) }

        func server() throws -> TraitdProcess {
            try TraitdProcess(arguments + ["--drain-window", "0"])
        }

        func run(
            _ command: [String], _ more: [String] = []
        ) throws -> (exit: ChildProcess.Exit, out: String, error: String) {
            try TraitdProcess.run(command + arguments + more)
        }

        func status() throws -> (exit: ChildProcess.Exit, json: JSON) {
            let run = try run(["log", "status"], ["--json"])
            return (run.exit, try JSON(parsing: Array(run.out.utf8)))
        }
    }

    private static let body: JSON = [
        "traits": ["theme": ["type": "int", "default": 0]],
        "nodes": [["id": "root", "kind": "environment"]],
    ]

    private func write(_ value: Int64, _ client: HTTPClient) throws -> HTTPResponse {
        try client.send(
            "PUT", "/v1/sessions/s/nodes/root/overrides/theme", json: ["value": .int(value)]
        ).expecting(200)
    }

    // MARK: - Status

    @Test("The status shows members, room and sessions, and its exit code what needs an operator")
    func status() throws {
        let place = Place(member: try EtcdMember.shared.get())
        let none = try place.status()
        #expect(none.exit == .code(1) && none.json["epoch"] == .null, "\(none)")
        let server = try place.server()
        let client = try HTTPClient(server.url)
        for name in ["s", "t", "u"] {
            try client.send("PUT", "/v1/sessions/\(name)", json: Self.body).expecting(201)
        }
        try client.send("DELETE", "/v1/sessions/u").success()
        let (exit, json) = try place.status()
        #expect(exit == .code(0), "\(json)")
        #expect(json["restoreSuspected"] == false && json["exitCode"] == 0)
        #expect(json["sessions"] == ["live": 2, "ended": 1, "refused": 0])
        #expect(json["members"]?[0]?["version"]?.string?.isEmpty == false)
        #expect(json["members"]?[0]?["isLeader"] == true)
        #expect(json["members"]?[0]?["quotaBytes"] == 2_147_483_648)
        #expect(json["bytesMax"] == 1_610_612_700)
        #expect(json["epoch"]?["clusterId"] == json["clusterId"])
        let text = try place.run(["log", "status"])
        #expect(text.exit == .code(0) && text.out.hasSuffix("all is well\n"), "\(text)")
        #expect(text.out.contains("sessions  2 live, 1 ended, 0 refused\n"), "\(text)")
        // A member that is not there.
        let port = try Loopback.freePort()
        let arguments = ["--log", "etcd=\(place.member.url),http://127.0.0.1:\(port)"]
        let part = try TraitdProcess.run(
            ["log", "status", "--log-prefix", place.prefix] + arguments)
        #expect(part.exit == .code(1) && part.out.contains("does not answer"), "\(part)")
        let gone = try TraitdProcess.run([
            "log", "status", "--log", "etcd=http://127.0.0.1:\(port)", "--log-deadline", "200ms",
        ])
        #expect(gone.exit == .code(73), "\(gone)")
        #expect(try TraitdProcess.run(["log", "status"]).exit == .code(64))
    }

    @Test("The status shows how far etcd is compacted, and sessions that cannot be read")
    func damagedStatus() throws {
        let member = try EtcdMember()
        let place = Place(member: member)
        let server = try place.server()
        let client = try HTTPClient(server.url)
        try client.send("PUT", "/v1/sessions/s", json: Self.body).expecting(201)
        let revision = try #require(try write(1, client)[header: "Traitd-Revision"])
        #expect(try place.status().json["compactedRevision"] == 0)
        let uid = try #require(try client.get("/v1/sessions/s").json["uid"]?.string)
        let log = try EtcdLog(place.options)
        try log.compactNow()
        let compacted = try place.status()
        #expect(compacted.exit == .code(0), "\(compacted.json)")
        #expect(compacted.json["compactedRevision"] == compacted.json["revision"])
        #expect(compacted.json["commitBytes"].map { $0 != 0 } == true && revision == "2")
        // An unreadable list of snapshots is no empty one.
        try log.put("\(place.prefix)/snapmeta/\(uid)", Array("none".utf8))
        let damaged = try place.status()
        #expect(damaged.exit == .code(65), "\(damaged.json)")
        #expect(damaged.json["refused"]?[0]?["session"] == "s")
        // A server that starts serves the rest.
        let later = try place.server()
        let refused = try HTTPClient(later.url).get("/v1/sessions/s")
        #expect(refused.status == 503, "\(refused)")
        #expect(try refused.json["code"] == "session-diverged")
        later.child.stop()
        server.child.stop()
        try member.remove()
    }

    @Test("The name of a server stands in the status, the metrics and the server's log")
    func namedServer() throws {
        let place = Place(member: try EtcdMember.shared.get())
        let server = try TraitdProcess(place.arguments + ["--replica-id", "traitd-0.a_B"])
        let client = try HTTPClient(server.url)
        try eventually("the name") { try place.status().json["replicas"] == ["traitd-0.a_B"] }
        #expect(try place.run(["log", "status"]).out.contains("servers   traitd-0.a_B\n"))
        let metrics = String(decoding: try client.get("/metrics").body, as: UTF8.self)
        #expect(metrics.contains("traitd_replica_info{replica=\"traitd-0.a_B\"} 1\n"))
        let used = try place.run(["log", "adopt"], ["--yes"])
        #expect(used.error.contains("servers use the log: traitd-0.a_B."), "\(used)")
        server.child.stop()
        #expect(server.child.standardError.contains("replica=\"traitd-0.a_B\""))
    }

    @Test("A prefix without sessions is no log to export and check, unless that is allowed")
    func noSessions() throws {
        let place = Place(member: try EtcdMember.shared.get())
        for command in ["export", "check"] {
            let run = try place.run([command])
            #expect(run.exit == .code(66) && run.error.contains(place.prefix), "\(run)")
            #expect(run.out.isEmpty)
            #expect(try place.run([command], ["--allow-empty"]).exit == .code(0))
            #expect(
                try TraitdProcess.run([command, "--data-dir=x", "--allow-empty"]).exit == .code(64))
        }
        #expect(try place.status().json["epoch"] == .null)
    }

    @Test("A server started with --refuse serves the other sessions")
    func refusing() throws {
        let place = Place(member: try EtcdMember.shared.get())
        let server = try place.server()
        let client = try HTTPClient(server.url)
        for name in ["s", "t"] {
            try client.send("PUT", "/v1/sessions/\(name)", json: Self.body).expecting(201)
        }
        _ = try write(1, client)
        let uid = try #require(try client.get("/v1/sessions/s").json["uid"]?.string)
        let other = try TraitdProcess(
            place.arguments + ["--drain-window", "0", "--refuse", "\(uid):2", "--refuse", "x:1"])
        let reader = try HTTPClient(other.url)
        let refused = try reader.get("/v1/sessions/s")
        #expect(try refused.status == 503 && refused.json["code"] == "session-diverged")
        try reader.get("/v1/sessions/t").expecting(200)
        try reader.get("/readyz").expecting(200)
        for process in [server, other] { process.child.stop() }
        #expect(other.child.standardError.contains("--refuse"))
    }

    // MARK: - Importing

    @Test("An imported session appears on servers that run; a name that is taken adds nothing")
    func importing() throws {
        let place = Place(member: try EtcdMember.shared.get())
        let servers = [try place.server(), try place.server()]
        let clients = try servers.map { try HTTPClient($0.url) }
        try clients[0].send("PUT", "/v1/sessions/s", json: Self.body).expecting(201)
        try clients[0].send("PUT", "/v1/sessions/t", json: Self.body).expecting(201)
        _ = try write(5, clients[1])
        let uid = try clients[0].get("/v1/sessions/s").json["uid"]
        let file = NSTemporaryDirectory() + "traitd-backup-\(UUID().uuidString)"
        defer { _ = unlink(file) }
        let backup = try TraitdProcess.run([
            "backup", "--port", "\(servers[0].port)", "--output", file,
        ])
        #expect(backup.exit == .code(0), "\(backup)")
        let taken = try place.run(["import"], [file])
        #expect(taken.exit == .code(73), "\(taken)")
        #expect(
            taken.error == "traitd: there is a session 's' already. No session was added\n")
        try clients[0].send("DELETE", "/v1/sessions/s").success()
        // "t" is still there, so "s" is not added either.
        #expect(try place.run(["import"], [file]).exit == .code(73))
        #expect(try clients[1].get("/v1/sessions/s").status == 404)
        let added = try place.run(["import", "--session", "s"], [file])
        #expect(added.exit == .code(0), "\(added)")
        for client in clients {
            let found = try client.get("/v1/sessions/s")
            #expect(try found.status == 200 && found.json["revision"] == 2, "\(found)")
            #expect(try found.json["uid"] != uid)
            let listed = try client.get("/v1/sessions").json["sessions"]?.array
            #expect(listed?.compactMap { $0["name"]?.string } == ["s", "t"])
            let read = try client.get("/v1/sessions/s/nodes/root/traits/theme")
            #expect(try read.json["value"] == 5, "\(read)")
        }
        #expect(try write(6, clients[0])[header: "Traitd-Revision"] == "3")
        #expect(
            try clients[1].get("/v1/sessions/s/nodes/root/traits/theme").json["value"] == 6)
        #expect(
            try TraitdProcess.run(["import", "--session", "none"] + place.arguments + [file]).exit
                == .code(65))
    }

    @Test("An import and an adoption that are killed in the middle can be run again")
    func killed() throws {
        let place = Place(member: try EtcdMember.shared.get())
        let folder = NSTemporaryDirectory() + "traitd-killed-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try TraitdProcess(["--data-dir", folder, "--drain-window", "0"])
        let client = try HTTPClient(server.url)
        for number in 0..<100 {
            try client.send("PUT", "/v1/sessions/s\(number)", json: Self.body).expecting(201)
        }
        let file = folder + "/backup"
        let backup = try TraitdProcess.run([
            "backup", "--port", "\(server.port)", "--output", file,
        ])
        #expect(backup.exit == .code(0), "\(backup)")
        let log = try EtcdLog(place.options)
        func kill(_ command: [String], _ more: [String], at key: String, _ count: Int) throws {
            let child = try ChildProcess(
                TraitdProcess.binary, command + place.arguments + more)
            try eventually("\(command)") {
                try log.values(place.prefix + key).count >= count
            }
            child.signal(SIGKILL)
            #expect(try child.waitForExit() == .signal(SIGKILL))
        }
        try kill(["import"], [file], at: "/garbage/", 20)
        #expect(try place.status().json["sessions"]?["live"] == 0)
        #expect(try place.run(["import"], [file]).exit == .code(0))
        #expect(try place.status().json["sessions"]?["live"] == 100)
        let before = try log.values(place.prefix + "/name/").map(\.value)

        try kill(["log", "adopt"], ["--yes"], at: "/garbage/", 1)
        let (exit, json) = try place.status()
        #expect(exit == .code(65) && json["restoreSuspected"] == true, "\(json)")
        #expect(json["sessions"]?["live"] == 100)
        let refused = try TraitdProcess.run(["--port", "0"] + place.arguments)
        #expect(refused.exit == .code(65), "\(refused)")
        #expect(refused.error.contains("traitd log adopt"), "\(refused.error)")
        let adopted = try place.run(["log", "adopt"], ["--yes"])
        #expect(adopted.exit == .code(0), "\(adopted)")
        #expect(adopted.out.split(separator: "\n").count == 100)
        #expect(try place.status().exit == .code(0))
        #expect(try log.values(place.prefix + "/garbage/").isEmpty)
        #expect(try log.values(place.prefix + "/snap/").count == 100)
        let after = try log.values(place.prefix + "/name/").map(\.value)
        #expect(after.count == 100 && Set(after).isDisjoint(with: before))
        #expect(try place.run(["check"]).exit == .code(0))
    }

    // MARK: - Adopting

    enum Restore: CaseIterable { case copy, snapshot, otherCluster }

    @Test(
        "After a restore servers end with 65, and adopted sessions take nothing of lost commits",
        .enabled(if: EtcdMember.hasControl), arguments: Restore.allCases)
    func restored(restore: Restore) throws {
        let member = try EtcdMember()
        let place = Place(member: member)
        let server = try place.server()
        var client = try HTTPClient(server.url)
        try client.send("PUT", "/v1/sessions/s", json: Self.body).expecting(201)
        for value in 1...3 as ClosedRange<Int64> { _ = try write(value, client) }
        if restore == .copy { try member.save() } else { try member.saveSnapshot() }
        // The member was away for it, and on a busy machine for longer than a write waits.
        try eventually("etcd is back") { try client.get("/v1/sessions/s").status == 200 }
        for value in 4...9 as ClosedRange<Int64> { _ = try write(value, client) }
        // Of a commit that will be lost.
        let key = [HTTPField("Idempotency-Key", "lost")]
        let target = "/v1/sessions/s/nodes/root/overrides/theme"
        try client.send("PUT", target, json: ["value": 10], fields: key).expecting(200)
        let lost = try client.get("/v1/sessions/s")
        let tag = try #require(lost[header: "ETag"])
        let poll = try client.get("/v1/sessions/s/events?from=start&wait=1s")
        let token = try #require(try poll.json["records"]?.array?.last?["token"]?.string)
        switch restore {
        case .copy: try member.restore()
        case .snapshot: try member.restoreSnapshot()
        case .otherCluster: try member.restoreSnapshot(token: "another")
        }
        // A read has the server look at etcd, where the next sweep would.
        do { _ = try client.get("/v1/sessions/s") } catch {}
        #expect(try server.child.waitForExit(within: .seconds(30)) == .code(65))
        #expect(server.child.standardError.contains("traitd log adopt"))

        if restore == .otherCluster {
            let refused = try TraitdProcess.run(["--port", "0"] + place.arguments)
            #expect(refused.exit == .code(65) && refused.error.contains("traitd log adopt"))
            let (exit, json) = try place.status()
            #expect(exit == .code(65) && json["restoreSuspected"] == true, "\(json)")
        }
        // etcd removes the name of a server that has died when its lease is over.
        let replicas = "\(place.prefix)/replica"
        _ = try EtcdClient(place.options).ask(
            "/v3/kv/deleterange", EtcdRequest.delete(replicas + "/", end: replicas + "0"))
        let asked = try place.run(["log", "adopt"])
        #expect(asked.exit == .code(64) && asked.error.contains("--yes"), "\(asked)")
        let adopted = try place.run(["log", "adopt"], ["--yes"])
        #expect(adopted.exit == .code(0), "\(adopted)")

        let next = try place.server()
        client = try HTTPClient(next.url)
        let found = try client.get("/v1/sessions/s")
        #expect(try found.json["revision"] == 4 && found.json["uid"] != lost.json["uid"])
        let read = try client.get("/v1/sessions/s/nodes/root/traits/theme")
        #expect(try read.json["value"] == 3, "\(read)")
        // New commits get the numbers of lost ones.
        for value in 4...9 as ClosedRange<Int64> { _ = try write(value, client) }
        let matched = [HTTPField("If-Match", tag)]
        #expect(
            try client.send("PUT", target, json: ["value": 1], fields: matched).status == 412)
        let resumed = try client.get("/v1/sessions/s/events?wait=1s&from=\(token)")
        #expect(resumed.status == 410, "\(resumed)")
        let repeated = try client.send("PUT", target, json: ["value": 10], fields: key)
        #expect(repeated.status == 200 && repeated[header: "Idempotency-Replayed"] == nil)
        #expect(try place.status().exit == .code(0))
        next.child.stop()
        try member.remove()
    }

    @Test("An adoption refuses a log that a registered server uses")
    func usedLog() throws {
        let place = Place(member: try EtcdMember.shared.get())
        let log = try EtcdLog(place.options)
        try log.put("\(place.prefix)/replica/r1", [])
        let used = try place.run(["log", "adopt"], ["--yes"])
        #expect(used.exit == .code(73) && used.error.contains("servers use the log: r1"), "\(used)")
        #expect(try place.status().json["replicas"] == ["r1"])
        let none = try TraitdProcess.run([
            "log", "adopt", "--log", "etcd=\(place.member.url)", "--log-prefix", "/none",
        ])
        #expect(none.exit == .code(73) && none.error.contains("there is no log"), "\(none)")
    }
}
