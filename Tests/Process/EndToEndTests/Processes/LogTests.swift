// Log files: what is written, and that SIGHUP lets go of one that was moved away.

import Foundation
import TestSupport
import Testing

@Suite("Log files")
struct LogTests {
    private func lines(_ path: String) -> [String] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Waits until a file has a line with `text`.
    private func wait(for text: String, in path: String) {
        let deadline = Deadline(within: .seconds(20))
        while !lines(path).contains(where: { $0.contains(text) }) {
            if deadline.hasPassed {
                Issue.record("\(path) has no line with '\(text)'")
                return
            }
            sched_yield()
        }
    }

    @Test(
        "Each answer has its line, also when the server ends at once, and SIGHUP opens the file anew"
    )
    func access() throws {
        try withTemporaryFolder { folder in
            let (access, log) = ("\(folder)/access.log", "\(folder)/traitd.log")
            let server = try TraitdProcess([
                "--access-log", "json", "--access-log-file", access, "--log-file", log,
                "--log-format", "json", "--drain-window", "0",
            ])
            let client = try HTTPClient(server.url)
            _ = try client.get("/livez?first")
            wait(for: "/livez", in: access)
            try FileManager.default.moveItem(atPath: access, toPath: access + ".1")
            try FileManager.default.moveItem(atPath: log, toPath: log + ".1")
            server.child.signal(SIGHUP)
            wait(for: "reread", in: log)
            _ = try client.get("/readyz")
            server.child.signal(SIGTERM)
            #expect(try server.child.waitForExit() == .code(0))
            #expect(lines(access).count == 1)
            #expect(lines(access).first?.contains(#""target":"/readyz""#) == true)
            #expect(lines(access + ".1").count == 1)
            #expect(server.child.standardError.isEmpty)
            for line in lines(log) + lines(log + ".1") + lines(access) {
                let value =
                    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                let time = value?["time"] as? String ?? ""
                #expect(
                    time.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil,
                    "\(line)")
            }
            let serving = lines(log + ".1").first { $0.contains(#""message":"serving""#) } ?? ""
            #expect(
                serving.contains(#""shards":"#) && !serving.contains(#""shards":""#), "\(serving)")
        }
    }

    @Test("A data directory that is removed is in the log, and its problem says so in plain words")
    func lostDirectory() throws {
        try withTemporaryFolder { folder in
            let (data, log) = ("\(folder)/data", "\(folder)/traitd.log")
            let server = try TraitdProcess([
                "--data-dir", data, "--log-file", log, "--log-format", "json",
                "--drain-window", "0",
            ])
            let client = try HTTPClient(server.url)
            try client.send("PUT", "/v1/sessions/demo", json: [:]).expecting(201)
            try FileManager.default.removeItem(atPath: data)
            let answer = try client.send("PUT", "/v1/sessions/other", json: [:]).expecting(503)
            let detail = try answer.json["detail"]?.string ?? ""
            #expect(detail.contains("removed or replaced"), "\(detail)")
            #expect(!detail.contains("LogFailure"), "\(detail)")
            wait(for: "the log takes no more commits", in: log)
            try client.get("/readyz").expecting(503)
            try client.get("/v1/sessions/demo").expecting(200)
        }
    }

    @Test("A log file that cannot be opened ends the start, and one that cannot be reopened stays")
    func failures() throws {
        let run = try TraitdProcess.run(["--port", "0", "--log-file", "/no/such/folder/log"])
        #expect(run.exit == .code(73))
        #expect(run.error.contains("/no/such/folder/log"), "\(run.error)")
        try withTemporaryFolder { folder in
            let inner = "\(folder)/inner"
            try FileManager.default.createDirectory(
                atPath: inner, withIntermediateDirectories: false)
            let server = try TraitdProcess([
                "--access-log", "text", "--access-log-file", "\(inner)/access.log",
                "--drain-window", "0",
            ])
            try FileManager.default.moveItem(atPath: inner, toPath: "\(folder)/moved")
            server.child.signal(SIGHUP)
            let deadline = Deadline(within: .seconds(20))
            while let line = try server.child.nextLine(before: deadline) {
                if line.text.contains("not reread") { break }
            }
            _ = try HTTPClient(server.url).get("/livez")
            wait(for: "GET \"/livez\" 200", in: "\(folder)/moved/access.log")
        }
        let pointless = try TraitdProcess.run(["--port", "0", "--access-log-file", "x"])
        #expect(pointless.exit == .code(64))
    }

    @Test("A name with a line end and an escape does not forge a line of the log")
    func forging() throws {
        let path = "/tmp/no\n2026-11-22T10:00:00.000Z info: forged\u{1b}[2J"
        for format in ["text", "json"] {
            let run = try TraitdProcess.run(
                ["--port", "0", "--log-format", format, "--load", path])
            #expect(run.exit == .code(66))
            #expect(run.error.split(separator: "\n").count == 1, "\(run.error)")
            #expect(!run.error.contains("\u{1b}"))
        }
    }

    @Test(
        "A pipe as a log file ends the start with a message, whether or not it has a reader",
        arguments: [true, false])
    func pipe(hasReader: Bool) throws {
        try withTemporaryFolder { folder in
            #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
            let reader = hasReader ? open("\(folder)/pipe", O_RDONLY | O_NONBLOCK) : -1
            defer { if reader >= 0 { close(reader) } }
            for option in [["--log-file"], ["--access-log", "json", "--access-log-file"]] {
                let run = try TraitdProcess.run(
                    ["serve", "--port", "0"] + option + ["\(folder)/pipe"])
                #expect(run.exit == .code(73), "\(run)")
                #expect(run.error.contains("is a pipe"), "\(run.error)")
            }
        }
    }

    @Test(
        "A standard stream and /dev/null may be named as a log file",
        arguments: ["/dev/stderr", "/dev/null"])
    func devices(path: String) throws {
        let server = try TraitdProcess(["--log-file", path, "--drain-window", "0"])
        try HTTPClient(server.url).get("/livez").expecting(200)
        server.child.signal(SIGTERM)
        #expect(try server.child.waitForExit() == .code(0))
        // A start that the signal finds at its very end ends with another line.
        #expect(server.child.standardError.contains("info: ended") == (path == "/dev/stderr"))
    }
}
