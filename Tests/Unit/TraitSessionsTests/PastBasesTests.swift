// How far back a session without a log can be read while commits come faster than bases can be made.

import SessionScripts
import Synchronization
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Bases of sessions without a log")
struct PastBasesTests {
    /// A store in which each base takes seconds of a processor.
    private static func store(_ clock: Clock, _ limits: ServiceLimits) -> SessionStore {
        var environment = clock.environment(seed: 1)
        let ticks = Atomic<UInt64>(0)
        environment.ticks = { ticks.add(2_000_000_000, ordering: .relaxed).newValue }
        return SessionStore(limits: limits, environment: environment)
    }

    private static var limits: ServiceLimits {
        var limits = ServiceLimits()
        limits.retainedCommitsMin = 10
        limits.retainedCommitsMax = 20
        return limits
    }

    /// A session made by a commit, or of a document.
    private static func session(
        _ client: Client, isLoaded: Bool
    ) throws -> Session {
        guard isLoaded else { return try client.create("demo", Operations.start) }
        let document = #"{"name":"demo","# + Operations.start.dropFirst()
        return try client.withDocument(document) { json throws(SessionError) in
            try client.store.load(json)
        }
    }

    private func expectReadable(
        _ session: Session, _ store: SessionStore, _ digests: [StateDigest]
    ) throws {
        let head = session.head
        let oldest = session.withState { $0.oldestPast.revision }
        #expect(oldest == max(1, head - 19) && session.withState { $0.oldestRetained } <= oldest)
        for revision in [oldest, head - 10, head - 1] where revision > 0 {
            let past = try PastReader.session(at: revision, of: session, in: store)
            #expect(past.digest == digests[Int(revision) - 1], "revision \(revision) of \(head)")
        }
        guard oldest > 1 else { return }
        do throws(SessionError) {
            _ = try PastReader.session(at: oldest - 1, of: session, in: store)
            Issue.record("revision \(oldest - 1) is there")
        } catch {
            #expect(error.code == .historyGone && error.detail.contains("is \(oldest)."))
        }
    }

    @Test(
        "However fast commits come, all retained ones can be read, and say what they replaced",
        arguments: [false, true])
    func burst(isLoaded: Bool) throws {
        let store = Self.store(Clock(), Self.limits)
        let client = Client(store)
        let session = try Self.session(client, isLoaded: isLoaded)
        var digests = [session.digest]
        for value in 1...200 {
            _ = try client.transaction("[\(Operations.set(value))]", to: session)
            digests.append(session.digest)
            if value % 13 == 0 { try expectReadable(session, store, digests) }
        }
        #expect(session.withState { $0.oldestWithPrevious == $0.oldestRetained })
        let revisions = Array(session.head - 19...session.head)
        while true {
            let found = try store.past.previousValues(of: revisions, in: session, for: nil)
            guard case .found(let values) = found else {
                if case .wait(let response) = found { _ = response.waitForDecision() }
                continue
            }
            #expect(Set(values.operations.keys) == Set(revisions))
            break
        }
    }

    @Test("A session at rest gets its base, and then lets go of what left the window")
    func rest() throws {
        let clock = Clock()
        let store = Self.store(clock, Self.limits)
        let client = Client(store)
        let session = try Self.session(client, isLoaded: true)
        func write(_ count: Int) throws {
            for value in 1...count {
                _ = try client.transaction(
                    "[\(Operations.set(value + count * 1_000))]", to: session)
            }
        }
        func settle() throws {
            store.tendPasts()
            let bases = try #require(session.withState { $0.upkeep.past.bases })
            while bases.isBeingMade {}
            store.tendPasts()
        }
        try settle()
        try write(100)
        try settle()
        #expect(session.withState { $0.upkeep.past.isOverdue })
        // Nothing behind the newest base is let go.
        let base = session.withState { $0.upkeep.past.bases?.newest ?? 0 }
        #expect(session.withState { $0.retained.oldestForPast?.revision } == base + 1)
        // Ticks of other threads may have made the base take longer.
        clock.move(by: 30 * 86_400_000)
        try settle()
        #expect(session.withState { $0.upkeep.past.bases?.newest } == session.head)
        try write(20)
        try settle()
        #expect(session.withState { $0.retained.leftBytes == 0 })
        #expect(try PastReader.session(at: session.head - 19, of: session, in: store).head > 0)
    }

    @Test("Commits that left the window take a bounded memory before a base is forced")
    func bounded() throws {
        var limits = Self.limits
        limits.retainedBytesMax = 8_192
        let store = Self.store(Clock(), limits)
        let client = Client(store)
        let session = try Self.session(client, isLoaded: false)
        let most = session.withState { $0.hierarchy.heldBytes.total }
        for value in 1...4_000 {
            _ = try client.transaction("[\(Operations.set(value))]", to: session)
            if value % 50 == 0 {
                store.tendPasts()
                while session.withState({ $0.upkeep.past.bases?.isBeingMade }) ?? false {}
            }
        }
        #expect(session.withState { $0.retained.leftBytes } < most * 4)
        #expect(try PastReader.session(at: session.head - 9, of: session, in: store).head > 0)
    }

    @Test("A window that shrinks for want of memory never loses its last base")
    func shrinks() throws {
        let clock = Clock()
        let store = Self.store(clock, Self.limits)
        let client = Client(store)
        let session = try Self.session(client, isLoaded: true)
        for round in 1...20 {
            for value in 1...30 {
                _ = try client.transaction(
                    "[\(Operations.set(value + round * 100))]", to: session)
            }
            while session.withState({ $0.upkeep.past.bases?.isBeingMade }) ?? false {}
            clock.move(by: 30 * 86_400_000)
            for _ in 1...3 {
                _ = store.shrinkWindows(windowBytesMin: 0)
                while session.withState({ $0.upkeep.past.bases?.isBeingMade }) ?? false {}
            }
            let oldest = session.withState { $0.oldestPast.revision }
            #expect(oldest <= session.head)
            #expect(session.withState { $0.retained.heldBytes } < 8_192)
            _ = try client.transaction("[\(Operations.set(round))]", to: session)
            _ = try PastReader.session(at: session.head - 1, of: session, in: store)
        }
    }
}
