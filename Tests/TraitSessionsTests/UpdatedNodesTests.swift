// A transaction may update a session's nodes more than once, but not as often as it likes: each update
// takes as long as the tree is large.

import SessionLog
import SessionScripts
import Testing

@testable import TraitSessions

@Suite("Updates within one transaction", .timeLimit(.minutes(2)))
struct UpdatedNodesTests {
    private static func operations(_ updates: Int) -> String {
        (0..<updates).map { number in
            "{\"op\":\"setOverride\",\"node\":\"s\",\"trait\":\"displayScale\",\"value\":\(number + 2)},"
                + "{\"op\":\"layout\"}"
        }.joined(separator: ",")
    }

    private func session(_ process: Process, updates: String) throws -> Session {
        let session = try process.session("demo", "{\"updates\":\"\(updates)\"}")
        let nodes = (0..<100).map {
            "{\"op\":\"createNode\",\"node\":\"n\($0)\",\"kind\":\"environment\",\"parent\":\"s\"}"
        }
        try process.commit(
            "{\"op\":\"createNode\",\"node\":\"s\",\"kind\":\"windowScene\"},"
                + nodes.joined(separator: ",") + ",{\"op\":\"layout\"}", session)
        return session
    }

    @Test(
        "The nodes that updates after the first bring up to date have a limit; nothing is changed")
    func limit() throws {
        var limits = ServiceLimits.quiet
        limits.updatedNodesMax = 505
        let log = MemoryLog()
        let process = Process(log, seed: 3, limits: limits)
        let session = try session(process, updates: "layout")
        try process.commit(Self.operations(5), session)
        let before = (session.digest, session.head)
        let error = #expect(throws: SessionError.self) {
            try process.commit(Self.operations(6), session)
        }
        #expect(error?.code == .transactionTooLarge && error?.pointer == "/operations/11")
        #expect(error?.detail.contains("updatedNodesMax=505") == true)
        #expect(before == (session.digest, session.head))
        // A replica with a smaller limit follows all the same.
        limits.updatedNodesMax = 1
        let replica = try Session.load(
            session.logSession, from: log, isFollower: true, limits: limits,
            environment: session.environment)
        #expect(replica.digest == session.digest)
    }

    @Test("One update is never too much, and updates of an immediate session are none")
    func once() throws {
        var limits = ServiceLimits.quiet
        limits.updatedNodesMax = 1
        let process = Process(MemoryLog(), seed: 3, limits: limits)
        let session = try session(process, updates: "layout")
        try process.commit(Self.operations(1), session)
        let immediate = Process(MemoryLog(), seed: 4, limits: limits)
        try immediate.commit(Self.operations(20), try self.session(immediate, updates: "immediate"))
    }
}
