// The memory of rows: counted while it is kept, and given back a minute after the last request.

import Ledger
import Synchronization
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite("The memory of rows")
struct RowMemoryTests {
    private final class Clock: Sendable {
        let milliseconds = Atomic<Int64>(1_000)
    }

    private final class Server: Sendable {
        let clock: Clock
        let service: TraitService
        private let server: InProcessService
        let session: SessionClient

        init(bytesMax: Int = .max, nodes: Int) throws {
            let clock = Clock()
            self.clock = clock
            let environment = SessionEnvironment(
                now: { 1_000 }, uptime: { clock.milliseconds.load(ordering: .relaxed) },
                random: { UInt64.random(in: .min ... .max) },
                memory: MemoryLedger(bytesMax: bytesMax))
            service = TraitService(version: "test", shards: 1, environment: environment)
            server = try InProcessService(serving: service)
            session = try SessionClient.make("s", on: server.url, RowRequestTests.tree(nodes))
        }

        var rows: RowCache? { service.store.find(session.name)?.rows }

        func pass(_ milliseconds: Int64) {
            clock.milliseconds.add(milliseconds, ordering: .relaxed)
            service.store.releaseIdleRows()
        }

        func ask(_ body: JSON = [:]) throws {
            _ = try session.send("POST", "rows", body).expecting(200)
        }
    }

    @Test("Rows take 12 bytes a node, and are given back a minute after the last request")
    func release() throws {
        let server = try Server(nodes: 999)
        #expect(server.rows?.heldBytes == 0)
        try server.ask()
        #expect(server.rows?.heldBytes == 12_000)
        let parts = server.service.store.countMemory()
        #expect(parts[.snapshots].map { $0 >= 12_000 } == true)
        server.pass(59_999)
        #expect(server.rows?.heldBytes == 12_000)
        // A request begins the minute anew.
        try server.ask()
        server.pass(59_999)
        #expect(server.rows?.heldBytes == 12_000)
        server.pass(1)
        #expect(server.rows?.heldBytes == 0)
        try server.ask()
        #expect(server.rows?.heldBytes == 12_000)
        server.pass(60_000)
        #expect(server.rows?.heldBytes == 0)
    }

    @Test("Four searches are kept, and go with the rows")
    func searches() throws {
        let server = try Server(nodes: 639)
        for number in 0..<6 { try server.ask(["find": ["q": .string("\(number)")]]) }
        // Hits, and the rows that `only` shows.
        #expect(server.rows?.heldBytes == 640 * 12 + 4 * 2 * 80)
        try server.session.put("nodes/new", ["kind": "environment"])
        try server.ask()
        #expect(server.rows?.heldBytes == 641 * 12)
        server.pass(60_000)
        #expect(server.rows?.heldBytes == 0)
    }

    @Test("Rows go at once when memory is short")
    func shortage() throws {
        let server = try Server(nodes: 10)
        try server.ask()
        _ = server.service.shrinkWindows()
        #expect(server.rows?.heldBytes == 0)
    }

    @Test("Rows do not keep a deleted session")
    func deleted() throws {
        let server = try Server(nodes: 10)
        try server.ask()
        weak let session = server.service.store.find(server.session.name)
        #expect(session != nil)
        try server.session.delete("")
        server.pass(1)
        let deadline = Deadline(within: .seconds(30))
        while session != nil {
            if deadline.hasPassed { throw TimedOut("the end of the session") }
        }
    }
}
