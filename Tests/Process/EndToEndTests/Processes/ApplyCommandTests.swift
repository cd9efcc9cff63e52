// `traitd apply` as scripts use it: its output and its exit status.

import Foundation
import TestSupport
import Testing

@Suite("traitd apply")
struct ApplyCommandTests {
    private static func document(_ name: String, style: String) -> String {
        #"{"format":1,"name":"\#(name)","nodes":[{"id":"scene","kind":"windowScene","#
            + #""parent":null,"overrides":{"userInterfaceStyle":"\#(style)"}}]}"#
    }

    @Test("A plan exits with 2 until it is applied, and with 0 from then on")
    func plan() throws {
        let server = try TraitdProcess([])
        defer { server.child.stop() }
        let session = try SessionClient("planned", on: server.url)
        _ = try session.client.send(HTTPRequest("PUT", "/v1/sessions/planned", text: "{}"))
            .expecting(201)
        let port = "\(server.port)"
        try withTemporaryFile(Self.document("planned", style: "dark")) { path in
            func apply(_ arguments: String...) throws -> (exit: ChildProcess.Exit, out: String) {
                let run = try TraitdProcess.run(["apply", "-f", path, "--port", port] + arguments)
                return (run.exit, run.out)
            }
            let planned = try apply("--manager", "ci", "--plan")
            #expect(planned.exit == .code(2))
            #expect(planned.out.contains(#""op":"createNode","node":"scene""#), "\(planned.out)")
            #expect(planned.out.contains("planToken "))
            #expect(try session.revision() == 1)
            #expect(try apply("--manager", "ci", "--reason", "the beta is dark").exit == .code(0))
            let history = try session.get("history?pageSize=1").success().json
            #expect(history["commits"]?[0]?["cause"]?["reason"] == "the beta is dark")
            #expect(try apply("--reason", "two\nlines").exit == .code(64))
            #expect(try session.revision() == 2)
            let again = try apply("--manager", "ci", "--plan")
            #expect(again.exit == .code(0))
            #expect(again.out == "planned is as the file says, at revision 2\n")
        }
        try withTemporaryFile(Self.document("planned", style: "light")) { path in
            let other = ["apply", "-f", path, "--port", port, "--manager", "other"]
            let refused = try TraitdProcess.run(other)
            #expect(refused.exit == .code(1))
            #expect(refused.error.contains("managed by ci"), "\(refused.error)")
            #expect(try session.revision() == 2)
            #expect(try TraitdProcess.run(other + ["--force"]).exit == .code(0))
            #expect(try session.revision() == 3)
        }
    }

    @Test("A plan of more operations than are listed says so")
    func longPlan() throws {
        let server = try TraitdProcess([])
        defer { server.child.stop() }
        func plan(_ count: Int) throws -> [Substring] {
            let nodes = (0..<count).map { #"{"id":"n\#($0)","kind":"environment"}"# }
            let text = #"{"nodes":[\#(nodes.joined(separator: ","))]}"#
            return try withTemporaryFile(text) { path in
                let run = try TraitdProcess.run(
                    ["apply", "-f", path, "--server", server.url, "--session", "long", "--plan"])
                #expect(run.exit == .code(2), "\(run.error)")
                return run.out.split(separator: "\n")
            }
        }
        _ = try HTTPClient(server.url).send(HTTPRequest("PUT", "/v1/sessions/long", text: "{}"))
            .expecting(201)
        let whole = try plan(1_000)
        #expect(whole.count == 1_001)
        #expect(!whole.contains("…"))
        let cut = try plan(1_001)
        #expect(cut.count == 1_002)
        #expect(cut[1_000] == "…")
        #expect(cut[1_001].hasPrefix("planToken "))
    }

    private static let faulty = """
        {"name": "faulty", "traits": {
          "plan": {"type": "enum", "cases": {"free": 0, "paid": 1}, "default": "free"}},
         "nodes": [{"id": "top", "kind": "environment"},
          {"id": "team", "kind": "environment", "parent": "top",
           "overrides": {"plan": "Paid"}}]}
        """

    @Test("A fault has its line and column, the pointer, the node, and what was meant")
    func places() throws {
        let server = try TraitdProcess([])
        defer { server.child.stop() }
        try withTemporaryFile(Self.faulty) { path in
            let wanted = [
                "\(path):5:26: ", "Did you mean 'paid'?", "at /nodes/1/overrides/plan, in 'team'",
            ]
            let apply = ["apply", "-f", path, "--server", server.url, "--create", "--manager", "a"]
            for arguments in [apply, ["render", path], ["serve", "--port", "0", "--load", path]] {
                let run = try TraitdProcess.run(arguments)
                #expect(run.exit != .code(0))
                for text in wanted { #expect(run.error.contains(text), "\(run.error)") }
            }
            // The session that was made for it is gone again.
            #expect(try HTTPClient(server.url).get("/v1/sessions/faulty").status == 404)
        }
        // So has a text that is no JSON, which the server sees only where an option names the session.
        _ = try HTTPClient(server.url).send("PUT", "/v1/sessions/faulty", json: [:])
        try withTemporaryFile(#"{"name":"faulty","nodes":[}"#) { path in
            for session in [[], ["--session", "faulty"]] {
                let run = try TraitdProcess.run(
                    ["apply", "-f", path, "--server", server.url, "--manager", "a"] + session)
                #expect(run.exit != .code(0))
                #expect(run.error.contains("\(path):1:27: "), "\(run.error)")
            }
        }
    }

    @Test("--session wins over the document's name, and --create makes a session")
    func session() throws {
        let server = try TraitdProcess([])
        defer { server.child.stop() }
        let client = try HTTPClient(server.url)
        for text in [
            Self.document("mail", style: "dark"), #"{"nodes": [], "name": "mail"}"#,
            #"{"name": "mail"}"#,
        ] {
            try withTemporaryFile(text) { path in
                let apply = ["apply", "-f", path, "--server", server.url, "--session", "other"]
                let missing = try TraitdProcess.run(apply + ["--plan", "--create"])
                #expect(missing.exit == .code(2), "\(missing.error)")
                #expect(try client.get("/v1/sessions/other").status == 404)
                let refused = try TraitdProcess.run(apply)
                #expect(refused.exit == .code(1) && refused.error.contains("--create"))
                let made = try TraitdProcess.run(apply + ["--create"])
                #expect(made.exit == .code(0), "\(made.error)")
                #expect(try TraitdProcess.run(apply + ["--create"]).exit == .code(0))
                #expect(try client.get("/v1/sessions/mail").status == 404)
                _ = try client.send("DELETE", "/v1/sessions/other").success()
            }
        }
    }

    @Test("The plan of a session that is to be made tells what is wrong with the document")
    func planOfBadDocument() throws {
        let server = try TraitdProcess([])
        defer { server.child.stop() }
        let apply = ["apply", "--server", server.url, "--plan", "--create", "-f"]
        let bad = #"{"name": "mail", "nodes": [{"id": "a", "kind": "wall"}]}"#
        try withTemporaryFile(bad) { path in
            let run = try TraitdProcess.run(apply + [path])
            #expect(run.exit == .code(65) && run.error.contains("/nodes/0/kind"), "\(run.error)")
            #expect(run.out.isEmpty)
        }
        try withTemporaryFile(#"{"nodes": []}"#) { path in
            let run = try TraitdProcess.run(apply + [path])
            #expect(run.exit == .code(64))
            #expect(run.error == "traitd: the file names no session; give --session\n")
        }
    }

    @Test("Every command that asks a server takes the same addresses")
    func addresses() throws {
        let socket = "/tmp/traitd-\(UUID().uuidString.prefix(8)).socket"
        let server = try TraitdProcess(["--listen", "127.0.0.1:0", "--unix", socket])
        defer { server.child.stop() }
        let plain = String(server.url.dropFirst("http://".count))
        for address in [
            ["--server", server.url], ["--server", server.url + "/"], ["--server", plain],
            ["--server", "unix:\(socket)"], ["--server", socket], ["--unix", socket],
            ["--host", "127.0.0.1", "--port", "\(server.port)"],
        ] {
            let run = try TraitdProcess.run(["healthcheck"] + address)
            #expect(run.exit == .code(0), "\(address): \(run.error)")
            let backup = try TraitdProcess.run(["backup", "--output", "-"] + address)
            #expect(backup.exit == .code(0), "\(address): \(backup.error)")
        }
        for wrong in ["https://a", "http://", "http://[::1", "a:99999", "http://a/b?c"] {
            let run = try TraitdProcess.run(["healthcheck", "--server", wrong])
            #expect(run.exit == .code(64), "\(wrong): \(run.error)")
        }
        let both = try TraitdProcess.run(["healthcheck", "--server", plain, "--port", "1"])
        #expect(both.exit == .code(64), "\(both.error)")
        // A prefix precedes every path.
        let prefixed = try TraitdProcess.run(["healthcheck", "--server", server.url + "/nothing"])
        #expect(prefixed.error.contains("404"), "\(prefixed.error)")
    }

    @Test("Each reason of a failure has its own exit status and message")
    func refusals() throws {
        try withTemporaryFile(Self.document("nowhere", style: "dark")) { path in
            #expect(try TraitdProcess.run(["apply", "-f", path, "--port", "1"]).exit == .code(69))
            let prune = try TraitdProcess.run(["apply", "-f", path, "--prune"])
            #expect(prune.exit == .code(64))
            #expect(prune.error.contains("--manager"), "\(prune.error)")
        }
        #expect(try TraitdProcess.run(["apply", "-f", "/no/such/file"]).exit == .code(66))
        try withTemporaryFile(#"{"format":1,"nodes":[]}"#) { path in
            let unnamed = try TraitdProcess.run(["apply", "-f", path])
            #expect(unnamed.exit == .code(64))
            #expect(unnamed.error.contains("--session"), "\(unnamed.error)")
        }
    }
}
