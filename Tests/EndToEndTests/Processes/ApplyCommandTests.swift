// `traitd apply` as scripts use it: its output and its exit status.

import Foundation
import TestSupport
import Testing

@Suite("traitd apply", .timeLimit(.minutes(3)))
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
            #expect(try apply("--manager", "ci").exit == .code(0))
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
