// What the snapshotter does when the log cannot say what it has, and when the log is short of space.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Snapshots of a shared log")
struct SnapshotterTests {
    /// A log whose list of snapshots cannot be read, or that is short of space, as the test says.
    private final class OddLog: LogWrapper {
        let base: any SessionLog = MemoryLog()
        let failsLists = Atomic(false)
        let isShort = Atomic(false)
        /// The revision through which another process truncates the log when a session's start has been read.
        let truncatedAtStart = Atomic<Int64>(0)

        func start(of session: LogSession) throws(LogFailure) -> LogStart {
            let start = try base.start(of: session)
            let revision = truncatedAtStart.exchange(0, ordering: .relaxed)
            if revision > 0 { try base.truncate(session, through: revision) }
            // What a shared log says, which keeps its entries beside the snapshot.
            return revision > 0 ? LogStart(newestSnapshot: start.newestSnapshot) : start
        }

        var isShortOfSpace: Bool { isShort.load(ordering: .relaxed) }

        func snapshotRevisions(of session: LogSession) throws(LogFailure) -> [Int64] {
            if failsLists.load(ordering: .relaxed) {
                throw LogFailure(.damaged(), "a list of snapshots in etcd is not readable")
            }
            return try base.snapshotRevisions(of: session)
        }
    }

    private func write(_ count: Int, _ process: Process, _ session: Session) throws {
        for value in 0..<count { try process.commit(Operations.set(value + 1), session) }
        process.store.finishSnapshots()
    }

    @Test("A list of snapshots that cannot be read is told, and nothing is written or truncated")
    func unreadableList() throws {
        let log = OddLog()
        var limits = ServiceLimits.quiet
        limits.snapshotEvery = 20
        limits.retainedCommitsMax = 10
        let process = Process(log, seed: 1, limits: limits)
        let session = try process.session("demo", Operations.start)
        log.failsLists.store(true, ordering: .relaxed)
        try write(30, process, session)
        #expect(try log.newestSnapshot(of: session.logged) == nil)
        #expect(try log.bounds(of: session.logged)?.oldest == 1)
        let failures = try #require(process.store.snapshotFailures)
        #expect(failures.count > 0)
        #expect(
            failures.newest == "session 'demo': a list of snapshots in etcd is not readable")
    }

    @Test("The copy of a small session is given back by the last reader, before others are made")
    func givenBackAtOnce() throws {
        let process = Process(MemoryLog(), seed: 2)
        let session = try process.session("demo", Operations.start)
        for _ in 0..<100 {
            var snapshot: SessionSnapshot? = try session.withState { state throws(SessionError) in
                try state.snapshot()
            }
            weak let copy = try snapshot?.session()
            #expect(copy != nil)
            snapshot = nil
            #expect(copy == nil)
        }
    }

    @Test("A session loads whose oldest entries are truncated while its loading begins")
    func truncatedMeanwhile() throws {
        let log = OddLog()
        var limits = ServiceLimits.quiet
        limits.snapshotEvery = 20
        let process = Process(log, seed: 3, limits: limits)
        let session = try process.session("demo", Operations.start)
        try write(30, process, session)
        let newest = try #require(try log.newestSnapshot(of: session.logged)?.revision)
        log.truncatedAtStart.store(newest, ordering: .relaxed)
        #expect(try session.replica(log).level == session.level)
        #expect(try log.bounds(of: session.logged)?.oldest == newest + 1)
    }

    @Test(
        "The time of a snapshot whose entry is gone is not known: reads of an earlier time are refused"
    )
    func unknownTime() throws {
        let log = MemoryLog()
        var limits = ServiceLimits.quiet
        limits.snapshotEvery = 20
        let process = Process(log, seed: 5, limits: limits)
        let session = try process.session("demo", Operations.start)
        process.clock.move(by: 3_600_000)
        try write(19, process, session)
        let head = session.head
        #expect(try log.newestSnapshot(of: session.logged)?.revision == head)
        try log.truncate(session.logged, through: head)
        let other = Process(log, seed: 6, limits: limits)
        other.clock.move(by: 7_200_000)
        try other.store.openAll()
        let again = try #require(other.store.find("demo"))
        let (present, created) = (other.clock.now, again.withState(\.createdAt))
        #expect(try again.withState { try $0.pastRevision(.time(present)) } == head)
        for time in [created, created + 1_800_000, present - 1] {
            let error = #expect(throws: SessionError.self) {
                try again.withState { try $0.pastRevision(.time(time)) }
            }
            #expect(error?.code == .historyGone)
        }
    }

    @Test("A log that is short of space keeps a hundred commits, and others what they promise")
    func shortOfSpace() throws {
        let log = OddLog()
        let process = Process(log, seed: 2)
        let session = try process.session("demo", Operations.start)
        try write(500, process, session)
        process.store.makeRoom()
        process.store.finishSnapshots()
        #expect(try log.bounds(of: session.logged)?.oldest == 1)
        #expect(try log.newestSnapshot(of: session.logged) == nil)
        log.isShort.store(true, ordering: .relaxed)
        // A session that nothing is written to.
        process.store.makeRoom()
        process.store.finishSnapshots()
        #expect(try log.newestSnapshot(of: session.logged)?.revision == 501)
        #expect(try log.bounds(of: session.logged)?.oldest == 402)
        try write(99, process, session)
        #expect(try log.bounds(of: session.logged)?.oldest == 402)
        try write(200, process, session)
        let oldest = try #require(try log.bounds(of: session.logged)?.oldest)
        #expect((602...701).contains(oldest), "\(oldest)")
        #expect(process.store.snapshotFailures?.count == 0)
        #expect(try session.replica(log).level == session.level)
    }
}
