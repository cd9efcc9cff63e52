// A session is found as soon as it has a name, while the log still takes its first commit.

import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing

@testable import TraitSessions

@Suite(.timeLimit(.minutes(1)))
struct CreationTests {
    /// Answers at once, and runs something before each entry.
    private final class InterruptedLog: LogWrapper {
        let base: any SessionLog = MemoryLog()
        private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

        func interrupt(_ body: @escaping @Sendable () -> Void) {
            interruption.withLock { $0 = body }
        }

        func append(
            _ entry: LogEntry, to session: LogSession, expecting revision: Int64
        ) -> AppendResult {
            interruption.withLock { $0 }?()
            return base.append(entry, to: session, expecting: revision)
        }
    }

    private final class CountingWaker: Waker {
        let count = Atomic<Int>(0)

        func wake() { count.add(1, ordering: .relaxed) }

        static func wake(_ all: ContiguousArray<any Waker>) { for waker in all { waker.wake() } }
    }

    @Test("A request that finds a session before its first commit is acknowledged is woken")
    func foundEarly() throws {
        let log = InterruptedLog()
        let process = Process(log, seed: 1)
        let waker = CountingWaker()
        log.interrupt {
            guard let session = process.store.find("demo"),
                let response = session.locked({ session.pendingResponse(until: session.head) })
            else { return }
            _ = response.attach(waker)
        }
        _ = try process.session("demo")
        #expect(waker.count.load(ordering: .relaxed) == 1)
    }
}
