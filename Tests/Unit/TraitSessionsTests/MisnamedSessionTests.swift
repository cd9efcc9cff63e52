// A session that its log gives another name than its entries.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing

@testable import SessionViews
@testable import TraitSessions

@Suite
struct MisnamedSessionTests {
    private final class Failures: Sendable {
        let list = Mutex<[ReplayError]>([])
    }

    @Test("A session that the log gives another name is refused, and no other")
    func misnamed() throws {
        let log = MemoryLog()
        let writer = Process(log, seed: 1)
        let session = try writer.session("demo", Operations.start)
        try writer.commit(Operations.create("a"), session)
        let failures = Failures()
        let process = Process(log, seed: 3)
        try process.store.follow { error in failures.list.withLock { $0.append(error) } }
        process.store.finishFollowing()
        let follower = try #require(process.store.following.withLock { $0?.follower })
        let foreign = LogSession(name: "other", uid: session.uid)
        for _ in 0..<2 {
            follower.lostTrack(of: foreign)
            process.store.finishFollowing()
        }
        #expect(failures.list.withLock { $0.map(\.session) } == ["other"])
        #expect(process.store.find("other") == nil && process.store.find("demo")?.has("a") == true)
    }
}
