// Stores that fall behind a log that others write to: they read what they missed, load a session anew, or stop
// one session and no other.

import Foundation
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing

@testable import SessionViews
@testable import TraitSessions

@Suite
struct LaggingStoresTests {
    @Test("A full store takes a session of the log once there is room")
    func fullStore() throws {
        let base = MemoryLog()
        var limits = ServiceLimits.quiet
        limits.sessionsMax = 1
        let (one, other) = (Process(base, seed: 1), Process(base, seed: 2, limits: limits))
        let failures = Mutex<[ReplayError]>([])
        try other.store.follow { failure in failures.withLock { $0.append(failure) } }
        let first = try one.session("first")
        // Two threads follow: notified at once, either session could have the room.
        other.store.finishFollowing()
        let second = try one.session("second")
        other.store.finishFollowing()
        #expect(failures.withLock { $0.map(\.session) } == ["second"])
        #expect(other.store.find("second") == nil)
        #expect(try one.delete(first))
        try one.commit(Operations.create("a"), second)
        other.store.finishFollowing()
        #expect(other.store.find("second")?.has("a") == true)
    }

    @Test("An entry that cannot be applied stops its session, and no other")
    func damagedEntry() throws {
        let base = MemoryLog()
        let (one, other) = (Process(base, seed: 1), Process(base, seed: 2))
        let failures = Mutex<[ReplayError]>([])
        try other.store.follow { failure in failures.withLock { $0.append(failure) } }
        let (bad, good) = (try one.session("bad"), try one.session("good"))
        other.store.finishFollowing()
        let tail = base.tail(of: bad.logged, after: 0, limit: 1)
        let entry = LogEntry(
            revision: 2, time: 0, payload: Array(#"{"operations":[],"digest":"0"}"#.utf8),
            after: try #require(tail.first).checksum)
        #expect(base.append(entry, to: bad.logged, expecting: 1) == .appended)
        try one.commit(Operations.create("a"), good)
        other.store.finishFollowing()
        #expect(failures.withLock { $0.map(\.session) } == ["bad"])
        #expect(failures.withLock { $0.map(\.revision) } == [2])
        #expect(other.store.find("bad")?.withState(\.acknowledged) == 1)
        #expect(other.store.find("good")?.has("a") == true)
    }

    @Test("Of two stores one writes the snapshot, and the entries that others may need stay")
    func sharedSnapshots() throws {
        let base = CountingSnapshots()
        var limits = ServiceLimits.quiet
        limits.snapshotEvery = 10
        limits.retainedCommitsMax = 3
        let (one, other) = (
            Process(base, seed: 1, limits: limits), Process(base, seed: 2, limits: limits)
        )
        try other.store.follow()
        let mine = try one.session("demo", Operations.start)
        for number in 0..<12 { try one.commit(Operations.create("n-\(number)"), mine) }
        one.store.writer?.snapshotter.finish()
        let written = base.revisions
        #expect(written.count == 1)
        try eventually { other.store.find("demo")?.withState(\.acknowledged) == 13 }
        let its = try #require(other.store.find("demo"))
        try other.commit(Operations.create("more"), its)
        other.store.writer?.snapshotter.finish()
        #expect(base.revisions == written)
        #expect(try base.bounds(of: mine.logged)?.oldest == 1)
        // The next one is due ten commits after the first.
        for number in 0..<10 { try other.commit(Operations.create("m-\(number)"), its) }
        other.store.writer?.snapshotter.finish()
        #expect(base.revisions.count == 2)
    }

    /// Notes the revisions of the snapshots that are written.
    private final class CountingSnapshots: LogWrapper {
        let base: any SessionLog = MemoryLog()
        private let written = Mutex<[Int64]>([])
        var revisions: [Int64] { written.withLock(\.self) }

        func write(_ snapshot: LogSnapshot, of session: LogSession) throws(LogFailure) {
            written.withLock { $0.append(snapshot.revision) }
            try base.write(snapshot, of: session)
        }
    }

    @Test("A session that lags behind truncated entries is loaded from the newest snapshot")
    func truncatedEntries() throws {
        let base = MemoryLog()
        let hostile = HostileLog(base, seed: 4)
        let (one, other) = (Process(base, seed: 1), Process(hostile, seed: 2))
        try other.store.follow { Issue.record($0) }
        let mine = try one.session("demo", Operations.start)
        hostile.tellAll()
        other.store.finishFollowing()
        let lagging = try #require(other.store.find("demo"))
        let listener = try Listener(lagging, .session, from: "now")
        for number in 0..<20 { try one.commit(Operations.create("n-\(number)"), mine) }
        let snapshot = try mine.withState { try $0.snapshot() }.logSnapshot()
        try base.write(snapshot, of: mine.logged)
        try #expect(base.truncate(mine.logged, through: 15) == 1...15)
        hostile.tellAll()
        other.store.finishFollowing()
        let its = try #require(other.store.find("demo"))
        #expect(its !== lagging && other.store.count == 1)
        #expect(its.withState(\.acknowledged) == 21 && its.digest == mine.digest)
        listener.drain()
        #expect(listener.isOver)
        try other.commit(Operations.create("more"), its)
        #expect(its.withState(\.acknowledged) == 22)
    }

    @Test(
        "A session that the log could not be read for is tried again later, and with the next news")
    func unreadableLog() throws {
        let base = MemoryLog()
        let failing = FailingLog(base)
        let (one, other) = (Process(base, seed: 1), Process(failing, seed: 2))
        let failures = Mutex<[ReplayError]>([])
        try other.store.follow { failure in failures.withLock { $0.append(failure) } }
        failing.failReads(with: LogFailure(.unavailable, "not now"))
        let first = try one.session("first")
        other.store.finishFollowing()
        #expect(failures.withLock { $0.map(\.session) } == ["first"])
        #expect(other.store.find("first") == nil)
        failing.failReads(with: nil)
        other.store.retryFollowing()
        other.store.finishFollowing()
        #expect(other.store.find("first") != nil)
        try one.commit(Operations.create("a"), first)
        let second = try one.session("second")
        other.store.finishFollowing()
        #expect(failures.withLock { $0.count } == 1)
        #expect(other.store.find("first")?.has("a") == true)
        #expect(other.store.find("second")?.uid == second.uid)
    }
}
