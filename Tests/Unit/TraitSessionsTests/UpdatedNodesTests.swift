// A transaction may update a session's nodes more than once, and move deep trees more than once, but not as often as
// it likes: each such operation takes as long as the tree is large.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Updates within one transaction")
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
            session.logSession, from: log, limits: limits,
            environment: session.environment)
        #expect(replica.digest == session.digest)
    }

    @Test(
        "Conversions, new names and copies count by the values, registrations and nodes that they touch",
        arguments: [
            (
                [
                    #"{"op":"updateTrait","trait":"e","patch":{"type":"enum","cases":{"a":0,"b":1}}}"#,
                    #"{"op":"updateTrait","trait":"e","patch":{"type":"string","cases":null}}"#,
                ], "/operations/4"
            ),
            (
                [
                    #"{"op":"renameNode","node":"s","to":"t"}"#,
                    #"{"op":"renameNode","node":"t","to":"s"}"#,
                ], "/operations/5"
            ),
            ([#"{"op":"copyNode","node":"s","prefix":["","{n}."]}"#], "/operations/5"),
        ])
    func touched(operations: [String], refused: String) throws {
        var limits = ServiceLimits.quiet
        limits.updatedNodesMax = 505
        let process = Process(seed: 4, limits: limits)
        let session = try session(process, updates: "immediate")
        try process.commit(
            #"{"op":"defineTrait","trait":"e","definition":{"type":"string","default":"a"}},"#
                + (0..<100).map {
                    #"{"op":"setOverride","node":"n\#($0)","trait":"e","value":"a"},"#
                        + #"{"op":"register","registration":"r\#($0)","node":"s","traits":["e"]}"#
                }.joined(separator: ","), session)
        let before = (session.digest, session.head)
        let many = (0..<20).flatMap { number in
            operations.map { $0.replacing("{n}", with: "c\(number)") }
        }
        let error = #expect(throws: SessionError.self) {
            try process.commit(many.joined(separator: ","), session)
        }
        #expect(error?.code == .transactionTooLarge && error?.pointer == refused, "\(error as Any)")
        #expect(before == (session.digest, session.head))
        // The first one of a transaction may touch all there is.
        try process.commit(
            operations[0].replacing("{n}", with: "c") + "," + set("n1", 3), session)
    }

    private func set(_ node: String, _ value: Int) -> String {
        "{\"op\":\"setOverride\",\"node\":\"\(node)\",\"trait\":\"displayScale\",\"value\":\(value)}"
    }

    /// A session whose tree is as deep as allowed, and chains that fit below `x30` if they have 70 nodes.
    private func deepSession(_ process: Process, chains: Int, of count: Int) throws -> Session {
        let session = try process.session("deep", #"{"limits":{"depthMax":100}}"#)
        let all = [("deep", 100), ("x", 30)] + (1...chains).map { ("k\($0)-", count) }
        let nodes = all.flatMap { prefix, count in
            (1...count).map { level in
                let parent = level == 1 ? "" : ",\"parent\":\"\(prefix)\(level - 1)\""
                return
                    "{\"op\":\"createNode\",\"node\":\"\(prefix)\(level)\",\"kind\":\"environment\"\(parent)}"
            }
        }
        try process.commit(nodes.joined(separator: ","), session)
        return session
    }

    private static func moves(_ count: Int) -> String {
        (0..<count).flatMap { _ in
            ["\"x30\"", "null"].map {
                "{\"op\":\"updateNode\",\"node\":\"k1-1\",\"parent\":\($0)}"
            }
        }.joined(separator: ",")
            + ",{\"op\":\"updateNode\",\"node\":\"k1-1\",\"label\":\"\(count)\"}"
    }

    // A move of 70 nodes counts as nearly nine.
    @Test("The nodes that moves measure count, too, but one move may measure all there are")
    func moves() throws {
        var limits = ServiceLimits.quiet
        limits.updatedNodesMax = 30
        let log = MemoryLog()
        let process = Process(log, seed: 3, limits: limits)
        let session = try deepSession(process, chains: 1, of: 70)
        try process.commit(Self.moves(3), session)
        let before = (session.digest, session.head)
        let error = #expect(throws: SessionError.self) {
            try process.commit(Self.moves(4), session)
        }
        #expect(error?.code == .transactionTooLarge && error?.pointer == "/operations/6")
        #expect(before == (session.digest, session.head))
        limits.updatedNodesMax = 1
        let replica = try Session.load(
            session.logSession, from: log, limits: limits,
            environment: session.environment)
        #expect(replica.digest == session.digest)
        let other = Process(MemoryLog(), seed: 4, limits: limits)
        try other.commit(Self.moves(1), try deepSession(other, chains: 1, of: 70))
    }

    @Test(
        "Moves of an applied document count, also those that are refused at first",
        arguments: [70, 71])
    func appliedMoves(count: Int) throws {
        var limits = ServiceLimits.quiet
        limits.updatedNodesMax = 30
        let process = Process(MemoryLog(), seed: 3, limits: limits)
        let session = try deepSession(process, chains: 5, of: count)
        func apply(_ chains: Int) throws {
            let nodes = (1...chains).map {
                "{\"id\":\"k\($0)-1\",\"kind\":\"environment\",\"parent\":\"x30\"}"
            }
            let document = "{\"nodes\":[\(nodes.joined(separator: ","))]}"
            _ = try process.client.withDocument(document) { json throws(SessionError) in
                try process.client.carryOut(Proposal(.apply(json, ApplyOptions())), on: session)
            }
        }
        let before = session.digest
        let error = #expect(throws: SessionError.self) { try apply(5) }
        #expect(error?.code == .transactionTooLarge && session.digest == before)
        if count == 70 { try apply(3) }
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
