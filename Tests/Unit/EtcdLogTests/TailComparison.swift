// What tests of two logs over one prefix compare and wait for.

import Dispatch
import SessionLog
import Synchronization
import TestSupport
import Testing

extension SessionLog {
    /// The heads that a confirmation of all sessions shows.
    func confirmedHeads() throws -> LogHeads {
        var question = LogQuestion()
        question.wantsAllHeads = true
        return try confirmed(question)
    }

    func confirmed(_ question: LogQuestion) throws -> LogHeads {
        let answer = Mutex<Result<LogHeads, LogFailure>?>(nil)
        let came = DispatchSemaphore(value: 0)
        confirm(question) { heads in
            answer.withLock { $0 = heads }
            came.signal()
        }
        try #require(came.wait(within: .seconds(30)))
        return try #require(answer.withLock { $0 }).get()
    }

    func checksums(of session: LogSession) throws -> [UInt64] {
        try tail(of: session, after: 0, limit: .max).map(\.checksum)
    }
}

/// Tries again until a condition holds.
func eventually(
    _ what: String, within limit: Duration = .seconds(20), _ condition: () throws -> Bool
) throws {
    let deadline = Deadline(within: limit)
    let pause = DispatchSemaphore(value: 0)
    while try !condition() {
        if deadline.hasPassed { throw TimedOut(what) }
        _ = pause.wait(timeout: .now() + .milliseconds(2))
    }
}
