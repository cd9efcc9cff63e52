// Writes whose operations follow from the state that they meet. The modules above plan them: an apply, a revert.

import JSONCodec
import TraitJSON

package protocol PlannedWrite: AnyObject {
    /// The manager of what the write sets and creates; nil for none.
    var manager: String? { get }
    /// What the commit comes from, as a member of its cause.
    var origin: [UInt8] { get }
    /// The write with its JSON as views of bytes that the arena owns.
    func copied(into arena: OperationArena) -> any PlannedWrite
    /// Applies the operations that lead from the transaction's state.
    ///
    /// - Throws: why one of them is refused; `takesLong` where the write has to be short.
    func apply(to transaction: inout Transaction) throws(SessionError)
}

/// The form of an answer to a planned write.
package protocol PlannedAnswer: AnyObject, Sendable {
    /// Writes the answer while the commit is applied.
    func write(
        _ opened: SessionState.OpenCommit, _ outcome: CommitOutcome, _ options: CommitOptions,
        of session: SessionState, into body: inout JSONWriter)
}
