// A replica in the same process: it has each revision as the leader had it, and sends the same.

import Dispatch
import Foundation
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing

@testable import SessionViews
@testable import TraitSessions

@Suite
struct FollowerTests {
    /// Waits until a session has acknowledged a revision.
    private func wait(_ session: Session, for revision: Int64) throws {
        while let response = session.withState({ $0.pendingResponse(until: revision) }) {
            switch Wait.until([response])[0] {
            case .released: return
            // Entries before that revision came.
            case .readAgain: continue
            default: throw Differs("revision \(revision) never came")
            }
        }
    }

    @Test("Streams of a subtree and of a session send the same of commits of another store")
    func subtrees() throws {
        let log = MemoryLog()
        var limits = ServiceLimits.quiet
        limits.heartbeatMilliseconds = 1_000
        let process = Process(log, seed: 1, limits: limits)
        let leader = try process.session("demo", Operations.start)
        let follower = try Session.load(
            leader.logged, from: log, limits: limits,
            environment: process.clock.environment(seed: 2))
        let listeners = try [leader, follower].map { session in
            [
                try Listener(session, .subtree("n1"), from: nil),
                try Listener(session, .session, from: nil),
            ]
        }
        for operation in [
            Operations.register("r", label: "x"), Operations.set(5),
            #"{"op":"deleteNode","node":"n1"}"#,
        ] {
            try process.commit(operation, leader)
            try follower.catchUp()
            process.clock.move(by: 5_000)
            for listener in listeners.joined() { listener.drain() }
        }
        for (one, other) in zip(listeners[0], listeners[1]) {
            // The first record says when the stream was opened.
            #expect(one.records.dropFirst().elementsEqual(other.records.dropFirst()))
            #expect(text(one.bytes).contains("setChanged"))
        }
        #expect(listeners[1][0].isOver)
    }

    @Test("A new state in a session's stream comes behind the commits that were pending")
    func stateBehindPendingCommits() throws {
        let log = DelayingLog(isHolding: false)
        var limits = ServiceLimits.quiet
        limits.heartbeatMilliseconds = 1_000
        let process = Process(log, seed: 1, limits: limits)
        let session = try process.session("demo", Operations.start)
        let listener = try Listener(session, .session, from: nil)
        listener.drain()
        try process.commit(Operations.register("r", label: "x"), session)
        listener.drain()
        log.hold()
        let write = try process.start(Operations.set(5), to: session)
        #expect(log.waitForHeld(1))
        process.clock.move(by: 5_000)
        listener.drain()
        log.release()
        _ = Wait.until([write])
        for _ in 0..<3 { listener.drain() }
        let types = listener.records.map { record in
            ["commit", "reset", "sync"].first { text(Array(record)).contains("\"type\":\"\($0)\"") }
        }
        #expect(types.compactMap(\.self) == ["sync", "commit", "commit", "reset", "sync"])
    }

    @Test("A follower has the leader's digest at each revision and sends the same records")
    func races() throws {
        let log = MemoryLog()
        let process = Process(log, seed: 1)
        let leader = try process.session("demo", Operations.start)
        try process.commit(Operations.register("r", label: "x"), leader)
        let other = Process(log, seed: 2)
        try other.store.follow()
        other.store.finishFollowing()
        let follower = try #require(other.store.find("demo"))
        let listeners = try [leader, follower].flatMap { session in
            [
                try Listener(session, .session, from: "1"),
                try Listener(session, .registrations(["r"]), .serverSentEvents, from: "1"),
            ]
        }
        let count = 150
        let store = process.store
        DispatchQueue.concurrentPerform(iterations: 5) { thread in
            if thread == 4 {
                // Reads and streams at the same time.
                for number in 0..<count {
                    _ = Dump.bytes(of: follower)
                    listeners[number % 4].drain()
                }
                return
            }
            let client = Client(store)
            for number in 0..<count {
                let name = "n\(thread)-\(number)"
                _ = try? client.transaction(
                    "[\(Operations.create(name)),\(Operations.set(thread * 1_000 + number + 1))]",
                    to: leader)
            }
        }
        let head = leader.withState { $0.head }
        #expect(head == Int64(2 + 4 * count))
        try wait(follower, for: head)
        #expect(follower.digest == leader.digest)
        #expect(Dump.bytes(of: follower) == Dump.bytes(of: leader))
        for listener in listeners { listener.drain() }
        #expect(listeners[0].records.count == 1 + Int(head - 1) + Int(head - 2))
        // The first record has the head at the time of opening, so it may differ.
        for place in 0..<2 {
            let (one, other) = (listeners[place].records, listeners[place + 2].records)
            #expect(one.count == other.count)
            #expect(one.dropFirst().elementsEqual(other.dropFirst()))
        }
        // Each entry holds the digest that the leader had there, and the follower's replay compares.
        for revision in 1...head {
            #expect(
                leader.retained[revision]?.entry.checksum
                    == follower.retained[revision]?.entry.checksum)
        }
    }

    @Test("A store that is released lets go of the log")
    func release() throws {
        let log = MemoryLog()
        let process = Process(log, seed: 1)
        let leader = try process.session("demo", Operations.start)
        weak var known: SessionStore?
        do {
            let other = Process(log, seed: 2)
            known = other.store
            try other.store.follow()
            try process.commit(Operations.create("a"), leader)
            other.store.finishFollowing()
            #expect(other.store.find("demo")?.withState(\.acknowledged) == 2)
        }
        try process.commit(Operations.create("b"), leader)
        #expect(known == nil)
    }

    @Test("A follower sees the end of its session, also when the log has forgotten it")
    func end() throws {
        let log = MemoryLog()
        let process = Process(log, seed: 1)
        let leader = try process.session("demo", Operations.start)
        let follower = try Session.load(
            leader.logged, from: log, limits: .quiet,
            environment: Clock().environment(seed: 2))
        let listener = try Listener(follower, .session, from: "now")
        #expect(try process.delete(leader))
        try log.forget(leader.logged)
        try follower.catchUp()
        #expect(follower.isDeleted)
        listener.drain()
        #expect(listener.isOver)
    }
}
