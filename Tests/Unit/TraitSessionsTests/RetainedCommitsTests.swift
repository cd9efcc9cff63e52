// The window of retained commits: its minimal and maximal number, its bytes and its age, with a clock that jumps.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Retained commits")
struct RetainedCommitsTests {
    private static let day: Int64 = 86_400_000

    private static func process(
        _ log: (any SessionLog)? = nil, min: Int = 10, max: Int = 20, bytes: Int = .max,
        age: Int64 = day
    ) -> Process {
        var limits = ServiceLimits.quiet
        limits.retainedCommitsMin = min
        limits.retainedCommitsMax = max
        limits.retainedBytesMax = bytes
        limits.retainedAgeMilliseconds = age
        return Process(log, seed: 1, limits: limits)
    }

    /// Writes until the session is at the revision, each commit after `step` milliseconds.
    private static func write(
        _ process: Process, _ session: Session, to revision: Int64, step: Int64 = 1
    ) throws {
        while session.head < revision {
            process.clock.move(by: step)
            try process.commit(Operations.set(Int(session.head)), session)
        }
    }

    @Test("The minimal number stays, however large and old; beyond it number, bytes and age count")
    func bounds() throws {
        for (process, step) in [
            (Self.process(), 1), (Self.process(bytes: 1), 1), (Self.process(age: 1_000), 2_000),
        ] as [(Process, Int64)] {
            let session = try process.session("demo", Operations.start)
            try Self.write(process, session, to: 10, step: step)
            let oldest = session.retained.oldestRevision ?? 0
            // A first commit beyond the bytes is never retained.
            #expect(oldest <= 2)
            try Self.write(process, session, to: 100, step: step)
            let isByNumber = step == 1 && session.retained.bytes > 1 && session.retained.count == 20
            #expect(isByNumber || session.retained.count == 10)
            #expect(session.retained.oldestRevision == 101 - Int64(session.retained.count))
        }
        // Number alone: the maximal number holds, also where it is below the minimal one.
        for (min, max) in [(10, 20), (1_000, 20)] {
            let process = Self.process(min: min, max: max)
            let session = try process.session("demo", Operations.start)
            try Self.write(process, session, to: 100)
            #expect(session.retained.count == 20)
        }
    }

    @Test("A clock that jumps ahead drops nothing at once, and never the minimal number")
    func jumps() throws {
        let log = MemoryLog()
        let process = Self.process(log)
        let session = try process.session("demo", Operations.start)
        try Self.write(process, session, to: 15)
        #expect(session.retained.oldestRevision == 1)
        // A year ahead.
        try Self.write(process, session, to: 16, step: 365 * Self.day)
        #expect(session.retained.oldestRevision == 1)
        // And back: the times stay where they were, since they never go back.
        try Self.write(process, session, to: 17, step: -365 * Self.day)
        let times = (7...17).compactMap { session.retained[$0]?.entry.time }
        #expect(times == times.sorted())
        #expect(session.retained.count == 10)
        // The log rebuilds the same window, by the times of the commits and not by the clock.
        process.clock.move(by: 1_000 * Self.day)
        let loaded = try Session.load(
            session.logged, from: log, limits: process.store.limits,
            environment: process.clock.environment(seed: 2))
        #expect(loaded.retained.oldestRevision == session.retained.oldestRevision)
        #expect(loaded.retained.count == 10)
    }

    @Test("The oldest commit of a session, of its snapshot and of a session without commits")
    func oldest() throws {
        let process = Self.process()
        let session = try process.session("demo", Operations.start)
        let created = session.withState(\.createdAt)
        #expect(session.withState { $0.oldestPast.revision } == 1)
        #expect(session.withState { $0.oldestPast.time } == created)
        try Self.write(process, session, to: 50, step: 7)
        let oldest = session.withState(\.oldestPast)
        #expect(oldest.revision == 31)
        #expect(oldest.time == session.retained[31]?.entry.time)
        let frozen = try session.withState { state throws(SessionError) in try state.snapshot() }
            .session().withState(\.oldestPast)
        #expect(frozen.revision == oldest.revision && frozen.time == oldest.time)
        // Before a write is refused for want of memory, all commits go but for the newest one.
        _ = session.withState { $0.shrinkWindow(to: 0, isLast: true).count }
        #expect(session.withState { $0.oldestPast.revision } == 50)
    }
}
