// Registrations with a `ttl` in a log that several stores share: a stream at one store keeps what the others would end.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitSessions

@Suite
struct SharedLeaseTests {
    private static let registration =
        #"{"op":"register","registration":"r","node":"n1","traits":["level"],"ttl":5}"#

    /// Two stores over one log.
    private final class Pair {
        let base = MemoryLog()
        let processes: [Process]
        var mine: Session { get throws { try #require(processes[0].store.find("demo")) } }
        var its: Session { get throws { try #require(processes[1].store.find("demo")) } }

        init() throws {
            processes = [Process(base, seed: 1), Process(base, seed: 2)]
            for process in processes { try process.store.follow() }
            let session = try processes[0].session("demo", Operations.start)
            try processes[0].commit(SharedLeaseTests.registration, session)
            try settle()
            // Each store has asked once for the notes of the others.
            try pass(1)
        }

        /// Has seconds pass, one after another, at both stores or at one, as the other has died.
        func pass(_ seconds: Int, of one: Process? = nil) throws {
            let living = one.map { [$0] } ?? processes
            for _ in 0..<seconds {
                for process in living { process.clock.move(by: 1_000) }
                for process in living {
                    process.store.endExpiredLeases()
                    try settle()
                }
            }
        }

        /// The second process has died, and the log has noticed.
        func loseSecond() throws {
            base.forgetLeases(of: try #require(processes[1].store.surroundings.writerName))
        }

        /// Waits until both stores have applied what they have begun.
        func settle() throws {
            for process in processes {
                guard let session = process.store.find("demo") else { continue }
                _ = Wait.until([session.queue(for: nil) { _ in }])
                try eventually { session.withState { $0.queue.pending.isEmpty } }
            }
            // The log notifies one store after the other, and the first one may have answered its client by now.
            base.confirm(LogQuestion()) { _ in }
            for process in processes { process.store.finishFollowing() }
        }

        var registrations: [Int] {
            processes.compactMap {
                $0.store.find("demo")?.withState { $0.hierarchy.registrationCount }
            }
        }

        var heads: [Int64] {
            processes.compactMap { $0.store.find("demo")?.withState(\.acknowledged) }
        }
    }

    @Test(
        "A stream at one store keeps a registration for all, and when it has closed the ttl begins")
    func stream() throws {
        let pair = try Pair()
        let reader = try Listener(try pair.its, .registrations(["r"]), from: "now")
        reader.listen()
        try pair.pass(30)
        #expect(pair.registrations == [1, 1])
        reader.close()
        try pair.pass(4)
        #expect(pair.registrations == [1, 1])
        try pair.pass(4)
        #expect(pair.registrations == [0, 0])
        #expect(pair.heads == [3, 3])
    }

    @Test("A stream that goes from one store to the other keeps its registration")
    func movingStream() throws {
        let pair = try Pair()
        for round in 0..<6 {
            let session = round.isMultiple(of: 2) ? try pair.mine : try pair.its
            let reader = try Listener(session, .registrations(["r"]), from: "now")
            reader.listen()
            try pair.pass(7)
            reader.close()
            try pair.pass(3)
            #expect(pair.registrations == [1, 1])
        }
    }

    @Test(
        "The registration of a stream whose store has died ends its ttl after the log has noticed")
    func death() throws {
        let pair = try Pair()
        let reader = try Listener(try pair.its, .registrations(["r"]), from: "now")
        reader.listen()
        try pair.pass(10)
        try pair.loseSecond()
        try pair.pass(5, of: pair.processes[0])
        #expect(pair.registrations == [1, 1])
        try pair.pass(3, of: pair.processes[0])
        #expect(pair.registrations == [0, 0])
        reader.close()
    }

    @Test("A renewal counts for a store that hears of it when the store that renewed has died")
    func renewalOfTheDead() throws {
        let pair = try Pair()
        try pair.pass(3)
        let renewal = Write(
            .putRegistration("r", #"{"node":"n1","traits":["level"],"ttl":5}"#))
        _ = pair.processes[1].client.sendAndWait(renewal, to: try pair.its)
        pair.processes[1].store.confirmations?.exchangeLeases()
        try pair.loseSecond()
        try pair.pass(3, of: pair.processes[0])
        #expect(pair.registrations == [1, 1])
        try pair.pass(5, of: pair.processes[0])
        #expect(pair.registrations == [0, 0])
    }

    @Test("A lease whose end the log refused after a long time ends later")
    func refusedEnd() throws {
        let failing = FailingLog()
        let log = DelayingLog(failing, isHolding: false)
        let process = Process(log, seed: 1)
        try process.store.follow()
        let session = try process.session("demo", Operations.start)
        try process.commit(Self.registration, session)
        process.store.endExpiredLeases()
        log.hold()
        failing.add(.refused())
        process.clock.move(by: 7_000)
        process.store.endExpiredLeases()
        #expect(log.waitForHeld(1))
        // The lease is looked at again while its end waits.
        process.clock.move(by: 11_000)
        process.store.endExpiredLeases()
        log.release()
        try eventually { session.withState { $0.queue.pending.isEmpty } }
        #expect(session.withState { $0.hierarchy.registrationCount } == 1)
        process.clock.move(by: 11_000)
        process.store.endExpiredLeases()
        _ = Wait.until([session.queue(for: nil) { _ in }])
        try eventually { session.withState { $0.queue.pending.isEmpty } }
        #expect(session.withState { $0.hierarchy.registrationCount } == 0)
    }

    @Test("The note of a lease that is over is taken out of the log by any store, after a week")
    func forgottenNote() throws {
        let base = MemoryLog()
        let process = Process(base, seed: 1)
        try process.store.follow()
        let dead = SharedLeases(process: "dead", process.store.surroundings.environment)
        let lease = LogLease(uid: "u", registration: "r", revision: 1)
        dead.note(lease, .renewed)
        var question = LogQuestion()
        question.leaseNotes = dead.takeUntold()
        base.confirm(question) { _ in }
        let leases = try #require(process.store.surroundings.leases)
        for days: Int64 in [0, 7] {
            process.clock.move(by: days * 86_400_000)
            process.store.confirmations?.exchangeLeases()
            #expect(leases.renewal(of: lease) != nil && leases.takeUntold() == nil)
        }
        process.clock.move(by: 1)
        process.store.confirmations?.exchangeLeases()
        process.store.confirmations?.exchangeLeases()
        #expect(leases.renewal(of: lease) == nil)
    }

    @Test("A renewal that the log did not take is told again, and no lease ends before")
    func failure() throws {
        let base = MemoryLog()
        let failing = FailingLog(base)
        let process = Process(failing, seed: 1)
        try process.store.follow()
        let other = Process(base, seed: 2)
        try other.store.follow()
        let leases = try #require(process.store.surroundings.leases)
        let lease = LogLease(uid: "u", registration: "r", revision: 1)
        leases.note(lease, .held)
        failing.failReads(with: LogFailure(.unavailable, "the network is down"))
        process.store.confirmations?.exchangeLeases()
        #expect(leases.mark == nil)
        failing.failReads(with: nil)
        process.store.confirmations?.exchangeLeases()
        other.store.confirmations?.exchangeLeases()
        let seen = try #require(other.store.surroundings.leases)
        #expect(seen.renewal(of: lease) != nil && seen.mark != nil)
    }
}
