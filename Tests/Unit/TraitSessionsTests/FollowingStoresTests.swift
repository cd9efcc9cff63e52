// Stores that write to one log and follow it: own commits and those of others, whichever comes first.

import Foundation
import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing
import Waiting

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite
struct FollowingStoresTests {
    /// Two stores over one log that follow it, the first with a delaying view.
    private struct Pair {
        let base = MemoryLog()
        let delaying: DelayingLog
        let one: Process
        let other: Process

        init() throws {
            delaying = DelayingLog(base, isHolding: false)
            one = Process(delaying, seed: 1)
            other = Process(base, seed: 2)
            try one.store.follow()
            try other.store.follow()
        }

        /// The first store's session, and the second store's.
        func sessions() throws -> (Session, Session) {
            let mine = try one.session("demo", Operations.start)
            let its = try wait(other, for: 1)
            // An answer may come before the append returns, which must not be the one that is held.
            try eventually { !delaying.isAppending }
            return (mine, its)
        }

        /// Waits until a store has a revision of the session: the log notifies its followers one after the other.
        @discardableResult
        func wait(
            _ process: Process, for revision: Int64, isNot uid: String? = nil
        ) throws -> Session {
            var found: Session?
            try eventually {
                found = process.store.find("demo")
                return found.map { $0.uid != uid && $0.acknowledged >= revision } ?? false
            }
            return try #require(found)
        }
    }

    @Test(
        "A session that one store makes, changes and deletes appears, changes and goes in the other"
    )
    func following() throws {
        let pair = try Pair()
        let (mine, its) = try pair.sessions()
        let listener = try Listener(its, .session, from: "now")
        try pair.one.commit(Operations.create("a"), mine)
        try pair.wait(pair.other, for: 2)
        #expect(its.has("a") && its.withState(\.acknowledged) == 2)
        try pair.other.commit(Operations.create("b"), its)
        try pair.wait(pair.one, for: 3)
        #expect(mine.has("b") && mine.digest == its.digest)
        #expect(try pair.other.delete(its))
        try eventually { pair.one.store.find("demo") == nil }
        let next = try pair.one.session()
        #expect(try pair.wait(pair.other, for: 1, isNot: mine.uid).uid == next.uid)
        listener.drain()
        #expect(listener.isOver)
    }

    @Test("A tombstone that comes again to a session that has ended changes nothing")
    func endToldTwice() throws {
        let pair = try Pair()
        let (mine, _) = try pair.sessions()
        #expect(try pair.one.delete(mine))
        var wakes = WakeList()
        let end = LogEntry(revision: 2, time: 0, kind: .tombstone, payload: [], after: 0)
        // A thread that has read the entry before another one has applied it.
        let isKept = try mine.withState { state throws(ReplayError) in
            try state.reconcile(with: [end], last: nil, Replayer(), wakes: &wakes)
        }
        #expect(!isKept)
    }

    @Test(
        "A name that another store takes first leads to that store's session, once the log has said so"
    )
    func creation() throws {
        let pair = try Pair()
        pair.delaying.hold()
        let mine = OneOf<Session>()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [one = pair.one] in
            mine.value = try? one.session()
            done.signal()
        }
        #expect(pair.delaying.waitForHeld(1))
        let its = try pair.other.session("demo", Operations.start)
        // The first store hears of it while its own session has the name.
        pair.one.store.finishFollowing()
        #expect(pair.one.store.find("demo")?.uid != its.uid)
        pair.delaying.release()
        try pair.other.commit(Operations.create("a"), its)
        done.wait()
        let found = try pair.wait(pair.one, for: 2)
        #expect(found.uid == its.uid && found.has("a"))
        #expect(mine.value?.uid == its.uid)
    }

    @Test("A clock that is days ahead repeats no write with a key", arguments: [false, true])
    func clockAhead(hasOtherWrite: Bool) throws {
        let pair = try Pair()
        let (mine, its) = try pair.sessions()
        func send(_ session: Session, _ process: Process) throws -> CommitOutcome {
            var body = JSONWriter()
            var wakes = WakeList()
            defer { wakes.wake() }
            return try process.client.withDocument("[\(Operations.create("a"))]") {
                json throws(SessionError) -> CommitOutcome in
                var options = CommitOptions()
                options.idempotency = IdempotentRequest(caller: "c", key: "k", request: 8)
                switch try session.commit(
                    Proposal(.many(json), options), text: TextBuffer(), body: &body, wakes: &wakes)
                {
                case .held(let outcome, _, let response):
                    try response.wait()
                    return outcome
                case .done(let outcome, _): return outcome
                default: throw SessionError(.internalError, "The write waits.")
                }
            }
        }
        #expect(try send(mine, pair.one).isRepeated == false)
        try its.catchUp()
        pair.other.clock.set(aheadBy: 2 * 86_400_000)
        if hasOtherWrite { try pair.other.commit(Operations.create("b"), its) }
        #expect(try send(its, pair.other).isRepeated)
        try mine.catchUp()
        #expect(try send(mine, pair.one).isRepeated)
    }

    @Test("A write that was refused for a pending commit is answered as decided again")
    func refusedMeanwhile() throws {
        let pair = try Pair()
        let (mine, its) = try pair.sessions()
        pair.delaying.hold()
        var deletion = Write(.transaction([#"{"op":"deleteNode","node":"n1"}"#]))
        deletion.ifRevision = 0
        let first = try pair.one.start(deletion, to: mine)
        #expect(pair.delaying.waitForHeld(1))
        let second = try pair.one.client.withDocument("[\(Operations.set(5))]") {
            json throws(SessionError) in mine.queue(Proposal(.many(json)), isLong: false)
        }
        try eventually { mine.withState { $0.queue.responses.count } == 2 }
        try pair.other.commit(Operations.create("a"), its)
        try pair.wait(pair.one, for: 2)
        pair.delaying.release()
        let decisions = Wait.until([first, second])
        #expect(refusal(decisions[0]) == .revisionMismatch)
        #expect(isReleased(decisions[1]) && second.refusal == nil)
        #expect(second.outcome?.revision == 3 && mine.level == 5)
    }

    @Test("A write that is refused for another one that is decided again waits for that one")
    func refusedForPending() throws {
        let pair = try Pair()
        let (mine, its) = try pair.sessions()
        pair.delaying.hold()
        let first = try pair.one.start(Operations.create("a"), to: mine)
        #expect(pair.delaying.waitForHeld(1))
        var conditional = Write(.transaction([Operations.create("b")]))
        conditional.ifRevision = 0
        let second = try pair.one.start(conditional, to: mine)
        try pair.other.commit(Operations.create("c"), its)
        try pair.wait(pair.one, for: 2)
        // The first one is to be revision 3, which another writer may still have.
        if case .pending = second.decision {} else { Issue.record("\(second.decision)") }
        pair.delaying.release()
        #expect(isReleased(Wait.until([first])[0]))
        let decision = Wait.until([second])[0]
        #expect((refusal(decision) ?? second.refusal?.code) == .revisionMismatch)
        #expect(second.refusedAt == 3 && second.outcome == nil)
        #expect(throws: SessionError.self) { try second.wait() }
    }

    @Test(
        "A session that differs in memory alone is loaded anew, and its writes have no known outcome"
    )
    func wrongInMemory() throws {
        let pair = try Pair()
        let (mine, its) = try pair.sessions()
        mine.withState { $0.queue.chain = 1 }
        let write = try pair.one.start(Operations.create("a"), to: mine)
        pair.delaying.hold()
        try pair.other.commit(Operations.create("b"), its)
        try eventually { pair.one.store.find("demo").map { $0 !== mine && $0.has("b") } ?? false }
        #expect(pair.one.store.find("demo")?.digest == its.digest)
        pair.delaying.release()
        _ = Wait.until([write])
        #expect(refusal(write.decision) != nil)
    }

    @Test(
        "A session that cannot take its entries yet holds up neither others nor their confirmations"
    )
    func heldUp() throws {
        let pair = try Pair()
        let (_, its) = try pair.sessions()
        let next = try pair.one.session("next", Operations.start)
        try eventually { pair.other.store.find("next") != nil }
        let (owned, over) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            var wakes = WakeList()
            its.own(showsBefore: true, wakes: &wakes) { _, _ in
                owned.signal()
                over.wait()
            }
            wakes.wake()
        }
        defer { over.signal() }
        #expect(owned.wait(within: .seconds(30)))
        try pair.one.commit(Operations.create("a"), try #require(pair.one.store.find("demo")))
        try pair.one.commit(Operations.create("b"), next)
        let confirmations = try #require(pair.other.store.confirmations)
        var question = LogQuestion()
        question.names = ["demo"]
        let waiting = confirmations.response(to: question)
        question.names = ["next"]
        #expect(isReadAgain(Wait.until([confirmations.response(to: question)])[0]))
        #expect(pair.other.store.find("next")?.has("b") == true)
        if case .pending = waiting.decision {} else { Issue.record("\(waiting.decision)") }
        over.signal()
        #expect(isReadAgain(Wait.until([waiting])[0]))
        #expect(its.has("a"))
    }
}
