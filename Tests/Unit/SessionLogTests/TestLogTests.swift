// The logs that tests drive do what the tests say, in the order they say it.

import Foundation
import SessionLog
import SessionLogTestSupport
import Synchronization
import Testing
import Waiting

@Suite("Logs that tests drive")
struct TestLogTests {
    static let session = LogSession(name: "s", uid: "abcdefghijkl")

    @Test("A delayed write is not in the log before it is released")
    func delayedWrite() throws {
        let log = DelayingLog()
        let appending = Appending(ChainWriter(Self.session).part(2), to: log)
        #expect(log.waitForHeld(1))
        #expect(log.heldBatches.map { $0.map(\.entries.count) } == [[2]])
        #expect(try log.bounds(of: Self.session) == nil)
        #expect(appending.result == nil)
        #expect(log.releaseOldest())
        #expect(appending.wait() == [.appended])
        #expect(try log.bounds(of: Self.session)?.head == 2)
        #expect(!log.releaseOldest())
    }

    @Test("A delayed answer belongs to entries that are in the log already")
    func delayedAnswer() throws {
        let log = DelayingLog(delay: .answer)
        let follower = CountingFollower()
        let subscription = log.follow(follower)
        let appending = Appending(ChainWriter(Self.session).part(), to: log)
        #expect(log.waitForHeld(1))
        #expect(try log.bounds(of: Self.session)?.head == 1)
        #expect(follower.calls(for: Self.session) == [[1]])
        #expect(appending.result == nil)
        log.release()
        #expect(appending.wait() == [.appended])
        withExtendedLifetime(subscription) {}
    }

    @Test("Appends are held again when the test says so, and all go on at its end")
    func holding() throws {
        let arrived = Mutex(0)
        let log = DelayingLog(isHolding: false) { _ in arrived.withLock { $0 += 1 } }
        var writer = ChainWriter(Self.session)
        #expect(writer.append(to: log) == .appended)
        #expect(arrived.withLock { $0 } == 0)
        log.hold()
        let first = Appending(writer.part(), to: log)
        #expect(log.waitForHeld(1))
        let other = LogSession(name: "t", uid: "t")
        let second = Appending(ChainWriter(other).part(), to: log)
        #expect(log.waitForHeld(2))
        #expect(log.releaseOldest())
        #expect(first.wait() == [.appended])
        #expect(second.result == nil)
        log.release()
        #expect(second.wait() == [.appended])
        #expect(arrived.withLock { $0 } == 2)
        #expect(!log.waitForHeld(1, within: 0))
    }

    @Test("A script decides parts in order, and then they pass")
    func script() throws {
        let conflict = LogConflict(head: 9)
        let log = FailingLog(script: [.refused(reason: "full"), .pass, .conflict(conflict)])
        var writer = ChainWriter(Self.session)
        #expect(writer.append(to: log) == .refused(reason: "full"))
        let other = ChainWriter(LogSession(name: "t", uid: "t"))
        #expect(log.append([writer.part(), other.part()]) == [.appended, .conflict(conflict)])
        #expect(log.stepsLeft == 0)
        #expect(try log.bounds(of: Self.session)?.head == 1)
        #expect(try log.bounds(of: other.session) == nil)
        writer.note(writer.entries(1)[0])
        #expect(writer.append(to: log) == .appended)
        log.add(.refused())
        #expect(log.append(writer.entries(1)[0], to: Self.session, expecting: 2) != .appended)
    }

    @Test("An unknown result leaves the entries in the log or not, as the script says")
    func unknown() throws {
        let log = FailingLog(script: [.unknown(written: false), .unknown(written: true)])
        var writer = ChainWriter(Self.session)
        #expect(writer.append(to: log) == .unknown(reason: "the flush failed"))
        #expect(try log.bounds(of: Self.session) == nil)
        #expect(writer.append(to: log) == .unknown(reason: "the flush failed"))
        #expect(try log.bounds(of: Self.session)?.head == 1)
        // The writer tries the same entries again, and learns that they are there.
        #expect(
            writer.append(to: log) == .conflict(LogConflict(head: 1, holder: Self.session)))
    }

    @Test("Reads and upkeep fail while the test wants them to, and appends do not")
    func failures() throws {
        let log = FailingLog()
        var writer = ChainWriter(Self.session)
        let failure = LogFailure(.unavailable, "no route")
        log.failReads(with: failure)
        #expect(throws: failure) { try log.sessions() }
        #expect(throws: failure) { try log.session(named: "s") }
        #expect(throws: failure) { try log.bounds(of: Self.session) }
        #expect(throws: failure) { try log.tail(of: Self.session, after: 0, limit: 1) }
        #expect(throws: failure) { try log.newestSnapshot(of: Self.session) }
        #expect(writer.append(endingWith: .commit, to: log) == .appended)
        log.failReads(with: nil)
        log.failUpkeep(with: failure)
        let snapshot = LogSnapshot(revision: 1, checksum: writer.checksum, payload: [])
        #expect(throws: failure) { try log.write(snapshot, of: Self.session) }
        #expect(throws: failure) { try log.truncate(Self.session, through: 1) }
        #expect(throws: failure) { try log.forget(Self.session) }
        #expect(try log.bounds(of: Self.session)?.oldest == 1)
        log.failUpkeep(with: nil)
        try log.write(snapshot, of: Self.session)
    }

    @Test("Another writer is first when the test says so")
    func racing() throws {
        let shared = MemoryLog()
        let log = RacingLog(shared)
        var writer = ChainWriter(Self.session)
        writer.append(to: shared)
        let winner = writer
        log.beforeNextAppend { base in _ = base.append([winner.part(2)]) }
        #expect(log.racesLeft == 1)
        #expect(writer.append(to: log) == .conflict(LogConflict(head: 3)))
        #expect(log.racesLeft == 0)
        var caughtUp = try ChainWriter(Self.session, readingFrom: log)
        #expect(caughtUp.append(to: log) == .appended)
        #expect(shared.bounds(of: Self.session)?.head == 4)
    }
}

/// An append on a thread of its own, as it may block.
private final class Appending: Sendable {
    private let results = Mutex<[AppendResult]?>(nil)
    private let end = DispatchSemaphore(value: 0)

    init(_ part: LogAppend, to log: any SessionLog) {
        Thread.detachNewThread { [self] in
            let answer = log.append([part])
            results.withLock { $0 = answer }
            end.signal()
        }
    }

    var result: [AppendResult]? { results.withLock { $0 } }

    /// Waits for the results; nil when the time is up before.
    func wait() -> [AppendResult]? {
        _ = end.wait(within: .seconds(30))
        return result
    }
}
