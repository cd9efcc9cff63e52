// Servers that are killed while they apply an entry of a log in etcd, and start again with what their crash mark has.

import Foundation
import TestSupport
import Testing

@Suite(
    "Crash marks of servers", .enabled(if: EtcdMember.isInstalled))
struct CrashMarkFileTests {
    /// A file that is removed at the end.
    private final class MarkFile {
        let path = NSTemporaryDirectory() + "traitd-mark-\(UUID().uuidString)"
        deinit { unlink(path) }

        var arguments: [String] { ["--crash-mark", path, "--drain-window", "0"] }
        private var words: [UInt64] {
            let data = FileManager.default.contents(atPath: path) ?? Data()
            return data.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
        }

        /// Whether a process that has found so many crashes in the file applies an entry or a snapshot of the session.
        func names(_ uid: String, after crashes: UInt64 = 0) -> Bool {
            let words = words
            guard words.count == 512, words[2] != 0, words[9 * 8] >> 32 == crashes else {
                return false
            }
            return (1...8).contains { slot in
                let text = words[slot * 8 + 2..<slot * 8 + 4].withUnsafeBytes { Array($0) }
                return words[slot * 8] != 0 && String(decoding: text, as: UTF8.self).hasPrefix(uid)
            }
        }

        /// Whether a process has the file, and has not ended in order.
        var isInUse: Bool { words.count == 512 && words[2] != 0 }
    }

    private static func body(nodes: Int) -> JSON {
        [
            "traits": ["theme": ["type": "int", "default": 0]],
            "nodes": .array(
                (0..<nodes).map { ["id": .string("n\($0)"), "kind": "environment"] }),
        ]
    }

    @Test("An entry at which a server is killed twice is refused, until the mark is deleted")
    func killedTwice() throws {
        let place = OperatingTests.Place(member: try EtcdMember.shared.get())
        let writer = try place.server()
        let client = try HTTPClient(writer.url)
        let large = Self.body(nodes: 40_000)
        try client.send("PUT", "/v1/sessions/large", json: large).expecting(201)
        try client.send("PUT", "/v1/sessions/small", json: Self.body(nodes: 1)).expecting(201)
        let uid = try #require(try client.get("/v1/sessions/large").json["uid"]?.string)
        let file = MarkFile()
        for crash in 1...2 as ClosedRange<UInt64> {
            let child = try ChildProcess(
                TraitdProcess.binary, ["--port", "0"] + place.arguments + file.arguments)
            try eventually("crash \(crash)") { file.names(uid, after: crash - 1) }
            child.signal(SIGKILL)
            #expect(try child.waitForExit() == .signal(SIGKILL))
            try #require(file.names(uid, after: crash - 1))
        }
        for _ in 0..<2 {
            let server = try TraitdProcess(place.arguments + file.arguments)
            let reader = try HTTPClient(server.url)
            let refused = try reader.get("/v1/sessions/large")
            #expect(refused.status == 503, "\(refused)")
            #expect(try refused.json["code"] == "session-diverged")
            let detail = try #require(try refused.json["detail"]?.string)
            #expect(detail.contains("has ended 2 times"), "\(detail)")
            try reader.get("/v1/sessions/small").expecting(200)
            let metrics = String(decoding: try reader.get("/metrics").body, as: UTF8.self)
            #expect(metrics.contains("traitd_replica_sessions_refused 1\n"))
            server.child.stop()
            #expect(!file.isInUse)
            let log = server.child.standardError
            #expect(log.contains("delete the file of --crash-mark"), "\(log)")
            #expect(log.contains("which is refused here"), "\(log)")
        }
        unlink(file.path)
        let server = try TraitdProcess(place.arguments + file.arguments)
        try HTTPClient(server.url).get("/v1/sessions/large").expecting(200)
        server.child.stop()
        writer.child.stop()
    }

    @Test("A server that was killed once while it applied an entry applies it at the next start")
    func killedOnce() throws {
        let place = OperatingTests.Place(member: try EtcdMember.shared.get())
        let writer = try place.server()
        let client = try HTTPClient(writer.url)
        let large = Self.body(nodes: 40_000)
        try client.send("PUT", "/v1/sessions/large", json: large).expecting(201)
        let uid = try #require(try client.get("/v1/sessions/large").json["uid"]?.string)
        let file = MarkFile()
        for _ in 0..<2 {
            let child = try ChildProcess(
                TraitdProcess.binary, ["--port", "0"] + place.arguments + file.arguments)
            try eventually("the application") { file.names(uid) }
            child.signal(SIGKILL)
            #expect(try child.waitForExit() == .signal(SIGKILL))
            let server = try TraitdProcess(place.arguments + file.arguments)
            try HTTPClient(server.url).get("/v1/sessions/large").expecting(200)
            server.child.stop()
            let log = server.child.standardError
            #expect(log.contains("which is tried again once"), "\(log)")
        }
        // An end on a signal is no crash, also in the middle of an application.
        for _ in 0..<3 {
            let child = try ChildProcess(
                TraitdProcess.binary, ["--port", "0"] + place.arguments + file.arguments)
            try eventually("the application") { file.names(uid) }
            child.signal(SIGTERM)
            _ = try child.waitForExit()
            #expect(!file.isInUse)
        }
        let server = try TraitdProcess(place.arguments + file.arguments)
        try HTTPClient(server.url).get("/v1/sessions/large").expecting(200)
        let log = server.child.standardError
        #expect(!log.contains("tried again once"), "\(log)")
        server.child.stop()
        writer.child.stop()
    }

    @Test("A file that is no crash mark, or another server's, ends the start with a message")
    func badFiles() throws {
        func start(_ path: String) throws -> (exit: ChildProcess.Exit, error: String) {
            let run = try TraitdProcess.run([
                "--port", "0", "--log", "etcd=http://127.0.0.1:1", "--log-deadline", "200ms",
                "--crash-mark", path,
            ])
            return (run.exit, run.error)
        }
        func expect(_ path: String, _ words: String) throws {
            let (exit, error) = try start(path)
            #expect(exit == .code(73) && error.contains(words), "\(path): \(error)")
        }
        let folder = NSTemporaryDirectory()
        try expect(folder, "Is a directory")
        try expect(folder + "/none/mark", "No such file or directory")
        try expect("/dev/null", "is no file")
        let pipe = folder + "traitd-pipe-\(UUID().uuidString)"
        mkfifo(pipe, 0o600)
        defer { unlink(pipe) }
        try expect(pipe, "is no file")
        try withTemporaryFile("{}") { path in
            try expect(path, "it has 2 bytes, and a crash mark has 4096; name another file")
            #expect(FileManager.default.contents(atPath: path) == Data("{}".utf8))
        }
        let text = String(repeating: "text", count: 1_024)
        try withTemporaryFile(text) { path in
            try expect(path, "its content is another program's")
            #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
        }
        let file = MarkFile()
        // Past the mark, etcd does not answer.
        try expect(file.path, "the log in etcd cannot be read")
        #expect(!file.isInUse)
        let descriptor = open(file.path, O_RDWR)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        try expect(file.path, "another process uses the crash mark")
        close(descriptor)
        try expect(file.path, "the log in etcd cannot be read")
    }
}
