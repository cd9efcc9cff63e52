// A write from a program without an event loop: whoever calls waits.

import JSONCodec
import TraitEngine

extension Session {
    /// Decides a write and waits until it is decided, however long it takes. Not for a thread that
    /// serves others.
    ///
    /// - Returns: the answer that the proposal asks for, and what the commit came to.
    /// - Throws: what the operations, the conditions or the log refuse.
    package func commitWaiting(
        _ proposal: Proposal
    ) throws(SessionError) -> (body: [UInt8], outcome: CommitOutcome) {
        let response = queue(proposal, isLong: true)
        let waker = BlockingWaker()
        if !response.attach(waker) { waker.wait() }
        if case .refused(let error) = response.decision { throw error }
        guard let outcome = response.outcome else {
            throw SessionError(.internalError, "The write was released without an outcome.")
        }
        return (response.body, outcome)
    }
}
