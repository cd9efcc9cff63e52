// Small limits of open files: the process serves and ends as always, or says what it needs.

import Foundation
import TestSupport
import Testing

@Suite("Limits of open files")
struct OpenFileTests {
    /// With two shards.
    private static let least = 146

    @Test(
        "Below what it needs the process ends and says how much that is",
        arguments: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 20, 32, 64, 100, 128, 145])
    func tooFew(limit: Int) throws {
        let failure = #expect(throws: TraitdProcess.NotServing.self) {
            _ = try TraitdProcess(["--shards", "2"], ulimit: "-n \(limit)")
        }
        guard case .code(let code) = failure?.exit else {
            Issue.record("ended with \(String(describing: failure))")
            return
        }
        #expect(code != 0)
        let error = failure?.error ?? ""
        // With next to none the system's loader fails first, and says so.
        if limit < 8, !error.contains("critical") { return #expect(!error.isEmpty) }
        #expect(code == 69)
        #expect(error.split(separator: "\n").count == 1, "\(error)")
        for part in ["\(limit) files", "at least \(Self.least)", "ulimit -n"] {
            #expect(error.contains(part), "\(error)")
        }
    }

    @Test(
        "From there on it serves, with all connections taken too, and ends on SIGTERM",
        arguments: [146, 147, 157, 193, 256])
    func enough(limit: Int) throws {
        let server = try TraitdProcess(
            ["--shards", "2", "--drain-window", "0"], ulimit: "-n \(limit)")
        let request = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
        let connections = limit - Self.least + 16
        let idle = try (0..<connections).map { _ in
            let connection = try RawConnection(port: server.port)
            try connection.send(request)
            let answer = try connection.read {
                String(decoding: $0, as: UTF8.self).contains("\r\n\r\n{")
            }
            #expect(statusCodes(in: answer) == [200])
            return connection
        }
        #expect(try HTTPClient(server.url).get("/livez").status == 200)
        let other = try HTTPClient(server.url).get("/version")
        let problem = try expectProblem(other, 503, "too-many-connections")
        #expect(problem["limit"] == .string("connectionsMax=\(connections)"))
        server.child.signal(SIGTERM)
        #expect(try server.child.waitForExit() == .code(0))
        withExtendedLifetime(idle) {}
    }

    @Test("A limit that is lowered while the server runs does not end it: connections are closed")
    func lowered() throws {
        let server = try TraitdProcess(["--shards", "2", "--drain-window", "0"])
        let client = try HTTPClient(server.url)
        try client.get("/livez").expecting(200)
        let folder = "/proc/\(server.child.pid)/fd"
        let open = { try FileManager.default.contentsOfDirectory(atPath: folder).count }
        let allowed = try open() + 30
        let lowering = try ChildProcess(
            "/usr/bin/prlimit",
            ["--pid", "\(server.child.pid)", "--nofile=\(allowed):\(allowed)"])
        try #require(try lowering.waitForExit() == .code(0))
        // Without the room that the server keeps, Dispatch would find no descriptor within a second.
        let connections = try (0..<60).map { _ in try RawConnection(port: server.port) }
        let deadline = Deadline(within: .seconds(3))
        while !deadline.hasPassed { try client.get("/livez").expecting(200) }
        #expect(try open() <= allowed - 4)
        server.child.signal(SIGTERM)
        #expect(try server.child.waitForExit() == .code(0))
        withExtendedLifetime(connections) {}
    }

    @Test("The table of open files has its size before connections come")
    func table() throws {
        let server = try TraitdProcess(["--limit", "connections-max=3000"])
        let status = try String(
            contentsOfFile: "/proc/\(server.child.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("FDSize:") })
        #expect(try #require(Int(line.dropFirst(7).trimmingPrefix { $0.isWhitespace })) >= 3_000)
    }
}
