// Notes of the sessions that a server made and ended.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing

@testable import TraitSessions

@Suite("Notes of sessions that were made and ended")
struct SessionEventsTests {
    @Test("The thousandth note is handed on at no more depth of the stack than the first")
    func depth() throws {
        let session = try Process(MemoryLog(), seed: 1).session("demo", "{}")
        let commit = try #require(session.withState { $0.retained.oldest })
        let events = SessionEvents()
        let places = Mutex<[Int]>([])
        events.note { _ in
            var place = 0
            let address = withUnsafeMutablePointer(to: &place) { Int(bitPattern: $0) }
            places.withLock { $0.append(address) }
        }
        for _ in 1...1_000 { events.add(commit, of: session.identity) }
        #expect(places.withLock { Set($0).count } == 1)
    }
}
