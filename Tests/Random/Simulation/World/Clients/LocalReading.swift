// Reads without the log, as a client asks for them with `consistency=local`: they show what the replica knows, and how old
// that may be.

import Background
import Simulated
import TraitSessions

extension Handler {
    /// A session as this replica knows it, and the time of the scheduler before which it knew all that the log had. Nil
    /// without a log that says so.
    func readLocally(_ name: String) -> (answer: ReadAnswer, knownAt: UInt64)? {
        let now = world.scheduler.now
        guard let age = store.age(of: name), let session = store.find(name) else { return nil }
        let knownAt = now - min(now, UInt64(max(0, age / .nanoseconds(1))))
        let deadline = Uptime.monotonic(after: Self.waitMax)
        while Uptime.monotonic < deadline {
            switch read(session.acknowledgedCopy ?? session) {
            case .answer(let answer, nil): return (answer, knownAt)
            // Commits wait for the log, and this read does not wait with them.
            case .answer:
                let copied = session.copyAcknowledged(for: nil)
                // Of a session that is being made there is no acknowledged state.
                guard case .readAgain = wait(copied, deadline) else { return nil }
            case .wait(let response): _ = wait(response, deadline)
            }
        }
        world.found("a local read of '\(name)' waits for the log")
    }
}
