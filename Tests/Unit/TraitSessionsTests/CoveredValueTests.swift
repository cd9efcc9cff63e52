// Temporary values that lie over values of a manager.

import JSONCodec
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("Temporary values over managed ones")
struct CoveredValueTests {
    /// A session whose node `n1` has the level 1 by the manager `ci`, at revision 2, and its process. The clock of a new
    /// process shows 2027-01-15T08:00:00Z.
    private final class Fixture {
        let log = MemoryLog()
        let process: Process
        let session: Session

        init() throws {
            process = Process(log, seed: 5)
            session = try process.session("demo", Operations.start)
            try apply(1)
        }

        var state: (level: Int64, end: Int64?, covered: CoveredValue?, manager: String?) {
            session.withState { state in
                guard let node = state.hierarchy.node("n1"),
                    let trait = state.hierarchy.definitions.index(of: "level")
                else { return (-1, nil, nil, nil) }
                let value = state.hierarchy.override(trait, of: node)
                var level: Int64 = -1
                if case .int(let number)? = value { level = number }
                return (
                    level, state.end(of: trait, at: node), state.annotations.covered[node, trait],
                    state.annotations.managers.manager(of: ManagedPlace(node, .overrides, trait))
                )
            }
        }

        func node(_ members: String) -> String {
            #"{"nodes":[{"id":"n1","kind":"environment"\#(members)}]}"#
        }

        func apply(
            _ level: Int?, manager: String? = "ci", prune: Bool = false, force: Bool = false
        ) throws {
            try apply(
                node(level.map { #","overrides":{"level":\#($0)}"# } ?? ""), manager: manager,
                prune: prune, force: force)
        }

        func apply(
            _ document: String, manager: String? = "ci", prune: Bool = false, force: Bool = false
        ) throws {
            var options = ApplyOptions()
            (options.manager, options.prune, options.force) = (manager, prune, force)
            _ = try process.client.withDocument(document) { json throws(SessionError) in
                try process.client.carryOut(Proposal(.apply(json, options)), on: session)
            }
        }

        func commit(_ operation: String) throws { try process.commit(operation, session) }

        /// Sets a level for ten seconds.
        func cover(_ level: Int = 9, _ more: String = "") throws {
            try commit(
                #"{"op":"setOverride","node":"n1","trait":"level","value":\#(level),"ttl":10\#(more)}"#
            )
        }

        func passTenSeconds() {
            process.clock.move(by: 10_000)
            process.store.endExpiredValues()
            _ = Wait.until([session.queue(Proposal(.expire([])), isLong: false)])
        }

        func export(_ profile: DocumentWriter.Profile = .exchange) throws -> String {
            let snapshot = try session.withState { state throws(SessionError) in
                try state.snapshot()
            }
            var json = JSONWriter()
            DocumentWriter(try snapshot.session(), profile).writeAll(into: &json)
            return String(decoding: json.array(), as: UTF8.self)
        }

        /// Whether a replay and a snapshot of the session are the same.
        func check() throws {
            #expect(try session.replica(log).digest == session.digest)
            try session.writeSnapshot()
            #expect(try session.replica(log).digest == session.digest)
        }
    }

    private static let remove = #"{"op":"removeOverride","node":"n1","trait":"level"}"#

    @Test("At the end the managed value shows again, and an apply changes it below")
    func below() throws {
        let it = try Fixture()
        try it.cover()
        #expect(it.state.level == 9 && it.state.end != nil && it.state.manager == "ci")
        #expect(it.state.covered == CoveredValue(value: .int(1)))
        try it.check()
        // The same document changes nothing.
        try it.apply(1)
        #expect(it.session.head == 3)
        try it.apply(2)
        #expect(it.session.head == 4 && it.state.level == 9)
        #expect(it.state.covered == CoveredValue(value: .int(2)))
        // Another temporary value moves the end alone.
        try it.cover(8)
        #expect(it.state.level == 8 && it.state.covered == CoveredValue(value: .int(2)))
        try it.check()
        it.passTenSeconds()
        #expect(it.state.level == 2 && it.state.end == nil && it.state.covered == nil)
        #expect(it.state.manager == "ci")
        try it.check()
        try it.apply(2)
        #expect(it.session.head == 6)
        #expect(throws: SessionError.self) { try it.apply(3, manager: "ops") }
    }

    @Test("Removing a temporary value shows the managed one, and a write that stays ends both")
    func otherWrites() throws {
        let it = try Fixture()
        try it.cover()
        try it.commit(Self.remove)
        #expect(it.state.level == 1 && it.state.end == nil && it.state.manager == "ci")
        try it.cover()
        try it.commit(Operations.set(9))
        #expect(it.state.level == 9 && it.state.end == nil && it.state.covered == nil)
        #expect(it.state.manager == nil)
        try it.apply(1, force: true)
        try it.cover()
        try it.commit(#"{"op":"clearOverrides","node":"n1"}"#)
        #expect(it.state.level == -1 && it.state.covered == nil && it.state.manager == nil)
        try it.apply(1)
        try it.cover()
        try it.commit(#"{"op":"deleteNode","node":"n1"}"#)
        #expect(it.session.withState { $0.annotations.covered.isEmpty })
        try it.check()
    }

    @Test("A value that a manager sets under a temporary one goes below it")
    func later() throws {
        let it = try Fixture()
        try it.commit(Self.remove)
        try it.cover()
        #expect(it.state.covered == nil)
        try it.apply(4)
        #expect(it.state.level == 9 && it.state.covered == CoveredValue(value: .int(4)))
        #expect(it.state.manager == "ci")
        #expect(throws: SessionError.self) { try it.apply(5, manager: "ops") }
        try it.apply(5, manager: "ops", force: true)
        #expect(it.state.manager == "ops" && it.state.level == 9)
        // Pruning takes the value below, and leaves the temporary one.
        try it.apply(nil, manager: "ops", prune: true)
        #expect(it.state.level == 9 && it.state.covered == nil && it.state.manager == nil)
        try it.check()
        it.passTenSeconds()
        #expect(it.state.level == -1)
        try it.check()
    }

    @Test("A managed value that ends itself is covered with its own time")
    func bothEnd() throws {
        let it = try Fixture()
        func ending(_ seconds: Int) -> String {
            it.node(
                #","overrides":{"level":3},"expiresAt":{"level":"2027-01-15T08:00:\#(seconds)Z"}"#)
        }
        try it.apply(ending(15))
        try it.cover()
        let end = it.process.clock.now + 15_000
        #expect(it.state.covered == CoveredValue(value: .int(3), end: end))
        it.passTenSeconds()
        #expect(it.state.level == 3 && it.state.end == end && it.state.manager == "ci")
        it.passTenSeconds()
        #expect(it.state.level == -1 && it.state.manager == nil)
        try it.apply(
            it.node(#","overrides":{"level":3},"expiresAt":{"level":"2027-01-15T08:00:25Z"}"#))
        try it.cover()
        it.passTenSeconds()
        #expect(it.state.level == -1 && it.state.covered == nil)
        try it.check()
    }

    @Test("Documents, copies and new names keep what is below", arguments: [0, 1])
    func documents(profile: Int) throws {
        let it = try Fixture()
        try it.cover()
        let document = try it.export(profile == 0 ? .exchange : .specified)
        #expect(document.contains(#""under":{"level":{"value":1}}"#), "\(document)")
        // The document is what the session is.
        let head = it.session.head
        try it.apply(document, manager: nil)
        try it.apply(document)
        #expect(it.session.head <= head + 1 && it.state.level == 9)
        try it.commit(#"{"op":"copyNode","node":"n1","to":"n2"}"#)
        try it.commit(#"{"op":"renameNode","node":"n1","to":"n3"}"#)
        try it.commit(#"{"op":"renameNode","node":"n3","to":"n1"}"#)
        try it.commit(#"{"op":"renameTrait","trait":"level","to":"height"}"#)
        try it.commit(#"{"op":"renameTrait","trait":"height","to":"level"}"#)
        try it.check()
        let log = MemoryLog()
        let other = Process(log, seed: 6)
        let imported = try other.client.withDocument(document) { json throws(SessionError) in
            try other.store.load(json)
        }
        #expect(imported.level == 9)
        #expect(try imported.replica(log).digest == imported.digest)
        let made = try other.session(
            "made",
            #"{"traits":{"level":{"type":"int","default":0}},"nodes":[{"id":"n1","kind":"environment","overrides":{"level":9},"expiresAt":{"level":"2027-01-15T08:00:10Z"},"under":{"level":{"value":1}}}]}"#
        )
        for session in [imported, made] {
            #expect(session.level == 9)
        }
        other.clock.move(by: 10_000)
        other.store.endExpiredValues()
        for session in [imported, made] {
            _ = Wait.until([session.queue(Proposal(.expire([])), isLong: false)])
            #expect(session.level == 1)
        }
        it.passTenSeconds()
        #expect(it.state.level == 1)
        let copied = it.session.withState { state -> TraitValue? in
            guard let node = state.hierarchy.node("n2"),
                let trait = state.hierarchy.definitions.index(of: "level")
            else { return nil }
            return state.hierarchy.override(trait, of: node)
        }
        #expect(copied == .int(1))
        try it.check()
    }

    @Test("A revert brings back what was below, and takes it away")
    func reverts() throws {
        let it = try Fixture()
        func snapshot() throws -> SessionSnapshot {
            try it.session.withState { state throws(SessionError) in
                try state.snapshot(isCounted: false)
            }
        }
        func revert(to snapshot: SessionSnapshot) throws {
            let revert = Revert(to: snapshot.revision, try snapshot.session())
            _ = try it.process.client.carryOut(
                Proposal(.revert(revert), answer: .revert(revert.goal)), on: it.session)
        }
        // The snapshots are let go before the session writes its own.
        func revertAll() throws {
            let plain = try snapshot()
            try it.cover()
            let covered = try snapshot()
            try it.apply(2)
            let changed = try snapshot()
            try it.commit(Self.remove)
            try it.commit(Self.remove)
            try it.cover(7)
            let alone = try snapshot()
            let all = [plain, covered, changed, alone]
            for one in all {
                for other in all {
                    try revert(to: one)
                    try revert(to: other)
                    #expect(it.session.digest.content == other.digest.content, "\(other.revision)")
                    let head = it.session.head
                    try revert(to: other)
                    #expect(it.session.head == head)
                }
            }
        }
        try revertAll()
        try it.check()
    }

    @Test("A definition that changes takes the values below with it, or is refused for them")
    func definitions() throws {
        let it = try Fixture()
        try it.cover()
        try it.commit(
            #"{"op":"updateTrait","trait":"level","patch":{"type":"double","default":0}}"#)
        #expect(it.state.covered == CoveredValue(value: .double(1)))
        try it.check()
        it.passTenSeconds()
        let value = it.session.withState { state in
            state.hierarchy.node("n1").flatMap { node in
                state.hierarchy.definitions.index(of: "level").flatMap {
                    state.hierarchy.override($0, of: node)
                }
            }
        }
        #expect(value == .double(1))
        try it.check()
    }

    @Test("A log without marks is read as before, and marks stand only with a time")
    func marks() throws {
        let it = try Fixture()
        try it.cover(9, #","over":false"#)
        #expect(it.state.covered == nil && it.state.manager == nil)
        try it.check()
        for more in [#","over":true"#, #","under":true,"over":true"#, #","over":1"#] {
            #expect(throws: SessionError.self, "\(more)") {
                try it.commit(
                    #"{"op":"setOverride","node":"n1","trait":"level","value":1\#(more)}"#)
            }
        }
        try it.commit(
            #"{"op":"setOverride","node":"n1","trait":"level","value":5,"under":true}"#)
        #expect(it.state.level == 9 && it.state.covered == CoveredValue(value: .int(5)))
        try it.commit(#"{"op":"removeOverride","node":"n1","trait":"level","under":true}"#)
        #expect(it.state.level == 9 && it.state.covered == nil)
        it.passTenSeconds()
        // With nothing temporary above, the value itself is set.
        try it.commit(
            #"{"op":"setOverride","node":"n1","trait":"level","value":5,"under":true}"#)
        #expect(it.state.level == 5 && it.state.end == nil)
        try it.check()
    }
}
