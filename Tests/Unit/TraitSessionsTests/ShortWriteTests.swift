// What an event loop carries out itself, what it leaves to a thread, and that what it gave up left
// nothing behind.

import Foundation
import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Short writes")
struct ShortWriteTests {
    private let process = Process(seed: 1)

    private func nodes(_ count: Int, below parent: String, _ prefix: String = "n") -> [String] {
        (0..<count).map {
            "{\"op\":\"createNode\",\"node\":\"\(prefix)\($0)\",\"kind\":\"environment\","
                + "\"parent\":\"\(parent)\"}"
        }
    }

    private func root(_ name: String) -> String {
        "{\"op\":\"createNode\",\"node\":\"\(name)\",\"kind\":\"environment\"}"
    }

    private func set(_ node: String, _ value: Int) -> String {
        "{\"op\":\"setOverride\",\"node\":\"\(node)\",\"trait\":\"displayScale\",\"value\":\(value)}"
    }

    private func register(_ count: Int, at node: (Int) -> String) -> [String] {
        (0..<count).map {
            "{\"op\":\"register\",\"registration\":\"r\($0)\",\"node\":\"\(node($0))\","
                + "\"traits\":[\"displayScale\"]}"
        }
    }

    /// Whether an event loop would have carried it out; when not, nothing has changed.
    private func isShort(_ operations: [String], _ session: Session) throws -> Bool {
        let before = (session.digest, session.head)
        let text = "[" + operations.joined(separator: ",") + "]"
        let result = try process.client.withDocument(text) { list throws(SessionError) in
            var body = JSONWriter()
            var wakes = WakeList()
            return try session.commit(
                Proposal(.many(list)), text: TextBuffer(), body: &body, wakes: &wakes)
        }
        switch result {
        case .done: return true
        case .takesLong:
            #expect(session.digest == before.0 && session.head == before.1)
            try session.withState { try $0.hierarchy.checkInvariants() }
            return false
        case .held, .pending, .mustWait: throw Differs("the write was not decided at once")
        }
    }

    @Test(
        "A commit of very many operations takes long to acknowledge although no stream delivers it")
    func manyOperations() throws {
        let session = try process.session()
        try process.commit(root("a"), session)
        func publishesLong(_ operations: [String]) throws -> Bool? {
            _ = try process.client.transaction(
                "[" + operations.joined(separator: ",") + "]", to: session)
            return session.withState { state in
                state.retained[state.head]?.takesLongToPublish
            }
        }
        #expect(try publishesLong([set("a", 1)]) == false)
        #expect(try publishesLong(nodes(WorkBudget.Short.acknowledgedMax, below: "a")) == false)
        #expect(
            try publishesLong(nodes(WorkBudget.Short.acknowledgedMax + 1, below: "a", "m")) == true)
    }

    @Test("A long write behind a commit that the log has not answered is carried out after it")
    func behindCommit() throws {
        let log = DelayingLog(isHolding: false)
        let process = Process(log, seed: 2)
        let session = try process.session()
        try process.commit(root("a"), session)
        log.hold()
        let short = Thread {
            _ = try? process.client.transaction("[\(set("a", 1))]", to: session, ifRevision: nil)
        }
        short.start()
        #expect(log.waitForHeld(1))
        let other = Client(process.store)
        let response = try other.withDocument("[\(set("a", 2)),\(root("b"))]") {
            list throws(SessionError) in session.queue(Proposal(.many(list)), isLong: true)
        }
        // The queue's thread has taken the write, or waits for the log.
        while session.lock.peek({ _ in
            !session.gate.writes.isEmpty && !session.gate.writes.waitsForLog
        }) { sched_yield() }
        log.release()
        #expect(isReleased(Wait.until([response])[0]))
        #expect(session.head == 4)
    }

    @Test("A small write in a large session with many registrations is short")
    func small() throws {
        let session = try process.session()
        try process.commit(
            ([root("a"), root("b"), root("c")] + nodes(2_000, below: "a")).joined(separator: ","),
            session)
        try process.commit(
            register(2_000) { "n\($0)" }.joined(separator: ","), session)
        #expect(try isShort([set("b", 1)], session))
        #expect(try isShort([set("n7", 1)], session))
        #expect(try isShort(["{\"op\":\"deleteNode\",\"node\":\"n7\"}"], session))
        #expect(
            try isShort(
                ["{\"op\":\"updateNode\",\"node\":\"a\",\"parent\":\"c\"}"], session))
    }

    @Test("A commit that more than some hundreds hear of takes long", arguments: [false, true])
    func heard(atOneNode: Bool) throws {
        let session = try process.session()
        try process.commit(
            ([root("a")] + nodes(1_000, below: "a")).joined(separator: ","), session)
        let few = WorkBudget.Short.notifyingStepsMax / 4
        try process.commit(
            register(few) { atOneNode ? "a" : "n\($0)" }.joined(separator: ","), session)
        #expect(try isShort([set("a", 1)], session))
        let more = (few..<1_000).map {
            "{\"op\":\"register\",\"registration\":\"r\($0)\",\"node\":\"\(atOneNode ? "a" : "n\($0)")\","
                + "\"traits\":[\"displayScale\"]}"
        }
        try process.commit(more.joined(separator: ","), session)
        #expect(try !isShort([set("a", 2)], session))
        // The long write notifies all registrations. The short one that was given up left no trace.
        let outcome = try process.commit(set("a", 2), session)
        #expect(outcome.notified == 1_000)
        #expect(try isShort([set("n3", 5)], session))
        try session.withState { try $0.hierarchy.checkInvariants() }
    }

    @Test("Deleting takes long by what hangs below and what is registered there")
    func deleting() throws {
        let session = try process.session()
        try process.commit(
            ([root("a"), root("b"), root("c")]
                + nodes(WorkBudget.Short.deletedMax * 2, below: "a", "a")
                + nodes(20, below: "b", "b"))
                .joined(separator: ","), session)
        try process.commit(register(600) { _ in "c" }.joined(separator: ","), session)
        #expect(try isShort(["{\"op\":\"deleteNode\",\"node\":\"b\"}"], session))
        #expect(try !isShort(["{\"op\":\"deleteNode\",\"node\":\"a\"}"], session))
        #expect(try !isShort(["{\"op\":\"deleteNode\",\"node\":\"c\"}"], session))
        try process.commit(
            "{\"op\":\"deleteNode\",\"node\":\"a\"},{\"op\":\"deleteNode\",\"node\":\"c\"}", session
        )
        #expect(session.hierarchy.nodeCount == 0 && session.hierarchy.registrationCount == 0)
    }

    @Test("A new name takes long by the registrations of the node, and a copy by its text")
    func renamingAndCopying() throws {
        let session = try process.session()
        try process.commit([root("a"), root("c")].joined(separator: ","), session)
        try process.commit(register(600) { _ in "c" }.joined(separator: ","), session)
        func rename(_ node: String) -> String {
            "{\"op\":\"renameNode\",\"node\":\"\(node)\",\"to\":\"other\"}"
        }
        #expect(try isShort([rename("a")], session))
        #expect(try !isShort([rename("c")], session))
        let long = String(repeating: "x", count: 16_000)
        let traits = (0..<20).map {
            "{\"op\":\"defineTrait\",\"trait\":\"t\($0)\",\"definition\":{\"type\":\"string\",\"default\":\"\"}},"
                + "{\"op\":\"setOverride\",\"node\":\"other\",\"trait\":\"t\($0)\",\"value\":\"\($0)\(long)\"}"
        }
        try process.commit(traits.joined(separator: ","), session)
        func copy(_ name: String) -> String {
            "{\"op\":\"copyNode\",\"node\":\"other\",\"to\":\"\(name)\",\"depth\":0}"
        }
        try process.commit(copy("p"), session)
        #expect(try !isShort([copy("q")], session), "320,000 bytes of text")
        #expect(try !isShort([copy("q")] + nodes(3, below: "q", "m"), session))
    }

    @Test("Many operations take long, and so does an update of many nodes")
    func counted() throws {
        let session = try process.session()
        try process.commit(root("a"), session)
        #expect(try isShort([set("a", 1), set("a", 2)], session))
        let many = (0...WorkBudget.Short.operationsMax).map { set("a", $0 + 3) }
        #expect(try !isShort(many, session))
        let layout = try process.session("layout", "{\"updates\":\"layout\"}")
        try process.commit(
            ([root("a")] + nodes(900, below: "a")).joined(separator: ","), layout)
        #expect(try isShort(["{\"op\":\"layout\"}"], layout))
        try process.commit(nodes(200, below: "a", "m").joined(separator: ","), layout)
        #expect(try !isShort(["{\"op\":\"layout\"}"], layout))
        try process.commit("{\"op\":\"layout\"}", layout)
        // Nothing waits for an update.
        #expect(try isShort(["{\"op\":\"layout\"}", set("a", 7)], layout))
    }

    @Test("A tracked scope takes long by how many traits it reads, whose values are answered")
    func answering() throws {
        let session = try process.session()
        let count = WorkBudget.Short.scopeReadsMax + 1
        let traits = (0..<count).map {
            "{\"op\":\"defineTrait\",\"trait\":\"t\($0)\","
                + "\"definition\":{\"type\":\"string\",\"default\":\"\"}}"
        }
        try process.commit((traits + [root("a")]).joined(separator: ","), session)
        func scope(_ count: Int) -> String {
            let reads = (0..<count).map { "\"t\($0)\"" }.joined(separator: ",")
            return "{\"op\":\"setScope\",\"node\":\"a\",\"scope\":\"draw\",\"reads\":[\(reads)]}"
        }
        #expect(try isShort([scope(count - 1)], session))
        #expect(try !isShort([scope(count)], session))
        try process.commit(scope(count), session)
        #expect(session.hierarchy.nodeCount == 1)
    }

    @Test("A move takes long when what hangs below has to be measured")
    func moving() throws {
        let session = try process.session("deep", "{\"limits\":{\"depthMax\":11}}")
        let chain = (0..<5).map {
            "{\"op\":\"createNode\",\"node\":\"c\($0)\",\"kind\":\"environment\""
                + ($0 == 0 ? "}" : ",\"parent\":\"c\($0 - 1)\"}")
        }
        try process.commit(
            (chain + [root("a")] + nodes(300, below: "a")).joined(separator: ","), session)
        // The tree may be as deep as five levels: twice that, with the nodes themselves, is beyond the limit.
        let move = "{\"op\":\"updateNode\",\"node\":\"a\",\"parent\":\"c4\"}"
        #expect(try !isShort([move], session))
        try process.commit(move, session)
        #expect(
            try isShort(["{\"op\":\"updateNode\",\"node\":\"n1\",\"parent\":\"c4\"}"], session))
    }
}

@Suite("A session's lock")
struct SessionLockTests {
    @Test("While a thread owns it, the owner passes, `tryLock` fails and `lock` waits for others")
    func owning() throws {
        let lock = SessionLock()
        let order = Order()
        lock.own()
        lock.lock()
        #expect(lock.tryLock())
        lock.unlock()
        lock.unlock()
        let done =
            (try concurrentlyOnce {
                #expect(!lock.tryLock())
                #expect(lock.peek { $0 })
                order.add("asked")
            })
        done()
        let waiting = try concurrentlyOnce {
            lock.lock()
            order.add("locked")
            lock.unlock()
        }
        #expect(!lock.peek { $0 }, "the owner is not another one")
        order.add("free")
        lock.disown()
        waiting()
        #expect(order.all == ["asked", "free", "locked"])
        #expect(lock.tryLock())
        lock.unlock()
    }

    @Test("What is left for later is done in its order before the session is free")
    func later() throws {
        let process = Process(seed: 3)
        let session = try process.session()
        let order = Order()
        var wakes = WakeList()
        try session.own(showsBefore: false, wakes: &wakes) { _, _ in
            try concurrentlyOnce {
                for number in 0..<3 { session.nowOrLater { _, _ in order.add("\(number)") } }
                #expect(session.withStateIfFree { _ in } == nil)
            }()
            #expect(order.all.isEmpty)
        }
        #expect(order.all == ["0", "1", "2"])
        session.nowOrLater { _, _ in order.add("now") }
        #expect(order.all.last == "now")
    }
}

/// What several threads did, in its order.
private final class Order: Sendable {
    private let names = Mutex<[String]>([])

    func add(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
}

/// Starts a thread; the result waits for its end.
private func concurrentlyOnce(_ body: @escaping @Sendable () -> Void) throws -> () -> Void {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        body()
        done.signal()
    }
    thread.start()
    return { done.wait() }
}
