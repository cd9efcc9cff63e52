// The binary with tokens: what it refuses to start with, and what SIGHUP does.

import Foundation
import TestSupport
import Testing

@Suite("Tokens of the command")
struct TokenProcessTests {
    private static func folder() throws -> String {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("traitd-command-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private static func make(_ file: String, _ name: String, _ more: [String]) throws -> String {
        let made = try TraitdProcess.run(
            ["token", "new", "--tokens", file, "--name", name] + more)
        #expect(made.exit == .code(0), "\(made.error)")
        return made.out.trimmingCharacters(in: .newlines)
    }

    @Test("Options that contradict each other, and files that cannot be believed, end the start")
    func refused() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/tokens"
        _ = try Self.make(file, "a", ["--allow", "read"])
        let open = folder + "/open"
        try FileManager.default.copyItem(atPath: file, toPath: open)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open)
        let cases: [([String], String)] = [
            (["--tokens", file, "--allow-anonymous"], "--allow-anonymous"),
            (["--unix-trust"], "--tokens"), (["--tokens", file, "--allow-origin", "*"], "origins"),
            (["--allow-origin", "https://a/"], "no origin"), (["--allow-host", "a:80"], "no host"),
            (["--trusted-proxy", "10/8"], "--trusted-proxy"), (["--host", "0.0.0.0"], "--tokens"),
            (["--tokens", open], "chmod 600"), (["--tokens", folder], "regular file"),
            (["--tokens", folder + "/none"], "none"),
        ]
        for (arguments, hint) in cases {
            let ended = try TraitdProcess.run(["serve", "--port", "0"] + arguments)
            #expect(ended.exit != .code(0), "\(arguments)")
            #expect(ended.error.contains(hint), "\(arguments): \(ended.error)")
        }
        for arguments in [
            ["--name", "", "--allow", "read"], ["--name", "a\"", "--allow", "read"],
            ["--name", "a", "--allow", "all"],
            ["--name", "a", "--allow", "read", "--sessions", "a/b"],
            ["--name", "a", "--allow", "read", "--expires", "0d"],
        ] {
            let ended = try TraitdProcess.run(["token", "new", "--tokens", file] + arguments)
            #expect(ended.exit != .code(0), "\(arguments)")
            #expect(ended.out.isEmpty, "\(arguments)")
        }
    }

    @Test("SIGHUP takes over the file; a bad one is reported and changes nothing")
    func reload() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/tokens"
        let first = try Self.make(file, "first", ["--allow", "write", "--sessions", "team-*"])
        let server = try TraitdProcess(["--tokens", file])
        let client = try HTTPClient(server.url)
        func status(_ token: String) throws -> Int {
            try client.get(
                "/v1/whoami", fields: [HTTPField("Authorization", "Bearer \(token)")]
            ).status
        }
        func wait(for wanted: Int, _ token: String) throws {
            let deadline = Deadline(within: .seconds(20))
            while try status(token) != wanted {
                if deadline.hasPassed { throw TimedOut("\(wanted)") }
            }
        }
        #expect(try status(first) == 200)
        let second = try Self.make(file, "second", ["--allow", "read", "--expires", "90d"])
        #expect(try status(second) == 401)
        server.child.signal(SIGHUP)
        try wait(for: 200, second)
        let good = try String(contentsOfFile: file, encoding: .utf8)
        try (good + "{}\n").write(toFile: file, atomically: false, encoding: .utf8)
        server.child.signal(SIGHUP)
        let deadline = Deadline(within: .seconds(20))
        while !server.child.standardError.contains("not reread") {
            if deadline.hasPassed { throw TimedOut("a report of the bad file") }
            #expect(try status(first) == 200)
        }
        #expect(server.child.standardError.contains("line 3"))
        try good.write(toFile: file, atomically: false, encoding: .utf8)
        let third = try Self.make(file, "third", ["--allow", "read"])
        server.child.signal(SIGHUP)
        try wait(for: 200, third)
        #expect(try status(first) == 200)
        let accessor = String(first.dropFirst(7).prefix(8))
        let list = try TraitdProcess.run(["token", "list", "--tokens", file])
        #expect(list.out.contains("\(accessor) write team-*"))
        #expect(list.out.contains("expires="))
        #expect(
            try TraitdProcess.run(["token", "revoke", "--tokens", file, accessor]).exit == .code(0))
        server.child.signal(SIGHUP)
        try wait(for: 401, first)
        #expect(try status(second) == 200)
    }
}
