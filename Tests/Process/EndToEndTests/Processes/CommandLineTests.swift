// `traitd` on the command line: what it prints, and the status it ends with.

import ArgumentParser
import Foundation
import TestSupport
import Testing
import TraitService

@testable import traitd

@Suite("The command line")
struct CommandLineTests {
    @Test("--version says the version and ends well")
    func version() throws {
        let run = try TraitdProcess.run(["--version"])
        #expect(run.exit == .code(0))
        #expect(run.out.contains(#/^(traitd )?[0-9]+\.[0-9]+\.[0-9]+\n$/#), "\(run.out)")
        let json = try TraitdProcess.run(["--version", "--json"])
        #expect(json.out == "{\"version\":\"\(Version.current)\"}\n", "\(json)")
        let server = try sharedServer()
        let served = try HTTPClient(server.url).get("/version").json["version"]?.string ?? "?"
        #expect(run.out.contains(served))
    }

    @Test("A word that is no command is named, with the command that was probably meant")
    func unknownCommand() throws {
        for (arguments, found) in [
            (["serv"], "'serv' is no command of traitd. Did you mean serve?"),
            (["help", "chekc"], "Did you mean check?"), (["xyzzy"], "traitd --help"),
            (["token", "lst"], "'lst' is no command of traitd token. Did you mean list?"),
            (["log", "stats", "--json"], "Did you mean status?"),
            (["serve", "--prot", "1"], "Did you mean '--port'?"),
        ] {
            let run = try TraitdProcess.run(arguments)
            #expect(run.exit == .code(64) && run.error.contains(found), "\(run)")
        }
        #expect(try TraitdProcess.run(["help", "serve"]).exit == .code(0))
    }

    @Test("No password in an address is taken or shown, whichever source gives it")
    func passwords() throws {
        for arguments in [
            ["serve", "--log=etcd=http://user:secret@127.0.0.1:1"],
            ["serve", "--print-config", "--log=etcd=http://user:secret@127.0.0.1:1"],
            ["check", "--log=etcd=https://user:secret@127.0.0.1:1"],
            ["serve", "--listen=user:secret@127.0.0.1:1"],
            ["serve", "--allow-origin=https://user:secret@h"],
            ["top", "--server=http://user:secret@127.0.0.1:1"],
            ["healthcheck", "--server=user:secret@127.0.0.1:1"],
        ] {
            let run = try TraitdProcess.run(arguments)
            #expect(run.exit != .code(0) && !(run.out + run.error).contains("secret"), "\(run)")
        }
        let run = try TraitdProcess.run(
            ["serve"], environment: ["TRAITD_LOG": "etcd=http://user:secret@127.0.0.1:1"])
        #expect(run.error.contains("--log-password-file"), "\(run)")
        #expect(!run.error.contains("secret"), "\(run)")
    }

    @Test("--help explains the options")
    func help() throws {
        let run = try TraitdProcess.run(["serve", "--help"])
        #expect(run.exit == .code(0))
        GoldenFile("help-serve", of: "Process/EndToEndTests").verify(run.out)
        #expect(run.out.matches(of: #/\n  (-h, )?--[a-z]/#).count <= 55)
    }

    /// How the options are refused, in this process: a start takes a while in a debug build.
    private func refusal(
        of options: any ParsableArguments.Type, _ arguments: [String]
    ) -> (status: Int32, message: String)? {
        do {
            _ = try options.parse(arguments)
            return nil
        } catch {
            return (options.exitCode(for: error).rawValue, options.message(for: error))
        }
    }

    @Test("A limit beyond what it may be ends with a usage error that says how far it goes")
    func limits() throws {
        let run = try TraitdProcess.run(["--port", "0", "--shards=0"])
        #expect(run.exit == .code(64) && run.error.contains("--shards goes from "), "\(run)")
        for option in ["--backlog", "--shards", "--unix-mode", "--listen"] {
            let numbers = option == "--unix-mode" ? [] : ["-1", "9223372036854775808"]
            for value in numbers + ["8a"] {
                let (status, message) = refusal(of: Serve.self, ["\(option)=\(value)"]) ?? (0, "")
                #expect(status == 64 && message.contains(option), "\(option) \(value): \(message)")
            }
        }
        #expect(LimitOptions.settable.count > 30)
        // The same code reads all limits, and a refusal takes some 50 ms.
        for index in stride(from: 0, to: LimitOptions.settable.count, by: 6) {
            let limit = LimitOptions.settable[index]
            let bounds = try #require(limit.bounds)
            let option = "--limit \(limit.settingName)"
            for value in ["0", "-1", "9223372036854775808", "\(bounds.upperBound + 1)"] {
                let (status, message) =
                    refusal(of: LimitOptions.self, ["--limit", "\(limit.settingName)=\(value)"])
                    ?? (0, "")
                let words = "\(option) goes from \(bounds.lowerBound) to \(bounds.upperBound)."
                #expect(status == 64 && message == words, "\(message)")
            }
            for value in [bounds.lowerBound, bounds.upperBound, limit.get(AllLimits())] {
                let options = try LimitOptions.parse(["--limit=\(limit.settingName)=\(value)"])
                #expect(limit.get(options.limits) == value, "\(option)")
            }
        }
    }

    @Test(
        "A limit that is none, has no number or is an option of its own is refused with what to write"
    )
    func limitForm() throws {
        func notWhole(_ value: String) -> String {
            "--limit nodes-max takes a whole number from 1 to 16777213, not '\(value)'."
        }
        for (text, words) in [
            ("nodes-mx=3", "--limit: 'nodes-mx' is no limit. Did you mean nodes-max?"),
            ("nodesMax=3", "--limit: 'nodesMax' is no limit. Did you mean nodes-max?"),
            ("xyzzy=3", "--limit: 'xyzzy' is no limit."), ("=3", "--limit: '' is no limit."),
            ("port=3", "--limit: 'port' is no limit."),
            ("depth-max=3", "--limit: 'depth-max' is a constant."),
            ("nodes-max", "--limit takes name=value, as nodes-max=1000, not 'nodes-max'."),
            ("", "--limit takes name=value, as nodes-max=1000, not ''."),
            ("nodes-max=x", notWhole("x")), ("nodes-max=", notWhole("")),
            ("nodes-max=1=2", notWhole("1=2")), ("nodes-max=1e30", notWhole("1e30")),
            ("nodes-max=1.5", notWhole("1.5")), ("nodes-max=\u{301}1", notWhole("\u{301}1")),
        ] {
            let (status, message) = refusal(of: LimitOptions.self, ["--limit", text]) ?? (0, "")
            #expect(status == 64 && message == words, "\(text): \(message)")
        }
        for arguments in [
            ["--limit", "nodes-mx=3"], ["serve", "--nodes-max", "5"], ["--nodes-max=5"],
            ["--check-config", "--nodes-max", "5"],
        ] {
            let run = try TraitdProcess.run(arguments)
            let words =
                arguments.contains("--limit")
                ? "'nodes-mx' is no limit. Did you mean nodes-max?"
                : "Error: Unknown option '--nodes-max'. Write --limit nodes-max=5."
            #expect(run.exit == .code(64) && run.error.contains(words), "\(run)")
        }
    }

    @Test("Options of a shared log that do not fit together or are malformed say what to give")
    func sharedLog() throws {
        let log = "--log=etcd=http://127.0.0.1:2379"
        let cases: [([String], String)] = [
            (["--log=redis=x"], "--log takes etcd= and URLs"),
            (["--log=etcd=127.0.0.1:2379"], "'127.0.0.1:2379' is no URL of a member of etcd"),
            (["--log=etcd=http://a:1,"], "'' is no URL of a member of etcd"),
            (["--log=etcd=http://a:1/v3"], "and no path"),
            (["--log=etcd=http://a:1//"], "and no path"),
            (["--log-prefix=/x"], "--log-prefix goes with --log"),
            ([log, "--log-prefix=x"], "--log-prefix begins with a slash"),
            ([log, "--log-cert=a"], "--log-cert and --log-key go together"),
            ([log, "--log-user=a"], "--log-user and --log-password-file go together"),
            ([log, "--log-deadline=5"], "it goes from 100ms to 10m"),
            ([log, "--log-compaction=1s"], "it goes from 1m to 1440m, or is off"),
            ([log, "--log-bytes-max=1"], "--log-bytes-max begins at 16777216"),
        ]
        for (arguments, words) in cases {
            let (status, message) = refusal(of: SharedLogOptions.self, arguments) ?? (0, "")
            #expect(status == 64 && message.contains(words), "\(arguments): \(message)")
        }
        #expect(refusal(of: Serve.self, ["--log=etcd=http://a:1/,https://b:2/"]) == nil)
        for refuse in ["a", "a:", ":1", "a:0", "a:x", "a:1:2"] {
            #expect(refusal(of: Serve.self, [log, "--refuse=\(refuse)"])?.status == 64)
        }
        for option in [
            "--ready-without-log", "--read-consistency=local", "--refuse=a:1", "--replica-id=a",
        ] {
            let alone = refusal(of: Serve.self, [option])
            #expect(alone?.message.contains("goes with --log.") == true, "\(option)")
        }
        for name in ["-a", "a b", "a/b", "é", String(repeating: "a", count: 65)] {
            let (status, message) =
                refusal(of: ReplicaOptions.self, ["--replica-id=\(name)"]) ?? (0, "")
            let words = "--replica-id has 1 to 64 letters"
            #expect(status == 64 && message.contains(words), "\(name): \(message)")
        }
        #expect(refusal(of: ReplicaOptions.self, ["--replica-id="])?.status == 64)
        let long = String(repeating: "a", count: 64)
        #expect(refusal(of: Serve.self, [log, "--replica-id=\(long)"]) == nil)
        #expect(refusal(of: Serve.self, [log, "--read-consistency=weak"])?.status == 64)
        #expect(refusal(of: Serve.self, [log, "--read-consistency=local"]) == nil)
        let both = refusal(of: Serve.self, [log, "--data-dir=/nonexistent"])
        #expect(both?.message.contains("give one of them") == true)
        let unreachable = try TraitdProcess.run([
            "--port", "0", "--log", "etcd=http://127.0.0.1:1", "--log-deadline", "200ms",
        ])
        #expect(unreachable.exit == .code(73), "\(unreachable)")
        #expect(
            unreachable.error.contains("the log in etcd cannot be read: "), "\(unreachable.error)")
    }

    @Test("A limit that is given is kept, whichever layer it belongs to")
    func givenLimits() throws {
        let server = try TraitdProcess([
            "--limit", "body-bytes-max=2000", "--limit", "nodes-max=2", "--limit=sessions-max=1",
            "--limit", "connections-max=60", "--limit", "connections-max=50",
        ])
        let session = try SessionClient.make("narrow", on: server.url)
        try session.put("nodes/a", ["kind": "environment"])
        try session.put("nodes/b", ["kind": "environment", "parent": "a"])
        let third = try session.send("PUT", "nodes/c", ["kind": "environment", "parent": "a"])
        #expect(try expectProblem(third, 507, "quota")["limit"] == "nodesMax=2")
        let other = try HTTPClient(server.url).send("PUT", "/v1/sessions/other")
        #expect(try expectProblem(other, 507, "quota")["limit"] == "sessionsMax=1")
        let label = JSON.string(String(repeating: "a", count: 2_000))
        let long = try session.send("PUT", "nodes/a", ["kind": "environment", "label": label])
        #expect(try expectProblem(long, 413, "body-too-large")["limit"] == "bodyBytesMax=2000")
        let limits = try HTTPClient(server.url).get("/v1/server").expecting(200).json["limits"]
        #expect(limits?["connectionsMax"] == 50)
    }

    @Test("Several addresses and a socket file are served, and the file goes with the server")
    func addresses() throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("traitd-\(UUID().uuidString.prefix(8)).socket").path
        let server = try TraitdProcess(["--listen", "127.0.0.1:0", "--unix", path])
        #expect(try HTTPClient(server.url).get("/livez").status == 200)
        let second = try #require(try server.child.nextLine(before: Deadline(within: .seconds(30))))
        let url = try #require(second.text.split(separator: " ").last)
        #expect(try HTTPClient(String(url)).get("/livez").status == 200)
        let healthy = try TraitdProcess.run(["healthcheck", "--unix", path])
        #expect(healthy.exit == .code(0), "\(healthy.error)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? NSNumber == 0o600)
        server.child.stop()
        #expect(try server.child.waitForExit() == .code(0))
        #expect(!FileManager.default.fileExists(atPath: path))
        let gone = try TraitdProcess.run(["healthcheck", "--unix", path])
        #expect(gone.exit == .code(1), "\(gone.error)")
    }

    @Test("An address for health answers that alone, and says where the rest is")
    func healthAddress() throws {
        let server = try TraitdProcess([
            "--health-listen", "127.0.0.1:0", "--limit", "connections-max=1",
        ])
        let line = try #require(try server.child.nextLine(before: Deadline(within: .seconds(30))))
        #expect(line.text.contains(" serving health on http://"))
        let url = String(try #require(line.text.split(separator: " ").last))
        let idle = try RawConnection(port: server.port)
        try idle.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try idle.read { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n{") }
        let probe = try HTTPClient(url)
        for _ in 0..<3 {
            #expect(try probe.get("/livez").status == 200)
            #expect(try probe.get("/readyz").status == 200)
            for path in ["/v1/sessions", "/nothing"] {
                let problem = try expectProblem(try probe.get(path), 404, "unknown-route")
                #expect(problem["detail"]?.string?.contains(server.url) == true)
            }
        }
        let port = String(try #require(url.split(separator: ":").last))
        let healthy = try TraitdProcess.run(["healthcheck", "--port", port])
        #expect(healthy.exit == .code(0), "\(healthy.error)")
        withExtendedLifetime(idle) {}
    }

    @Test("An unknown option and a bad value end with a usage error and say why")
    func usage() throws {
        for arguments in [["--prot", "0"], ["--port", "70000"], ["--port", "x"]] {
            let run = try TraitdProcess.run(arguments)
            #expect(run.exit == .code(64), "\(arguments)")
            #expect(run.error.contains(arguments[0]), "\(run.error)")
        }
    }

    @Test("A port that is in use ends the start with a message that names it")
    func portInUse() throws {
        let server = try sharedServer()
        let run = try TraitdProcess.run(["--port", "\(server.port)"])
        guard case .code(let code) = run.exit else {
            Issue.record("ended with \(run.exit)")
            return
        }
        #expect(code != 0)
        #expect(run.error.contains("\(server.port)"), "\(run.error)")
        #expect(run.error.lowercased().contains("in use"), "\(run.error)")
    }

    @Test("healthcheck succeeds against a server that is ready and fails against none")
    func healthcheck() throws {
        let server = try TraitdProcess()
        let healthy = try TraitdProcess.run(["healthcheck", "--port", "\(server.port)"])
        #expect(healthy.exit == .code(0), "\(healthy.error)")
        server.child.stop()
        #expect(try server.child.waitForExit() == .code(0))
        let gone = try TraitdProcess.run(["healthcheck", "--port", "\(server.port)"])
        #expect(gone.exit == .code(1), "\(gone.error)")
        #expect(!(gone.out + gone.error).isEmpty)
    }

    @Test("Beyond loopback it does not bind without being told so")
    func anonymous() throws {
        for arguments in [
            ["--host", "0.0.0.0"], ["--host", "127.other.example"], ["--listen", "[::]:0"],
        ] {
            let run = try TraitdProcess.run(["--port", "0"] + arguments)
            #expect(run.exit != .code(0))
            #expect(run.error.contains("--allow-anonymous"), "\(run.error)")
        }
    }
}
