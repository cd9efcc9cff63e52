// Revisions of a shared log that a store does not apply, as its operator has it refuse them.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite
struct RefusingTests {
    private let log = MemoryLog()
    private let writer: Process
    private let session: Session

    init() throws {
        writer = Process(log, seed: 1)
        session = try writer.session("demo", Operations.start)
        try writer.commit(Operations.create("a"), session)
    }

    /// A store that follows the log, and why it cannot.
    private func follow(
        refusing refusals: [String: Int64] = [:]
    ) throws -> (process: Process, failures: () -> [ReplayError]) {
        let failures = Shared()
        let process = Process(log, seed: 3, refusing: refusals)
        try process.store.follow { error in failures.list.withLock { $0.append(error) } }
        process.store.finishFollowing()
        return (process, { failures.list.withLock { $0 } })
    }

    private final class Shared: Sendable {
        let list = Mutex<[ReplayError]>([])
    }

    @Test("A session is refused from the revision on that the operator names, and no other")
    func refused() throws {
        _ = try writer.session("mail", Operations.start)
        for revision in [1, 2] as [Int64] {
            let (process, failures) = try follow(refusing: [session.uid: revision])
            #expect(failures().map(\.revision) == [revision])
            #expect(failures().map(\.cause) == [.refused])
            #expect(process.store.refusedSessions == 1 && process.store.find("demo") == nil)
            #expect(process.store.find("mail") != nil)
            let error = SessionError(try #require(failures().first), of: "demo")
            #expect(error.code == .sessionDiverged)
            #expect(
                error.detail
                    == "The session 'demo' stays at revision \(revision - 1) here: this server was started with --refuse \(session.uid):\(revision). Ask another server."
            )
        }
        let (process, failures) = try follow(refusing: [session.uid: 3, "gone": 1])
        #expect(failures().isEmpty && process.store.find("demo")?.has("a") == true)
    }

    @Test("A snapshot at the refused revision is refused, and one behind it ends the refusal")
    func snapshots() throws {
        try log.write(session.withState { try $0.snapshot() }.logSnapshot(), of: session.logged)
        #expect(try follow(refusing: [session.uid: 2]).failures().map(\.revision) == [2])
        #expect(try follow(refusing: [session.uid: 1]).failures().isEmpty)
    }

    @Test("A refused entry that another writer has put before an own commit is not applied")
    func conflict() throws {
        let process = Process(log, seed: 4, refusing: [session.uid: 3])
        let its = try #require(try process.store.findOrOpen("demo"))
        try writer.commit(Operations.create("b"), session)
        let decision = Wait.until([try process.start(Operations.create("c"), to: its)])[0]
        #expect(refusal(decision) == .sessionDiverged)
        #expect(its.withState(\.acknowledged) == 2 && !its.has("b"))
    }
}
