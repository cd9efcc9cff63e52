// Requests that wait for the log are woken, also when the log answers at an unlucky moment.

import Dispatch
import SessionLog
import SessionLogTestSupport
import SessionScripts
import Synchronization
import Testing
import Waiting

@testable import SessionViews
@testable import TraitSessions

@Suite
struct WaitingRequestTests {
    /// Runs something before each append.
    private final class InterruptedLog: LogWrapper {
        let base: any SessionLog = MemoryLog()
        private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

        func interrupt(_ body: @escaping @Sendable () -> Void) {
            interruption.withLock { $0 = body }
        }

        func append(_ batch: [LogAppend]) -> [AppendResult] {
            interruption.withLock { $0 }?()
            return base.append(batch)
        }
    }

    private final class SignallingWaker: Waker {
        let semaphore = DispatchSemaphore(value: 0)

        func wake() { semaphore.signal() }
    }

    @Test("A request that finds a session before its first commit is acknowledged is woken")
    func foundEarly() throws {
        let log = InterruptedLog()
        let process = Process(log, seed: 1)
        let waker = SignallingWaker()
        log.interrupt {
            guard let session = process.store.find("demo"),
                let response = session.withState({ $0.pendingResponse(until: $0.head) })
            else { return }
            _ = response.attach(waker)
        }
        _ = try process.session("demo")
        // The log's thread may wake this request after the one that created the session.
        #expect(waker.semaphore.wait(within: .seconds(10)))
    }

    @Test("The end of a session reaches the log although the log's thread found the session owned")
    func endWhileOwned() throws {
        let log = DelayingLog(isHolding: false)
        let store = Mutex<SessionStore?>(nil)
        var environment = Clock().environment(seed: 1)
        environment.hasBegunLongWrite = { name in
            guard name == "demo", let store = store.withLock({ $0 }),
                let session = store.find(name)
            else { return }
            // Runs before the owner lets go, when the log's thread has been called for the tombstone: that
            // thread takes sessions in the order of their commits, and the other session's comes after.
            session.lock.peek { _ in
                session.gate.occupation?.later.append { _, _ in
                    let client = Client(store)
                    guard let other = store.find("other"),
                        case .pending(let response) = client.send(
                            Write(.transaction([Operations.create("b")])), to: other)
                    else {
                        Issue.record("the other session has no commit")
                        return
                    }
                    #expect(isReleased(Wait.until([response])[0]))
                }
            }
        }
        let made = SessionStore(limits: .quiet, environment: environment, log: log)
        store.withLock { $0 = made }
        defer { store.withLock { $0 = nil } }
        let client = Client(made)
        let session = try client.create("demo", "{}")
        _ = try client.create("other", Operations.start)
        let response = session.queueEnd(CommitOptions())
        #expect(isReleased(Wait.until([response], within: 10)[0]))
        #expect(made.find("demo") == nil)
    }
}
