// Threads of two stores over one log: no write is lost, and none is made twice.

import Dispatch
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite
struct RacingStoresTests {
    private static let threadCount = 4
    private static let writeCount = 40

    @Test("A counter that four threads of two stores raise, each on condition, counts every write")
    func counter() throws {
        let log = MemoryLog()
        let processes = [Process(log, seed: 1), Process(log, seed: 2)]
        let sessions = [
            try processes[0].session("demo", Operations.start), try processes[1].session(),
        ]
        DispatchQueue.concurrentPerform(iterations: Self.threadCount) { thread in
            let session = sessions[thread % 2]
            let client = Client(processes[thread % 2].store)
            for number in 0..<Self.writeCount {
                let name = "n\(thread)-\(number)"
                var isDone = false
                while !isDone {
                    let (head, level) = (session.withState { $0.head }, session.level ?? 0)
                    let operations = "[\(Operations.set(level + 1)),\(Operations.create(name))]"
                    do throws(SessionError) {
                        isDone =
                            try client.transaction(operations, to: session, ifRevision: head) != nil
                    } catch {
                        guard error.code == .revisionMismatch else {
                            Issue.record("\(error)")
                            return
                        }
                    }
                }
            }
        }
        let count = Self.threadCount * Self.writeCount
        // A last write brings each to the head of the log.
        try processes[0].commit(Operations.create("last0"), sessions[0])
        try processes[1].commit(Operations.create("last1"), sessions[1])
        try processes[0].commit(Operations.create("last2"), sessions[0])
        try sessions[1].catchUp()
        let replica = try sessions[0].replica(log)
        #expect(replica.level == count)
        #expect(replica.head == Int64(1 + count + 3))
        #expect(sessions[0].digest == replica.digest && sessions[1].digest == replica.digest)
        for thread in 0..<Self.threadCount {
            for number in 0..<Self.writeCount {
                #expect(replica.has("n\(thread)-\(number)"))
            }
        }
    }
}
