// `traitd history` and `traitd revert` as people use them: who changed it yesterday, and back to how it was.

import Foundation
import TestSupport
import Testing

@Suite("traitd history and revert")
struct HistoryCommandTests {
    @Test("The history says who changed what and why, and a revert takes the session back")
    func story() throws {
        let server = try TraitdProcess([])
        defer { server.child.stop() }
        let session = try SessionClient("s", on: server.url)
        func run(_ arguments: String...) throws -> (exit: ChildProcess.Exit, out: [String]) {
            let run = try TraitdProcess.run(arguments + ["--server", server.url])
            return (run.exit, run.out.split(separator: "\n").map(String.init) + [run.error])
        }
        try session.put(
            "",
            [
                "traits": ["plan": ["type": "int", "default": 1]],
                "nodes": [.node("root"), .node("leaf", in: "root")],
            ])
        try session.override("plan", at: "root", 2)
        try session.send(
            "PUT", "nodes/root/overrides/plan", ["value": 3],
            fields: [HTTPField("Traitd-Reason", "TICKET-7")]
        ).expecting(200)
        try session.override("userInterfaceStyle", at: "leaf", "dark")
        let all = try run("history", "s")
        #expect(all.exit == .code(0))
        #expect(
            all.out.filter { $0.first != " " && !$0.isEmpty }.map { $0.prefix(3) } == [
                "4  ", "3  ", "2  ", "1  ",
            ])
        #expect(all.out.contains("    setOverride root plan 3 (was 2)"))
        #expect(all.out.contains { $0.hasSuffix("  \"TICKET-7\"") })
        // Where the value was set does not matter, only whether it changed at the node.
        let resolved = try run("history", "s", "--node", "leaf", "--trait", "plan")
        #expect(resolved.out.contains("    setOverride root plan 3 (was 2)"))
        #expect(!resolved.out.joined().contains("dark"))
        #expect(
            try run("history", "s", "--node", "leaf", "--since", "2").out.contains {
                $0.contains("dark")
            })
        #expect(try run("history", "s", "--limit", "1").out.first?.hasPrefix("4  ") == true)
        for since in [
            "yesterday", "today", "2 hours ago", "2026-01-01", "2026-01-01 10:30", "2026-01-01Z",
        ] {
            let found = try run("history", "s", "--since", since, "--until", "now", "--json")
            #expect(found.exit == .code(0), "\(since)")
            #expect(found.out.contains { $0.hasPrefix("{\"revision\":4,") }, "\(since)")
        }
        #expect(
            try run("history", "s", "--until", "yesterday").out.first?.hasPrefix("no commit")
                == true)
        for arguments in [
            ["history", "s", "--since", "tomorrow"], ["history", "s", "--since", "2026-02-30"],
            ["history", "s", "--until", "25:00"], ["history", "a b"],
            ["history", "s", "--limit", "0"],
            ["revert", "s", "--to", "someday"], ["revert", "s"],
            ["revert", "s", "--to", "2", "--commit", "2"], ["revert", "s", "--commit", "0"],
        ] {
            #expect(try TraitdProcess.run(arguments).exit == .code(64), "\(arguments)")
        }
        #expect(try run("history", "none").exit == .code(1))
        let plan = try run("revert", "s", "--to", "2", "--dry-run")
        #expect(plan.exit == .code(2))
        #expect(
            plan.out.contains {
                $0.contains(#""op":"setOverride","node":"root","trait":"plan","value":2"#)
            })
        #expect(try session.revision() == 4)
        let limited = try run("revert", "s", "--to", "2", "--node", "leaf", "--reason", "TICKET-8")
        #expect(limited.exit == .code(0), "\(limited.out)")
        #expect(try session.value(of: "plan", at: "leaf") == 3)
        #expect(try session.value(of: "userInterfaceStyle", at: "leaf") == "unspecified")
        #expect(try session.get("history").json["commits"]?[0]?["cause"]?["reason"] == "TICKET-8")
        #expect(try run("revert", "s", "--to", "2").exit == .code(0))
        #expect(try session.value(of: "plan", at: "leaf") == 2)
        let again = try run("revert", "s", "--to", "2", "--dry-run")
        #expect(again.exit == .code(0))
        #expect(again.out.first?.hasSuffix("nothing changes") == true)
        #expect(try run("revert", "s", "--to", "99").exit == .code(1))
        let commit = try run("revert", "s", "--commit", "2", "--dry-run")
        #expect(commit.exit == .code(1))
        #expect(
            commit.out.last?.contains(
                #"{"node":"root","trait":"plan","layer":"override","revision":"#)
                == true)
        #expect(try run("revert", "s", "--commit", "4", "--reason", "TICKET-9").exit == .code(0))
        #expect(
            try TraitdProcess.run(["history", "s", "--unix", "/nonexistent/socket"]).exit
                == .code(69))
    }
}
