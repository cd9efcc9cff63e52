// Temporary values in a log that several stores share: each of them watches the time, and one commit ends a value.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitSessions

@Suite
struct SharedExpiringTests {
    /// Two stores over one log, the first with a view of it that can delay appends.
    private final class Pair {
        let base = MemoryLog()
        let delaying: DelayingLog
        let processes: [Process]

        init() throws {
            delaying = DelayingLog(base, isHolding: false)
            processes = [Process(delaying, seed: 1), Process(base, seed: 2)]
            for process in processes { try process.store.follow() }
            let session = try processes[0].session("demo", Operations.start)
            try processes[0].commit(Operations.set(7, ttl: 5), session)
            try settle()
        }

        var sessions: [Session] { processes.compactMap { $0.store.find("demo") } }
        var levels: [Int?] { sessions.map(\.level) }
        var heads: [Int64] { sessions.map { $0.withState(\.acknowledged) } }

        /// Waits until both stores have applied what they have begun.
        func settle() throws {
            for session in sessions {
                _ = Wait.until([session.queue(for: nil) { _ in }])
                try eventually { session.withState { $0.queue.pending.isEmpty } }
            }
            // The log notifies one store after the other, and the first one may have answered its client by now.
            base.confirm(LogQuestion()) { _ in }
            for process in processes { process.store.finishFollowing() }
        }

        func pass(_ milliseconds: Int64, ends: [Int] = [0, 1]) throws {
            for process in processes { process.clock.move(by: milliseconds) }
            for process in ends { processes[process].store.endExpiredValues() }
            try settle()
        }
    }

    @Test("One commit ends a value, whichever stores see the time", arguments: [[0], [1], [0, 1]])
    func ends(by stores: [Int]) throws {
        let pair = try Pair()
        try pair.pass(4_999, ends: stores)
        #expect(pair.levels == [7, 7] && pair.heads == [2, 2])
        try pair.pass(1, ends: stores)
        #expect(pair.levels == [0, 0] && pair.heads == [3, 3])
        for _ in 0..<4 { try pair.pass(6_000) }
        #expect(pair.heads == [3, 3])
    }

    @Test("An end that another store has committed meanwhile is no second commit")
    func race() throws {
        let pair = try Pair()
        for process in pair.processes { process.clock.move(by: 5_000) }
        pair.delaying.hold()
        // The first store decides the end, which does not reach the log, and the second one is faster.
        pair.processes[0].store.endExpiredValues()
        try eventually { pair.delaying.isAppending }
        pair.processes[1].store.endExpiredValues()
        try eventually { pair.sessions[1].withState(\.acknowledged) == 3 }
        pair.delaying.release()
        try pair.settle()
        #expect(pair.levels == [0, 0] && pair.heads == [3, 3])
        try pair.pass(10_000)
        #expect(pair.heads == [3, 3])
    }

    @Test("An end loses to a write of another store that has the value stay")
    func write() throws {
        let pair = try Pair()
        for process in pair.processes { process.clock.move(by: 5_000) }
        pair.delaying.hold()
        pair.processes[0].store.endExpiredValues()
        try eventually { pair.delaying.isAppending }
        try pair.processes[1].commit(Operations.set(7), pair.sessions[1])
        pair.delaying.release()
        try pair.settle()
        #expect(pair.levels == [7, 7] && pair.heads == [3, 3])
        try pair.pass(10_000)
        #expect(pair.levels == [7, 7] && pair.heads == [3, 3])
    }
}

extension Operations {
    fileprivate static func set(_ value: Int, ttl: Int) -> String {
        #"{"op":"setOverride","node":"n1","trait":"level","value":\#(value),"ttl":\#(ttl)}"#
    }
}
