// Standard output on a full disk: each command ends with 74 and a sentence, and nothing that it printed is lost silently.

import Foundation
import TestSupport
import Testing

@Suite("Output onto a full disk")
struct FullOutputTests {
    /// Runs a command with standard output on `/dev/full`.
    private static func run(_ arguments: [String]) throws -> (ChildProcess.Exit, String) {
        let words = ([TraitdProcess.binary] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let child = try ChildProcess("/bin/sh", ["-c", "exec \(words) > /dev/full"])
        return (try child.waitForExit(within: .seconds(60)), child.standardError)
    }

    @Test("Commands end with 74 and say why")
    func commands() throws {
        try withTemporaryFolder { folder in
            let data = folder + "/data"
            let server = try TraitdProcess(["--data-dir", data])
            let session: JSON = ["nodes": [.node("n", "view")]]
            try HTTPClient(server.url).send("PUT", "/v1/sessions/s", json: session).expecting(201)
            let file = folder + "/s.json"
            try Data(#"{"name":"s","nodes":[{"id":"m","kind":"view"}]}"#.utf8)
                .write(to: URL(filePath: file))
            let port = ["--port", server.url.split(separator: ":").last.map(String.init) ?? ""]
            var failed: [([String], (ChildProcess.Exit, String))] = []
            func check(_ arguments: [String]) throws {
                let (exit, error) = try Self.run(arguments)
                let isSaid = error.contains("cannot write standard output: No space left on device")
                if exit != .code(74) || !isSaid { failed.append((arguments, (exit, error))) }
            }
            for arguments in [
                ["--version"], ["--help"], ["serve", "--print-config"],
                ["serve", "--generate-completion-script", "bash"], ["render", file],
                ["healthcheck"] + port, ["top", "--once"] + port, ["top", "--json"] + port,
                ["apply", "-f", file] + port, ["apply", "-f", file, "--json"] + port,
                ["backup", "--output", folder + "/backup"] + port,
                ["backup", "--output", "-"] + port,
            ] { try check(arguments) }
            server.child.stop()
            _ = try server.child.waitForExit()
            for arguments in [
                ["check", "--data-dir", data], ["export", "--data-dir", data],
                ["recover", "--data-dir", data, "--to", folder + "/new"],
                ["import", "--data-dir", folder + "/imported", folder + "/backup"],
            ] { try check(arguments) }
            #expect(failed.isEmpty, "\(failed)")
            #expect(!FileManager.default.fileExists(atPath: folder + "/new"))
        }
    }

    @Test("No token is kept whose secret was not written")
    func tokens() throws {
        try withTemporaryFolder { folder in
            let file = folder + "/tokens"
            let new = ["token", "new", "--tokens", file, "--name", "a", "--allow", "read"]
            #expect(try Self.run(new).0 == .code(74))
            #expect(!FileManager.default.fileExists(atPath: file))
            let made = try TraitdProcess.run(new)
            #expect(made.exit == .code(0), "\(made.error)")
            let before = try Data(contentsOf: URL(filePath: file))
            let accessor = String(made.out.dropFirst(7).prefix(8))
            for arguments in [
                new, ["token", "rotate", "--tokens", file, accessor],
                ["token", "list", "--tokens", file],
            ] {
                let (exit, error) = try Self.run(arguments)
                #expect(exit == .code(74) && error.contains("No space left"), "\(error)")
                #expect(try Data(contentsOf: URL(filePath: file)) == before)
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.sorted() == ["tokens", "tokens.lock"])
        }
    }
}
