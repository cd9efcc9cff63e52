// Signals that must not end the process, and how further ones hasten its end.

import Foundation
import TestSupport
import Testing

@Suite("Signals")
struct SignalTests {
    @Test(
        "SIGHUP, SIGUSR1, SIGUSR2 and SIGPIPE leave the process as it is",
        arguments: [SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE])
    func harmless(number: Int32) throws {
        let server = try TraitdProcess(["--drain-window", "0"])
        let session = try SessionClient.sample("signals", on: server.url)
        let stream = try session.stream("events")
        _ = try stream.next()
        for _ in 0..<20 { server.child.signal(number) }
        try session.override("theme", at: "scene", "bold")
        #expect(try stream.next().type == "commit")
        server.child.signal(SIGTERM)
        #expect(try stream.rest().records.last?.reason == "drain")
        #expect(try server.child.waitForExit() == .code(0))
    }

    @Test("SIGHUP in the moment after the start, and while it drains, does not end it either")
    func hangUpAnyTime() throws {
        for _ in 0..<10 {
            let server = try TraitdProcess(["--drain-delay", "60"])
            server.child.signal(SIGHUP)
            server.child.signal(SIGTERM)
            let client = try HTTPClient(server.url)
            let deadline = Deadline(within: .seconds(20))
            while try client.get("/readyz").status == 200, !deadline.hasPassed {}
            server.child.signal(SIGHUP)
            #expect(try client.get("/livez").status == 200)
            server.child.signal(SIGTERM)
            server.child.signal(SIGTERM)
            #expect(try server.child.waitForExit() == .code(0))
        }
    }

    @Test("A second SIGTERM ends the delay and a third the window, both with 0")
    func further() throws {
        let server = try TraitdProcess(["--drain-delay", "3600", "--drain-window", "3600"])
        let session = try SessionClient.sample("signals", on: server.url)
        // The window is divided among them: the first ends at once, the last would after an hour.
        let streams = try (0..<8).map { _ in try session.stream("events") }
        for stream in streams { _ = try stream.next() }
        let client = try HTTPClient(server.url)
        server.child.signal(SIGTERM)
        let deadline = Deadline(within: .seconds(20))
        while try client.get("/readyz").status == 200, !deadline.hasPassed {}
        try session.override("theme", at: "scene", "bold")
        for stream in streams { #expect(try stream.next().type == "commit") }
        server.child.signal(SIGTERM)
        try waitForLine("draining", of: server)
        server.child.signal(SIGTERM)
        #expect(try server.child.waitForExit() == .code(0))
    }

    /// Consumes the lines of the process until one has `text`.
    private func waitForLine(_ text: String, of server: TraitdProcess) throws {
        let deadline = Deadline(within: .seconds(20))
        while let line = try server.child.nextLine(before: deadline) {
            if line.text.contains(text) { return }
        }
        Issue.record("the process ended without a line with '\(text)'")
    }
}
