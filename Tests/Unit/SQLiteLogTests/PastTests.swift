// The past of sessions over the log on disk: the same before and after a restart.

import DurabilityRuns
import SQLiteLog
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Testing

@testable import SessionViews
@testable import TraitJSON
@testable import TraitSessions

@Suite("The past of sessions on disk")
struct PastTests {
    private static func store(_ log: any SessionLog, seed: UInt64) -> SessionStore {
        SessionStore(
            limits: Workload.limits, environment: Clock().environment(seed: seed), log: log)
    }

    private static func answers(_ session: Session, seed: UInt64) -> [UInt8] {
        Reads.answers(of: session, seed: seed, count: 20, withCommits: false)
    }

    @Test("Every retained revision is read as it was, before and after a restart")
    func restarts() throws {
        let folder = try TemporaryFolder()
        let log = try ReopeningTests.open(folder)
        let first = Self.store(log, seed: 1)
        let client = Client(first)
        let session = try client.create("demo", Operations.start)
        var remembered: [Int64: (answers: [UInt8], digest: UInt64)] = [:]
        for value in 1...200 {
            _ = try client.transaction("[\(Operations.set(value))]", to: session)
            let revision = session.acknowledged
            remembered[revision] = (
                Self.answers(session, seed: UInt64(revision)), session.digest.full
            )
            if value % 12 == 0 { first.finishSnapshots() }
        }
        func check(_ session: Session, _ store: SessionStore) throws {
            let oldest = session.withState { $0.oldestPast.revision }
            #expect(oldest == session.withState { $0.oldestRetained })
            for revision in oldest...session.acknowledged {
                let past = try PastReader.session(at: revision, of: session, in: store)
                #expect(past.digest.full == remembered[revision]?.digest)
                #expect(
                    Self.answers(past, seed: UInt64(revision)) == remembered[revision]?.answers)
            }
            #expect(throws: SessionError.self) {
                try PastReader.session(at: oldest - 1, of: session, in: store)
            }
        }
        try check(session, first)
        log.end(copies: false)
        let again = try ReopeningTests.open(folder)
        let second = Self.store(again, seed: 2)
        try second.openAll()
        try check(try #require(second.find("demo")), second)
        again.end()
    }
}
