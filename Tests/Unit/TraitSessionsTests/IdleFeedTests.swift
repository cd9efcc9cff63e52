// Feeds that linger after streams and long polls are removed by themselves and at little cost, by a
// monotonic clock.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Idle feeds")
struct IdleFeedTests {
    /// A store whose two clocks are moved apart.
    private final class Clocks: Sendable {
        let time = Mutex<Int64>(1_800_000_000_000)
        let uptime = Mutex<Int64>(5_000)

        var environment: SessionEnvironment {
            let count = Mutex<UInt64>(0)
            return SessionEnvironment(
                now: { self.time.withLock { $0 } }, uptime: { self.uptime.withLock { $0 } },
                random: {
                    count.withLock {
                        $0 += 1
                        return $0
                    }
                })
        }
    }

    private let clocks = Clocks()
    private let store: SessionStore
    private let session: Session

    init() throws {
        var limits = ServiceLimits()
        limits.feedsMax = 300
        store = SessionStore(limits: limits, environment: clocks.environment)
        let client = Client(store)
        session = try client.create("demo", "{}")
        _ = try client.transaction(
            "[{\"op\":\"createNode\",\"node\":\"n\",\"kind\":\"environment\"}]", to: session)
    }

    /// Reads one page of a watch of these traits, and leaves.
    private func poll(_ traits: TraitSet) throws {
        let node = try #require(session.hierarchy.node("n"))
        let page = try session.openPage(StreamOptions(format: .ndjson, from: nil)) { _ in
            .watch(node, traits)
        }
        let listener = PollListener(page)
        listener.listen(SilentWaker())
        listener.leave()
    }

    private final class SilentWaker: Waker {
        func wake() {}
    }

    /// Different sets of system traits.
    private func sets(_ count: Int) -> [TraitSet] {
        (1...count).map { number in
            var set = TraitSet()
            for bit in 0..<UInt16(16) where number & 1 << Int(bit) != 0 {
                set.insert(TraitIndex(rawValue: bit))
            }
            return set
        }
    }

    @Test("They are removed when their time is over, also without a request for the session")
    func expiry() throws {
        for set in sets(200) { try poll(set) }
        #expect(session.feeds.watchCount == 200 && session.hierarchy.watchCount == 200)
        store.removeIdleFeeds()
        #expect(session.feeds.watchCount == 200, "their time has not come")
        clocks.uptime.withLock { $0 += 60_000 }
        store.removeIdleFeeds()
        #expect(session.feeds.count == 0 && session.hierarchy.watchCount == 0)
        #expect(session.withState { $0.streams.listing?.isNoted } == false)
        try session.hierarchy.checkInvariants()
    }

    @Test("One that is listened to stays, and lingers from its last listener on")
    func listening() throws {
        let all = sets(3)
        for set in all { try poll(set) }
        clocks.uptime.withLock { $0 += 59_000 }
        try poll(all[1])
        clocks.uptime.withLock { $0 += 2_000 }
        store.removeIdleFeeds()
        #expect(session.feeds.watchCount == 1)
        clocks.uptime.withLock { $0 += 57_000 }
        store.removeIdleFeeds()
        #expect(session.feeds.watchCount == 1)
        clocks.uptime.withLock { $0 += 1_000 }
        store.removeIdleFeeds()
        #expect(session.feeds.watchCount == 0)
    }

    @Test("Setting the clock neither ends nor keeps them", arguments: [-86_400_000, 86_400_000])
    func clockIsSet(by milliseconds: Int64) throws {
        try poll(sets(1)[0])
        clocks.time.withLock { $0 += milliseconds }
        store.removeIdleFeeds()
        #expect(session.feeds.watchCount == 1)
        clocks.uptime.withLock { $0 += 60_000 }
        store.removeIdleFeeds()
        #expect(session.feeds.watchCount == 0)
    }

    @Test("As many as a session may have are refused with their limit, and count again once gone")
    func limit() throws {
        let all = sets(301)
        for set in all.dropLast() { try poll(set) }
        let error = #expect(throws: SessionError.self) { try poll(all[300]) }
        #expect(error?.code == .tooManyStreams)
        #expect(error?.detail.contains("feedsMax=300") == true)
        // One that is there already is no other.
        try poll(all[0])
        clocks.uptime.withLock { $0 += 60_000 }
        store.removeIdleFeeds()
        try poll(all[300])
    }
}
