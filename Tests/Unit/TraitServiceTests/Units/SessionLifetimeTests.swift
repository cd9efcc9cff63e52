// What holds a session: its registry, and streams while they are open. Nothing else may, or what
// is deleted would stay in memory.

import SessionLog
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite("What holds a session")
struct SessionLifetimeTests {
    private final class Weak {
        weak var session: Session?
        init(_ session: Session?) { self.session = session }
    }

    /// One shard: it has closed a connection some requests later.
    private static func fixture(
        _ log: (any SessionLog)? = nil
    ) throws -> (InProcessService, HTTPClient) {
        let fixture = try InProcessService(log: log, shards: 1)
        return (fixture, try fixture.client())
    }

    private static func session(
        _ fixture: InProcessService
    ) throws -> (SessionClient, Weak) {
        let client = try SessionClient.sample("held", on: fixture.url)
        let session = Weak(fixture.service.store.find(client.name))
        #expect(session.session != nil)
        return (client, session)
    }

    private static func isFreed(_ held: Weak, _ client: HTTPClient) throws -> Bool {
        for _ in 0..<1_000 {
            if held.session == nil { return true }
            _ = try client.send("GET", "/livez").expecting(200)
        }
        return false
    }

    @Test("A deleted one is freed although streams were open, and polls waiting")
    func deleted() throws {
        let (fixture, client) = try Self.fixture()
        let (session, held) = try Self.session(fixture)
        let streams = try ["events", "nodes/scene/events?traits=theme"].map {
            try session.stream($0)
        }
        for stream in streams { _ = try stream.next() }
        try session.override("theme", at: "scene", "bold")
        #expect(try session.delete("").status == 200)
        for stream in streams {
            #expect(try stream.rest().records.last?.type == "end")
        }
        #expect(try Self.isFreed(held, client))
    }

    @Test("Streams whose clients left hold nothing")
    func left() throws {
        let (fixture, client) = try Self.fixture()
        let (session, held) = try Self.session(fixture)
        for _ in 0..<3 {
            let stream = try session.stream("events")
            _ = try stream.next()
            stream.close()
        }
        #expect(try session.delete("").status == 200)
        #expect(try Self.isFreed(held, client))
    }

    @Test("A session that could not be added to the store is released, the first one stays")
    func refused() throws {
        let (fixture, client) = try Self.fixture()
        let (session, held) = try Self.session(fixture)
        #expect(try session.send("PUT", "", ["nodes": []]).status == 409)
        #expect(try client.send("GET", "/livez").status == 200)
        #expect(fixture.service.store.count == 1)
        #expect(fixture.service.store.find(session.name) === held.session)
    }

    @Test("A store goes with its service, and its sessions with it")
    func store() throws {
        let held = Weak(nil)
        weak var store: SessionStore?
        func run() throws {
            let service = TraitService(version: "test", shards: 1)
            store = service.store
            let file = #"{"name":"a","nodes":[{"id":"scene","kind":"windowScene"}]}"#
            try Array(file.utf8).withUnsafeBytes { _ = try service.load($0) }
            held.session = service.store.find("a")
            #expect(held.session != nil)
        }
        try run()
        #expect(store == nil)
        #expect(held.session == nil)
    }
}
