// `traitd` on the command line: what it prints, and the status it ends with.

import Foundation
import TestSupport
import Testing

@Suite("The command line", .timeLimit(.minutes(10)))
struct CommandLineTests {
    @Test("--version says the version and ends well")
    func version() throws {
        let run = try TraitdProcess.run(["--version"])
        #expect(run.exit == .code(0))
        #expect(run.out.contains(#/^(traitd )?[0-9]+\.[0-9]+\.[0-9]+\n$/#), "\(run.out)")
        let server = try sharedServer()
        let served = try HTTPClient(server.url).get("/version").json["version"]?.string ?? "?"
        #expect(run.out.contains(served))
    }

    @Test("--help explains the options")
    func help() throws {
        let run = try TraitdProcess.run(["serve", "--help"])
        #expect(run.exit == .code(0))
        for option in ["--host", "--port", "--load", "--drain-delay", "--drain-window"] {
            #expect(run.out.contains(option), "\(option)")
        }
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
        let run = try TraitdProcess.run(["--host", "0.0.0.0", "--port", "0"])
        #expect(run.exit != .code(0))
        #expect(run.error.contains("--allow-anonymous"), "\(run.error)")
    }
}
