// Settings from options, the environment and a file: which wins, what is refused, and what is shown.

import Foundation
import TestSupport
import Testing

@testable import traitd

@Suite("Configuration")
struct ConfigurationTests {
    @Test("A flag in the environment takes the usual words in any case, and says which")
    func flags() throws {
        func run(_ value: String) throws -> (exit: ChildProcess.Exit, out: String, error: String) {
            let run = try TraitdProcess.run(
                ["serve", "--print-config"], environment: ["TRAITD_QUIET": value])
            return (run.exit, run.out, run.error)
        }
        let words =
            ["true", "1", "yes", "on", "YES", "On", "TRUE"].map { ($0, "true") }
            + ["false", "0", "no", "off", "NO", "Off", "False"].map { ($0, "false") }
        for (word, value) in words {
            let line = try run(word).out.split(separator: "\n").first { $0.hasPrefix("quiet ") }
            let columns = line?.split(separator: " ") ?? []
            #expect(columns.dropFirst().first.map(String.init) == value, "\(word): \(columns)")
        }
        for word in ["2", "y", "enabled", "yes please"] {
            let refusal = try run(word)
            #expect(refusal.exit == .code(64), "\(refusal)")
            #expect(
                refusal.error.contains(
                    "quiet takes true or false (also 1, yes, on, 0, no, off) in TRAITD_QUIET, not '\(word)'"
                ),
                "\(refusal.error)")
        }
    }

    /// Value and source of each setting that `--print-config` shows.
    private func shown(
        _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> [String: (value: String, source: String)] {
        let run = try TraitdProcess.run(
            ["serve", "--print-config"] + arguments, environment: environment)
        #expect(run.exit == .code(0), "\(run.error)")
        var settings: [String: (value: String, source: String)] = [:]
        for line in run.out.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
            guard words.count == 3 else {
                Issue.record("'\(line)' is not a name, a value and a source")
                continue
            }
            settings[words[0]] = (words[1], words[2])
        }
        return settings
    }

    @Test("An option wins over a variable, that over the file, and that over the default")
    func order() throws {
        try withTemporaryFile(
            #"{"port": 1111, "host": "::1", "streamsMax": 7, "sessionsMax": 7, "nodesMax": 7, "allowAnonymous": true}"#
        ) {
            path in
            let variables = [
                "TRAITD_PORT": "2222", "TRAITD_STREAMS_MAX": "8", "TRAITD_SESSIONS_MAX": "8",
            ]
            let all = try shown(["--config", path, "--limit", "streams-max=9"], variables)
            #expect(all["streamsMax"] ?? ("", "") == ("9", "option"))
            #expect(all["sessionsMax"] ?? ("", "") == ("8", "TRAITD_SESSIONS_MAX"))
            #expect(all["nodesMax"] ?? ("", "") == ("7", "\(path):1"))
            #expect(all["port"] ?? ("", "") == ("2222", "TRAITD_PORT"))
            #expect(all["host"] ?? ("", "") == ("::1", "\(path):1"))
            #expect(all["allowAnonymous"] ?? ("", "") == ("true", "\(path):1"))
            #expect(all["drainWindow"] ?? ("", "") == ("5", "default"))
            #expect(all["connectionsPerAddressMax"] ?? ("", "") == ("none", "default"))
            let named = try shown([], ["TRAITD_CONFIG": path])
            #expect(named["port"] ?? ("", "") == ("1111", "\(path):1"))
            // A flag that is false is as if it were not there.
            let off = try shown(["--config=\(path)"], ["TRAITD_ALLOW_ANONYMOUS": "false"])
            #expect(off["allowAnonymous"] ?? ("", "") == ("false", "TRAITD_ALLOW_ANONYMOUS"))
        }
        let twice = try shown(["--limit", "streams-max=8", "--limit=streams-max=9"])
        #expect(twice["streamsMax"] ?? ("", "") == ("9", "option"))
        #expect(try shown(["--max-memory", "64MiB"])["maxMemory"]?.value == "67108864")
        let plain = try shown([])
        #expect(plain["port"] ?? ("", "") == ("8080", "default"))
        #expect(plain["host"] ?? ("", "") == ("127.0.0.1", "default"))
        #expect(plain["unixMode"] ?? ("", "") == ("600", "default"))
    }

    @Test("Every option of serve and every limit is a setting")
    func complete() throws {
        let help = try TraitdProcess.run(["serve", "--help"]).out
        var options = Set(
            help.matches(of: #/\n  --([a-z-]+)/#).map { String($0.output.1) })
        for name in ["config", "print-config", "check-config", "version", "help", "limit"] {
            options.remove(name)
        }
        options.formUnion(LimitOptions.settable.map(\.settingName))
        let settings = try shown([]).keys.map { key in
            key.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
        }
        #expect(Set(settings) == options)
        #expect(options.count > 50)
    }

    @Test("What is no setting is refused with the nearest name, in a variable and in a file")
    func unknown() throws {
        let variable = try TraitdProcess.run(["serve"], environment: ["TRAITD_PROT": "1"])
        #expect(variable.exit == .code(64))
        #expect(variable.error.contains("TRAITD_PROT is no setting. Did you mean TRAITD_PORT?"))
        let limit = try TraitdProcess.run(["serve"], environment: ["TRAITD_LIMIT": "nodes-max=1"])
        #expect(limit.exit == .code(64) && limit.error.contains("TRAITD_LIMIT is no setting."))
        let cases = [
            (#"{"prot": 1}"#, "'prot' is no setting. Did you mean port?"),
            (#"{"port": [1, 2]}"#, "'port' takes a string or a number"),
            (#"{"port": {"a": 1}}"#, "'port' takes a string or a number"),
            (#"{"port": 1, "port": 2}"#, "line 1"), (#"{"port": 1"#, "line 1"),
            ("[]", "no JSON object"), ("", "line 1"),
            (#"{"config": "x"}"#, "'config' is no setting"),
            (#"{"limit": "nodes-max=1"}"#, "'limit' is no setting"),
        ]
        for (text, words) in cases {
            try withTemporaryFile(text) { path in
                let run = try TraitdProcess.run(["serve", "--config", path])
                #expect(run.exit == .code(78), "\(text): \(run.error)")
                #expect(run.error.contains(path), "\(run.error)")
                #expect(run.error.contains(words), "\(text): \(run.error)")
            }
        }
        for path in ["/no/such/file", "/tmp"] {
            let run = try TraitdProcess.run(["serve", "--config", path])
            #expect(run.exit == .code(78))
            #expect(run.error.contains(path), "\(run.error)")
        }
    }

    @Test("--check-config lists all that is wrong, with its place, and shows what would be used")
    func check() throws {
        let text = """
            {"prot": 1,
             "streamsMax": 0,
             "quiet": "perhaps",
             "host": {},
             "tokens": "/no/such/tokens",
             "drainWindow": "x"}
            """
        try withTemporaryFile(text) { path in
            let run = try TraitdProcess.run(
                ["serve", "--check-config", "--config", path, "--load", "/no/such/document"],
                environment: ["TRAITD_PROT": "1", "TRAITD_PORT": "70000"])
            #expect(run.exit == .code(64) && run.out.isEmpty, "\(run)")
            for words in [
                "TRAITD_PROT is no setting. Did you mean TRAITD_PORT?",
                "\(path):1: 'prot' is no setting. Did you mean port?",
                "\(path):2: --limit streams-max goes from 1",
                "\(path):3: quiet takes true or false",
                "\(path):4: 'host' takes a string or a number.", "TRAITD_PORT: ",
                "\(path):5: Cannot read the token file '/no/such/tokens'", "\(path):6: ",
                "--load /no/such/document: No such file or directory",
            ] {
                #expect(run.error.contains("Error: \(words)"), "\(words): \(run.error)")
            }
            #expect(run.error.split(separator: "\n").count == 9, "\(run.error)")
        }
        let folder = NSTemporaryDirectory() + "check-\(UUID().uuidString)"
        let good = try TraitdProcess.run(["--check-config", "--port", "0", "--data-dir", folder])
        #expect(good.exit == .code(0) && good.out.hasSuffix("the settings can be used\n"))
        #expect(good.out.contains(#/\ndataDir +/.+ option\n/#), "\(good.out)")
        #expect(!FileManager.default.fileExists(atPath: folder), "a check writes nothing")
    }

    /// By characters, the mark and the `=` before it are one.
    @Test("A value that begins with a combining mark is the option's value, however it is given")
    func combiningMark() throws {
        let path = "\u{301}/no-such-file"
        let given = [
            try TraitdProcess.run(["serve", "--port=0", "--tokens=\(path)"]),
            try TraitdProcess.run(
                ["serve", "--port=0"], environment: ["TRAITD_TOKENS": path]),
        ]
        let separate = try TraitdProcess.run(["serve", "--port=0", "--tokens", path])
        #expect(separate.error.contains("/no-such-file"), "\(separate)")
        for run in given {
            #expect(run.exit == separate.exit, "\(run)")
            #expect(run.error.contains("/no-such-file"), "\(run)")
        }
    }

    @Test("A value that is refused is named with where it comes from")
    func values() throws {
        for (variables, words) in [
            (["TRAITD_PORT": "70000"], ["--port", "TRAITD_PORT"]),
            (
                ["TRAITD_STREAMS_MAX": "0"],
                [
                    "--limit streams-max goes from 1",
                    "--limit streams-max comes from TRAITD_STREAMS_MAX.",
                ]
            ),
            (["TRAITD_ALLOW_ANONYMOUS": "perhaps"], ["true or false", "TRAITD_ALLOW_ANONYMOUS"]),
            (["TRAITD_LOG_FORMAT": "xml"], ["--log-format", "TRAITD_LOG_FORMAT"]),
        ] {
            let run = try TraitdProcess.run(
                ["serve", "--port=0"].filter { _ in
                    variables["TRAITD_PORT"] == nil
                } + (variables["TRAITD_PORT"] == nil ? [] : ["serve"]), environment: variables)
            #expect(run.exit == .code(64), "\(variables): \(run.error)")
            for word in words { #expect(run.error.contains(word), "\(run.error)") }
        }
        try withTemporaryFile(#"{"port": "x"}"#) { path in
            let run = try TraitdProcess.run(["--config", path])
            #expect(run.exit == .code(64))
            #expect(run.error.contains("--port comes from \(path):1."), "\(run.error)")
        }
        // What the option gives is not taken for the variable's.
        let option = try TraitdProcess.run(
            ["--limit", "streams-max=0"], environment: ["TRAITD_STREAMS_MAX": "1"])
        #expect(option.error.contains("--limit streams-max goes from 1"), "\(option.error)")
        #expect(!option.error.contains("TRAITD_STREAMS_MAX"), "\(option.error)")
    }

    @Test(
        "Lists are lists in a file, and separated by commas in a variable; an option replaces both")
    func lists() throws {
        try withTemporaryFile(#"{"listen": ["127.0.0.1:0", "127.0.0.1:0"]}"#) { path in
            let server = try TraitdProcess(
                [], environment: ["TRAITD_CONFIG": path, "TRAITD_PORT": "0"])
            #expect(try HTTPClient(server.url).get("/livez").status == 200)
            let settings =
                try HTTPClient(server.url).get("/v1/server").json["settings"]?.array ?? []
            #expect(
                settings.contains([
                    "name": "listen", "value": "127.0.0.1:0,127.0.0.1:0",
                    "source": .string("\(path):1"),
                ]))
            #expect(
                try shown(["--config", path, "--listen", "127.0.0.1:1"])["listen"]?.value
                    == "127.0.0.1:1")
            let variables = ["TRAITD_CONFIG": path, "TRAITD_LISTEN": "127.0.0.1:2, [::1]:3"]
            #expect(try shown([], variables)["listen"]?.value == "127.0.0.1:2,[::1]:3")
        }
    }

    @Test("What Kubernetes says of a service by the name of traitd is no setting")
    func serviceLinks() throws {
        let links = [
            "TRAITD_SERVICE_HOST": "10.0.0.1", "TRAITD_SERVICE_PORT": "80",
            "TRAITD_PORT": "tcp://10.0.0.1:80", "TRAITD_PORT_80_TCP": "tcp://10.0.0.1:80",
            "TRAITD_PORT_80_TCP_ADDR": "10.0.0.1",
        ]
        #expect(try shown([], links)["port"] ?? ("", "") == ("8080", "default"))
    }

    @Test("healthcheck finds the server by the same settings")
    func healthcheck() throws {
        let socket = FileManager.default.temporaryDirectory
            .appendingPathComponent("traitd-\(UUID().uuidString.prefix(8)).socket").path
        let server = try TraitdProcess(["--unix", socket])
        let port = "\(server.port)"
        for variables in [
            ["TRAITD_PORT": port], ["TRAITD_PORT": port, "TRAITD_HOST": "0.0.0.0"],
            ["TRAITD_LISTEN": "0.0.0.0:\(port)"], ["TRAITD_UNIX": socket],
            ["TRAITD_HEALTH_LISTEN": "127.0.0.1:\(port)", "TRAITD_PORT": "1"],
        ] {
            let run = try TraitdProcess.run(["healthcheck"], environment: variables)
            #expect(run.exit == .code(0), "\(variables): \(run.error)")
        }
        try withTemporaryFile(#"{"port": \#(port), "host": "0.0.0.0", "allowAnonymous": true}"#) {
            path in
            #expect(try TraitdProcess.run(["healthcheck", "--config", path]).exit == .code(0))
            let gone = try TraitdProcess.run(["healthcheck", "--config", path, "--port", "1"])
            #expect(gone.exit == .code(1))
        }
    }

    @Test("Tokens that stand where a setting belongs are not shown")
    func hidden() throws {
        let token = "traitd_ci_Zk3vQ0m2x7abPq9LmN4"
        let run = try TraitdProcess.run(
            ["serve", "--print-config"], environment: ["TRAITD_LOAD": "/tmp/\(token)"])
        #expect(!(run.out + run.error).contains("Zk3vQ0m2x7abPq9LmN4"), "\(run.out)")
    }

    @Test("traitd --help names the subcommands and says where all options are")
    func help() throws {
        let run = try TraitdProcess.run(["--help"])
        #expect(run.exit == .code(0))
        for word in ["traitd serve", "--print-config", "TRAITD_", "--config", "healthcheck"] {
            #expect(run.out.contains(word), "\(run.out)")
        }
    }
}
