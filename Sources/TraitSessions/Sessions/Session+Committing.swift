// A write from a program without an event loop: the calling thread waits for the outcome.

import JSONCodec
import TraitEngine

extension Session {
    /// Carries out a write and blocks until it is decided. Never called on an event loop.
    ///
    /// - Returns: the body of the answer in the proposal's form, and the outcome.
    /// - Throws: why the operations, the conditions or the log refuse the write.
    package func commitWaiting(
        _ proposal: Proposal
    ) throws(SessionError) -> (body: [UInt8], outcome: CommitOutcome) {
        let response = queue(proposal, isLong: true)
        try response.wait()
        guard let outcome = response.outcome, let body = response.body else {
            throw SessionError(.internalError, "The write was released without an outcome.")
        }
        return (body, outcome)
    }
}
